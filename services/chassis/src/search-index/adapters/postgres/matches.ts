import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import type { SearchRequest } from '../../search-index.js';
import { withoutArticle } from '../../search-words.js';
import { foundByAccount, inCatalog, inName } from './search-elements.js';
import type { KnownWord } from './word-lookup.js';

/*
 * Ranked matches of one kind. Few of them are ranked in full. Of many, what can be best is looked up by the indexes that have it in order: things of
 * exactly that name, names that begin with the search, popular things; and the rest is filled up with whatever matches.
 */

/** So many matches at most are read and ranked in full. */
const FEW = 3000;
/** When a scan by id has to look at no more rows than this to find enough, it is faster than the inverted index. */
const SCANNED_ROWS = 30_000;
/** Begins a search that only few things match, of many: rows of it that are read unranked. */
const FILLING = 1000;
const BEGINNINGS = 500;

const LAST_LETTER = '\u{10ffff}';

/** A row that may be shown. */
export interface MatchRow {
  readonly id: number;
  readonly popularity: number;
  readonly words: readonly string[];
}

/** Matches with their number, exact for few of them. */
export interface Matches {
  readonly rows: readonly MatchRow[];
  readonly total: number;
}

/** What a search looks for in the table of a kind. */
export interface Looking {
  readonly things: RawBuilder<unknown>;
  /** How many things there are. */
  readonly thingCount: number;
  /** The whole search as a plain name. */
  readonly plain: string;
  /** For each term, the words that it may mean. */
  readonly terms: readonly (readonly KnownWord[])[];
  /** Whether all terms have to be in the thing's own names. */
  readonly namesOnly: boolean;
  /** Elements of which one has to be there for the viewer to find the thing; undefined when all catalogs are visible. */
  readonly places: readonly string[] | undefined;
  /** The share of things in those places. */
  readonly visibleShare: number;
  readonly viewerId: number | null;
}

/** Places of a viewer, see {@link Looking}. */
export const placesOf = (catalogs: SearchRequest['catalogs']): readonly string[] | undefined =>
  catalogs === 'all' ? undefined : [inCatalog(), ...catalogs.map((id) => inCatalog(id))];

const elementsOf = ({ terms, namesOnly }: Looking): string[][] =>
  terms.map((words) => words.filter(({ nameDf }) => !namesOnly || nameDf > 0).map(({ word }) => (namesOnly ? inName(word) : word)));

const WORDS = sql`t.words`;
/** The same column in a way that no index serves. */
const UNINDEXED_WORDS = sql`(t.words || '{}'::text[])`;

const conditionOf = (looking: Looking, column: RawBuilder<unknown>): RawBuilder<SqlBool> => {
  const groups = elementsOf(looking);
  const single = groups.filter((group) => group.length === 1).flat();
  const needed = single.length > 0 ? [sql`${column} @> ${single}::text[]`] : [];
  const parts = [
    ...needed,
    ...groups.filter((group) => group.length > 1).map((group) => sql`${column} && ${group}::text[]`),
    ...(looking.places === undefined ? [] : [sql`${column} && ${looking.places}::text[]`]),
    looking.viewerId === null ? sql`not t.private` : sql`(not t.private or t.words @> ${[foundByAccount(looking.viewerId)]}::text[])`,
  ];
  return sql<SqlBool>`${sql.join(parts, sql` and `)}`;
};

const columns = sql`t.id, t.key, t.plain, t.popularity, t.words`;

/** How well a row matches, the best is 0. Finished words count for more than beginnings, the own name for more than what is around. */
const qualityOf = ({ plain, terms, namesOnly }: Looking): RawBuilder<number> => {
  const key = withoutArticle(plain);
  const typed = terms.map((words) => words[0]?.word ?? '');
  const exact = sql`t.words @> ${namesOnly ? typed.map(inName) : typed}::text[]`;
  if (!namesOnly) return sql<number>`case when ${exact} then 5 else 6 end`;
  return sql<number>`case when t.plain = ${plain} or t.key = ${key} then 0
    when ${exact} then case when starts_with(t.key, ${`${key} `}) then 1 else 2 end
    when starts_with(t.key, ${key}) then 3 else 4 end`;
};

const order = (looking: Looking): RawBuilder<unknown> => sql`${qualityOf(looking)}, t.popularity desc, t.id`;

const fullRanking = (looking: Looking, limit: number): RawBuilder<MatchRow & { total: number }> => sql`
  select t.id, t.popularity, t.words, (count(*) over ())::integer as total
  from (select ${columns} from ${looking.things} t where ${conditionOf(looking, WORDS)} offset 0) t order by ${order(looking)} limit ${limit}`;

/** Whatever matches, in no particular order but always the same. */
const filling = (looking: Looking, way: 'by id' | 'by words', limit: number): RawBuilder<unknown> => {
  if (way === 'by words')
    return sql`select ${columns} from ${looking.things} t where ${conditionOf(looking, WORDS)} limit ${Math.max(FILLING, limit)}`;
  const first = sql`select ${columns}, t.private from ${looking.things} t order by t.id limit ${SCANNED_ROWS + limit}`;
  return sql`select ${columns} from (${first}) t where ${conditionOf(looking, UNINDEXED_WORDS)} limit ${limit}`;
};

const partialRanking = (looking: Looking, way: 'by id' | 'by words', limit: number): RawBuilder<MatchRow> => {
  const { things, plain } = looking;
  const key = withoutArticle(plain);
  const slow = conditionOf(looking, UNINDEXED_WORDS);
  const beginnings = (of: RawBuilder<unknown>, rows: number): RawBuilder<unknown> =>
    sql`select ${columns} from (select ${columns}, t.private from ${things} t where ${of} t.key >= ${key} and t.key <= ${key + LAST_LETTER}
      order by t.key, t.popularity desc, t.id limit ${rows}) t where ${slow}`;
  return sql`with found as materialized (
      select * from (select ${columns} from ${things} t where t.key = ${key} and ${slow} order by t.popularity desc, t.id limit ${limit}) equal
      union all select * from (${beginnings(sql`t.hot and`, 10 * BEGINNINGS)}) hot_beginning
      union all select * from (${beginnings(sql``, BEGINNINGS)}) beginning
      union all select * from (select ${columns} from ${things} t where t.hot and ${conditionOf(looking, WORDS)}
        order by t.popularity desc, t.id limit ${limit}) hot
      union all select * from (${filling(looking, way, limit)}) filling
    ) select t.id, t.popularity, t.words from (select distinct on (id) * from found) t order by ${order(looking)} limit ${limit}`;
};

/** How many things the terms may match: no more than the rarest, and on the average fewer. */
const estimates = ({ terms, namesOnly, thingCount, visibleShare }: Looking): { atMost: number; likely: number } => {
  const each = terms.map((words) => words.reduce((sum, { df, nameDf }) => sum + (namesOnly ? nameDf : df), 0));
  const atMost = Math.min(...each);
  const all = Math.max(1, thingCount);
  return { atMost, likely: all * visibleShare * each.reduce((product, count) => product * Math.min(1, count / all), 1) };
};

/** The best matches, at most `limit` of them. */
export const bestMatches = async (db: Kysely<unknown>, looking: Looking, limit: number): Promise<Matches> => {
  const { atMost, likely } = estimates(looking);
  if (atMost === 0) return { rows: [], total: 0 };
  if (atMost <= FEW) {
    const { rows } = await fullRanking(looking, limit).execute(db);
    return { rows, total: rows[0]?.total ?? 0 };
  }
  const byId = likely * SCANNED_ROWS >= limit * looking.thingCount;
  let { rows } = await partialRanking(looking, byId ? 'by id' : 'by words', limit).execute(db);
  if (byId && rows.length < limit) ({ rows } = await partialRanking(looking, 'by words', limit).execute(db));
  return { rows, total: rows.length < limit ? rows.length : Math.max(rows.length, Math.round(likely)) };
};
