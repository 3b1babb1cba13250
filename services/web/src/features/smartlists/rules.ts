import type { RuleTexts } from '../../messages/rule-texts.js';

/** A rule as requests send it: its name, the number of its operator and the value. */
export interface Rule {
  readonly name: string;
  readonly operator: string;
  readonly input: string;
  /** Field of the file, for rules about those. */
  readonly subtype: string | null;
}

/** A rule that can be chosen, as the API lists it. */
export interface RuleKind {
  readonly name: string;
  readonly label: string;
  /** Family of operators. */
  readonly type: string;
  /** Kind of the widget, and its input or its choices by value. */
  readonly widget: readonly (string | Readonly<Record<string, string>>)[];
  /** Heading of the rule's group. */
  readonly title: string;
}

/** Rules, order and limit of a smartlist. */
export interface Search {
  readonly operator: 'and' | 'or';
  readonly isRandom: boolean;
  /** Most songs; 0 for all. */
  readonly limit: number;
  readonly rules: readonly Rule[];
}

/** The kind of a rule; undefined for one that the server does not list. */
export const kindOf = (kinds: readonly RuleKind[], rule: Rule): RuleKind | undefined => kinds.find(({ name }) => name === rule.name);

/** Choices of a rule by value; undefined for rules whose value is typed. */
export const choicesOf = ({ widget: [, choices] }: RuleKind): Readonly<Record<string, string>> | undefined =>
  typeof choices === 'object' ? choices : undefined;

/** Type of the field for a rule's value; undefined where no value is asked for. */
export const inputOf = ({ widget: [kind, type] }: RuleKind): 'text' | 'number' | 'datetime-local' | undefined => {
  if (kind === 'subtypes') return 'text';
  return type === 'text' || type === 'number' || type === 'datetime-local' ? type : undefined;
};

/** True when nothing is left to choose or to type. */
export const isComplete = (rule: Rule, kind: RuleKind | undefined): boolean =>
  kind !== undefined &&
  (kind.widget[0] !== 'subtypes' || rule.subtype !== null) &&
  (rule.input !== '' || (choicesOf(kind) === undefined && inputOf(kind) === undefined));

/** A rule of a kind with the first operator, and the first choice where there are some. */
export const newRule = (kind: RuleKind): Rule => {
  const [first = ''] = Object.keys(choicesOf(kind) ?? {});
  const hasFields = kind.widget[0] === 'subtypes';
  return { name: kind.name, operator: '0', input: hasFields ? '' : first, subtype: hasFields ? first : null };
};

/** Rules as numbered parameters of a request. */
export const ruleParams = (rules: readonly Rule[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    rules.flatMap(({ name, operator, input, subtype }, at) => [
      [`rule_${at + 1}`, name],
      [`rule_${at + 1}_operator`, operator],
      // A rule without a value must have one all the same.
      [`rule_${at + 1}_input`, input === '' ? '1' : input],
      ...(subtype === null ? [] : [[`rule_${at + 1}_subtype`, subtype]]),
    ]),
  );

/** A rule as a sentence. @param kind undefined for a rule that the server does not list, such as that of a feature that is off */
export const sentenceOf = (rule: Rule, kind: RuleKind | undefined, { operators }: Pick<RuleTexts, 'operators'>): string => {
  const { name, operator, input, subtype } = rule;
  const value = (kind?.widget[0] === 'select' ? choicesOf(kind)?.[input] : undefined) ?? input;
  const comparison = (kind && operators[kind.type]?.[Number(operator)]) ?? '…';
  const field = subtype === null ? undefined : ((kind && choicesOf(kind)?.[subtype]) ?? subtype);
  return `${field ?? kind?.label ?? name} ${comparison.replace('…', () => value)}`;
};
