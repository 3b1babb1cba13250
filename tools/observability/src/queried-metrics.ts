import { parser } from '@prometheus-io/lezer-promql';
import type { SyntaxNode } from '@lezer/common';

/** A metric that an expression asks for, and the labels that it relies on. */
export interface QueriedMetric {
  readonly metric: string;
  readonly labels: ReadonlySet<string>;
}

const textsOf = (node: SyntaxNode, name: string, text: string): string[] => {
  const found: string[] = [];
  node.cursor().iterate((at) => {
    if (at.name === name) found.push(text.slice(at.from, at.to));
  });
  return found;
};

/**
 * Every metric of an expression, with the labels by which it is picked and those by which whatever stands around it adds up.
 * @throws Error when the expression is no PromQL
 */
export const queriedMetrics = (expr: string): readonly QueriedMetric[] => {
  const tree = parser.parse(expr);
  const asked: QueriedMetric[] = [];
  tree.iterate({
    enter: ({ node, type }) => {
      if (type.isError) throw new Error(`not PromQL: ${expr}`);
      if (type.name !== 'VectorSelector') return;
      const metric = textsOf(node, 'Identifier', expr)[0];
      if (metric === undefined) throw new Error(`a selector without a name: ${expr}`);
      asked.push({ metric, labels: new Set([...textsOf(node, 'LabelName', expr), ...groupsAround(node, expr)]) });
    },
  });
  return asked;
};

/** Labels by which the aggregations around a selector add up. */
const groupsAround = (selector: SyntaxNode, expr: string): string[] => {
  const labels: string[] = [];
  for (let node = selector.parent; node; node = node.parent) {
    const modifier = node.name === 'AggregateExpr' ? node.getChild('AggregateModifier') : null;
    if (modifier) labels.push(...textsOf(modifier, 'LabelName', expr));
  }
  return labels;
};
