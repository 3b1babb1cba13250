import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Viewer } from '../reads/viewer.js';
import { badOperand, badSearch } from './faults.js';
import { isRegex, knowsOperator, textComparison, type TextCode } from './operators.js';
import type { Logic, RuleRow, SearchRule } from './rule.js';
import { ruleNamed, typeDefinitions, type SearchType, type TypeDefinition } from './search-types.js';
import type { Condition } from './text-tests.js';

/** A search that can be run. */
export interface CompiledSearch {
  /** One row with the ids of all matches, in order, as the text of an array. */
  readonly statement: RawBuilder<{ ids: string | null }>;
  /** True when the answer depends on more than the catalogue, so that it must not be kept. */
  readonly volatile: boolean;
}

/** Who asks, when, and in which order. */
export interface CompileOptions {
  readonly viewer: Viewer;
  /** Epoch milliseconds. */
  readonly nowMs: number;
  /** By id instead of the type's own order, for who shuffles anyway. */
  readonly unordered?: boolean;
}

interface Compiled {
  readonly row: RuleRow;
  readonly rule: SearchRule;
  readonly condition: Condition;
}

const compileRule = (type: SearchType, rule: SearchRule, { viewer, nowMs }: CompileOptions): Compiled => {
  const row = ruleNamed(type, rule.name);
  if (!row) throw badSearch(`${rule.name} (no such rule)`, rule.parameter);
  if (!knowsOperator(row.family, rule.operator))
    throw badOperand(`${rule.parameter ?? 'rule'}_operator`, rule.operator, 'no such operator');
  return { row, rule, condition: row.compile({ rule, viewer, nowMs }) };
};

/** Rules that an index can answer: few things match them, and a set of these few is soon made. */
const isNarrow = ({ row, rule }: Compiled): boolean =>
  row.family === 'text' &&
  !isRegex(rule.operator) &&
  !textComparison(rule.operator as TextCode).negated &&
  rule.operator !== 'sounds' &&
  rule.input.replace(/[%_\s]/g, '').length > 1;

/**
 * Any of the conditions. Narrow ones are looked up one by one, each by its own index, and put together; a plain `or` over several tables would look at
 * every row.
 */
const anyOf = ({ from, visible }: TypeDefinition, compiled: readonly Compiled[], viewer: Viewer): Condition => {
  const conditions = compiled.map(({ condition }) => condition);
  if (compiled.length < 2 || !compiled.every(isNarrow))
    return sql<SqlBool>`(${sql.join(
      conditions.map((one) => sql`(${one})`),
      sql` or `,
    )})`;
  const branches = conditions.map((condition) => sql`select t.id from ${from} where ${condition} and ${visible(viewer)}`);
  return sql<SqlBool>`t.id in (${sql.join(branches, sql` union all `)})`;
};

const allOf = (compiled: readonly Compiled[]): Condition =>
  sql<SqlBool>`(${sql.join(
    compiled.map(({ condition }) => sql`(${condition})`),
    sql` and `,
  )})`;

/**
 * Compiles rules to one statement over the published read model. Names come from the rule tables and operands are bound, so nothing of a request
 * reaches the SQL text; what the viewer may not see is not searched.
 * @throws Rejection `input.invalid` without rules, for an unknown rule or operator, or an operand that cannot be used
 */
export const compileSearch = (type: SearchType, rules: readonly SearchRule[], logic: Logic, options: CompileOptions): CompiledSearch => {
  if (rules.length === 0) throw badSearch('a search needs at least one rule');
  const definition = typeDefinitions[type];
  const compiled = rules.map((rule) => compileRule(type, rule, options));
  const condition = logic === 'or' ? anyOf(definition, compiled, options.viewer) : allOf(compiled);
  const order = sql.join([...(options.unordered ? [] : definition.order), sql`t.id`], sql`, `);
  const statement = sql<{ ids: string | null }>`select array_agg(x.id)::text as ids from (
    select t.id from ${definition.from} where ${definition.visible(options.viewer)} and ${condition} order by ${order}) x`;
  return { statement, volatile: definition.volatile === true || compiled.some(({ row }) => row.volatile) };
};
