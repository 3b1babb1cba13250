import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Viewer } from '../reads/viewer.js';
import { badOperand, badSearch } from './faults.js';
import { isRegex, knowsOperator, textComparison, type TextCode } from './operators.js';
import type { Logic, RuleRow, SearchRule } from './rule.js';
import { ruleNamed, typeDefinitions, type SearchType, type TypeDefinition } from './search-types.js';
import type { StoredSearch, StoredSearches } from './stored-searches.js';
import type { Condition, Value } from './text-tests.js';

/** A search that can be run. */
export interface CompiledSearch {
  /** One row with the ids of all matches, in order, as the text of an array; for songs also how long they take together. */
  readonly statement: RawBuilder<{ ids: string | null; durationMs?: number }>;
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
  /** The first so many only; 0 or undefined = all. */
  readonly limit?: number;
  /** The smartlists that rules may speak of. */
  readonly stored?: StoredSearches;
}

/** What is compiled so far, to know when it is too much. */
interface Progress {
  /** The smartlists that are being compiled, each within the one before it. */
  readonly within: readonly number[];
  /** Counts the rules of all lists, each as often as it is needed. */
  readonly count: { rules: number };
}

interface Compiled {
  readonly row: RuleRow;
  readonly rule: SearchRule;
  readonly condition: Condition;
}

/** Rules of a search, those of the smartlists that it speaks of included. */
const MAX_COMPILED_RULES = 300;

const compileRule = (type: SearchType, rule: SearchRule, options: CompileOptions, progress: Progress): Compiled => {
  const row = ruleNamed(type, rule.name);
  if (!row) throw badSearch(`${rule.name} (no such rule)`, rule.parameter);
  if (!knowsOperator(row.family, rule.operator))
    throw badOperand(`${rule.parameter ?? 'rule'}_operator`, rule.operator, 'no such operator');
  progress.count.rules += 1;
  if (progress.count.rules > MAX_COMPILED_RULES)
    throw badSearch(`with the smartlists that it refers to, the search has more than ${MAX_COMPILED_RULES} rules`, rule.parameter);
  const smartlist = (id: number): Value | undefined => {
    const list = options.stored?.list(id, options.viewer);
    return list && songsOf(list, options, progress);
  };
  return { row, rule, condition: row.compile({ rule, viewer: options.viewer, nowMs: options.nowMs, smartlist }) };
};

/** A query for the ids of the songs that a smartlist finds, for whom it is run. Which ones a limit leaves of a random list does not change from search to search. */
const songsOf = (list: StoredSearch, options: CompileOptions, { within, count }: Progress): Value => {
  if (within.includes(list.id)) throw badSearch(`smartlist ${list.id} refers to itself`);
  if (list.rules.length === 0) return sql`select null::bigint where false`;
  const viewer = options.stored?.ownerOf(list, options.viewer) ?? options.viewer;
  const { from, visible, order } = typeDefinitions.song;
  const { condition } = conditionOf('song', list, { ...options, viewer }, { within: [...within, list.id], count });
  const matches = sql`from ${from} where ${visible(viewer)} and ${condition}`;
  if (list.limit === 0) return sql`select t.id ${matches}`;
  const columns = list.isRandom ? [sql`t.random_key`] : order;
  return sql`select l.id from (select t.id ${matches} order by ${sql.join([...columns, sql`t.id`], sql`, `)} limit ${list.limit}) l`;
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

interface Ruled {
  readonly rules: readonly SearchRule[];
  readonly logic: Logic;
}

/** The condition that rules make together. */
const conditionOf = (
  type: SearchType,
  { rules, logic }: Ruled,
  options: CompileOptions,
  progress: Progress,
): { readonly condition: Condition; readonly volatile: boolean } => {
  const compiled = rules.map((rule) => compileRule(type, rule, options, progress));
  const condition = logic === 'or' ? anyOf(typeDefinitions[type], compiled, options.viewer) : allOf(compiled);
  return { condition, volatile: compiled.some(({ row }) => row.volatile) };
};

/**
 * Compiles rules to one statement over the published read model. Names come from the rule tables and operands are bound, so nothing of a request
 * reaches the SQL text; what the viewer may not see is not searched.
 * @throws Rejection `input.invalid` without rules, for an unknown rule or operator, or an operand that cannot be used
 */
export const compileSearch = (type: SearchType, rules: readonly SearchRule[], logic: Logic, options: CompileOptions): CompiledSearch => {
  if (rules.length === 0) throw badSearch('a search needs at least one rule');
  const definition = typeDefinitions[type];
  const { condition, volatile } = conditionOf(type, { rules, logic }, options, { within: [], count: { rules: 0 } });
  const order = sql.join([...(options.unordered ? [] : definition.order), sql`t.id`], sql`, `);
  const [sum, duration] = type === 'song' ? [sql`, sum(x.duration_ms)::float8 as "durationMs"`, sql`, t.duration_ms`] : [sql``, sql``];
  const first = options.limit ? sql`limit ${options.limit}` : sql``;
  const statement = sql<{ ids: string | null; durationMs?: number }>`select array_agg(x.id)::text as ids ${sum} from (
    select t.id ${duration} from ${definition.from} where ${definition.visible(options.viewer)} and ${condition} order by ${order} ${first}) x`;
  return { statement, volatile: definition.volatile === true || volatile };
};
