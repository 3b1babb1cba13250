import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Viewer } from '../reads/visibility/viewer.js';
import { badOperand, badSearch } from './faults.js';
import { isRegex, knowsOperator, textComparison, type TextCode } from './operators.js';
import type { Logic, RuleRow, SearchRule } from './rule.js';
import { ruleNamed, typeDefinitions, type SearchType, type TypeDefinition } from './search-types.js';
import type { StoredSearch, StoredSearches } from './stored-searches.js';
import type { Condition, Value } from './text-tests.js';

/** A search that can be run. */
export interface CompiledSearch {
  /** One row with the ids of all matches, in order, as the text of an array. */
  readonly statement: RawBuilder<{ ids: string | null }>;
  /** True when the answer depends on more than the catalogue, so that it must not be kept. */
  readonly volatile: boolean;
  /** Number of rules, those of its smartlists included. */
  readonly rules: number;
}

/** Viewer, time and order of a search. */
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

/** Progress of the compilation, to limit its size. */
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

/** Rules on names that have an index for parts of them. */
const INDEXED: ReadonlySet<string> = new Set(['title', 'album', 'song', 'song_artist', 'album_artist', 'artist', 'name']);
/** An index on parts of names knows parts of three letters. */
const PART = 3;

const significant = ({ input }: SearchRule): number => input.replace(/[%_\s]/g, '').length;

const isText = ({ row, rule }: Compiled): boolean =>
  row.family === 'text' && !isRegex(rule.operator) && textComparison(rule.operator as TextCode).positive !== 'sounds';

const isNegated = ({ rule }: Compiled): boolean => textComparison(rule.operator as TextCode).negated;

/** Rules that an index can answer: few things match them, and a set of these few is soon made. */
const isNarrow = (compiled: Compiled): boolean => isText(compiled) && !isNegated(compiled) && significant(compiled.rule) > 1;

/** The opposites of such rules. Each by itself would be asked of every row; together they are one set of things that are left out. */
const isNarrowlyNegated = (compiled: Compiled): boolean =>
  isText(compiled) && isNegated(compiled) && significant(compiled.rule) >= PART && INDEXED.has(compiled.row.name);

/**
 * Any of the conditions. Narrow ones are looked up one by one, each by its own index, and put together; a plain `or` over several tables would look at
 * every row.
 */
const anyOf = ({ from, visible }: TypeDefinition, compiled: readonly Compiled[], viewer: Viewer): Condition => {
  const conditions = compiled.map(({ condition }) => condition);
  if (compiled.length < 2 || !compiled.every(isNarrow)) return joinedBy(compiled, sql` or `);
  const branches = conditions.map((condition) => sql`select t.id from ${from} where ${condition} and ${visible(viewer)}`);
  return sql<SqlBool>`t.id in (${sql.join(branches, sql` union all `)})`;
};

const joinedBy = (compiled: readonly Compiled[], and: Value): Condition =>
  sql<SqlBool>`(${sql.join(
    compiled.map(({ condition }) => sql`(${condition})`),
    and,
  )})`;

/** None of the things that a query gives. A join, which stays quick however many these are, unlike `not in`. */
const noneOf = (ids: Value): Condition => sql<SqlBool>`not exists (select from (${ids}) n where n.id = t.id)`;

/** All of the conditions. What must not match is looked up by its index, and left out together. */
const allOf = ({ from }: TypeDefinition, compiled: readonly Compiled[], positives: readonly Compiled[]): Condition => {
  if (positives.length < 2) return joinedBy(compiled, sql` and `);
  const others = compiled.filter((one) => !isNarrowlyNegated(one));
  const left = noneOf(
    sql.join(
      positives.map(({ condition }) => sql`select t.id from ${from} where ${condition}`),
      sql` union all `,
    ),
  );
  return others.length === 0 ? left : sql<SqlBool>`(${joinedBy(others, sql` and `)} and ${left})`;
};

interface Ruled {
  readonly rules: readonly SearchRule[];
  readonly logic: Logic;
}

/** Returns the positive forms of negative rules. */
const positivesOf = (type: SearchType, compiled: readonly Compiled[], options: CompileOptions, progress: Progress): Compiled[] =>
  compiled
    .filter(isNarrowlyNegated)
    // They are counted as what they are the opposites of.
    .map(({ rule }) =>
      compileRule(type, { ...rule, operator: textComparison(rule.operator as TextCode).positive }, options, {
        ...progress,
        count: { rules: 0 },
      }),
    );

/** The condition that rules make together. */
const conditionOf = (
  type: SearchType,
  { rules, logic }: Ruled,
  options: CompileOptions,
  progress: Progress,
): { readonly condition: Condition; readonly volatile: boolean } => {
  const compiled = rules.map((rule) => compileRule(type, rule, options, progress));
  const definition = typeDefinitions[type];
  const condition =
    logic === 'or'
      ? anyOf(definition, compiled, options.viewer)
      : allOf(definition, compiled, positivesOf(type, compiled, options, progress));
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
  const count = { rules: 0 };
  const { condition, volatile } = conditionOf(type, { rules, logic }, options, { within: [], count });
  const order = sql.join([...(options.unordered ? [] : definition.order), sql`t.id`], sql`, `);
  const first = options.limit ? sql`limit ${options.limit}` : sql``;
  const statement = sql<{ ids: string | null }>`select array_agg(x.id)::text as ids from (
    select t.id from ${definition.from} where ${definition.visible(options.viewer)} and ${condition} order by ${order} ${first}) x`;
  return { statement, volatile: definition.volatile === true || volatile, rules: count.rules };
};
