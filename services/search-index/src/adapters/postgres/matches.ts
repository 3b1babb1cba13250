import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import type { SearchRequest } from '../../search-index.js';
import { withoutArticle } from '../../search-words.js';
import { foundByAccount, inCatalog, inName } from './search-elements.js';
import type { KnownTerm } from './word-lookup.js';

/*
 * Ranked matches of one kind. Few of them are ranked in full. Of many, what can be best is looked up by the indexes that have it in order: things of
 * exactly that name, names that begin with the search, popular things; and the rest is filled up with whatever matches.
 */

/** So many matches at most are read and ranked in full. */
const FEW = 2000;
/** A scan by id never looks at more rows. */
const SCANNED_ROWS = 30_000;
/** Of the words that an unfinished one may become, so many of the most frequent are enough to find something to fill up with. */
const FILLING_WORDS = 6;

const LAST_LETTER = '\u{10ffff}';

/** A row that may be shown. */
export interface MatchRow {
  readonly id: number;
}

/** A row with what a ranking outside of the database needs. */
export interface DetailedRow extends MatchRow {
  readonly popularity: number;
  readonly words: readonly string[];
}

/** Matches with their number, exact for few of them. */
export interface Matches<R extends MatchRow = MatchRow> {
  readonly rows: readonly R[];
  readonly total: number;
}

/** Columns of the rows of a ranking: their words make most of what is sent, and are wanted rarely. */
export interface RowColumns<R extends MatchRow> {
  readonly columns: RawBuilder<R>;
}

/** The id alone. */
export const idOnly: RowColumns<MatchRow> = { columns: sql<MatchRow>`t.id` };
/** Everything that a {@link DetailedRow} has. */
export const detailed: RowColumns<DetailedRow> = { columns: sql<DetailedRow>`t.id, t.popularity, t.words` };

/** Query against the table of one kind. */
export interface MatchQuery {
  readonly things: RawBuilder<unknown>;
  /** Number of things of the kind. */
  readonly thingCount: number;
  /** The whole search as a plain name. */
  readonly plain: string;
  readonly terms: readonly KnownTerm[];
  /** True when all terms have to be in the thing's own names. */
  readonly namesOnly: boolean;
  /** Elements of which one has to be there for the viewer to find the thing; undefined when all catalogs are visible. */
  readonly places: readonly string[] | undefined;
  /** Share of things in those catalogs. */
  readonly visibleShare: number;
  readonly viewerId: number | null;
}

/** Places of a viewer, see {@link MatchQuery}. */
export const placesOf = (catalogs: SearchRequest['catalogs']): readonly string[] | undefined =>
  catalogs === 'all' ? undefined : [inCatalog(), ...catalogs.map((id) => inCatalog(id))];

const elementsOf = ({ terms, namesOnly }: MatchQuery): string[][] =>
  terms.map(({ words }) => words.filter(({ nameDf }) => !namesOnly || nameDf > 0).map(({ word }) => (namesOnly ? inName(word) : word)));

const WORDS = sql`t.words`;
/** The same column in a way that no index serves. */
const UNINDEXED_WORDS = sql`(t.words || '{}'::text[])`;

const visible = ({ places, viewerId }: MatchQuery, column: RawBuilder<unknown>): RawBuilder<unknown>[] => [
  ...(places === undefined ? [] : [sql`${column} && ${places}::text[]`]),
  viewerId === null ? sql`not t.private` : sql`(not t.private or t.words @> ${[foundByAccount(viewerId)]}::text[])`,
];

const all = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<SqlBool> => sql<SqlBool>`${sql.join(conditions, sql` and `)}`;

const conditionOf = (looking: MatchQuery, column: RawBuilder<unknown>, wordsOfTerm?: number): RawBuilder<SqlBool> => {
  const groups = elementsOf(looking).map((group) => group.slice(0, wordsOfTerm));
  const single = groups.filter((group) => group.length === 1).flat();
  const needed = single.length > 0 ? [sql`${column} @> ${single}::text[]`] : [];
  const choices = groups.filter((group) => group.length !== 1).map((group) => sql`${column} && ${group}::text[]`);
  return all([...needed, ...choices, ...visible(looking, column)]);
};

const columns = sql`t.id, t.key, t.plain, t.popularity, t.words`;

/** Rank of a row's match; the best is 0. Finished words count for more than beginnings, the own name for more than related names. */
const qualityOf = ({ plain, terms, namesOnly }: MatchQuery): RawBuilder<number> => {
  const key = withoutArticle(plain);
  const typed = terms.map((term) => term.typed);
  const exact = sql`t.words @> ${namesOnly ? typed.map(inName) : typed}::text[]`;
  if (!namesOnly) return sql<number>`case when ${exact} then 3 else 4 end`;
  return sql<number>`case when t.plain = ${plain} or t.key = ${key} then 0 when ${exact} then 1 else 2 end`;
};

/** Of what matches equally well the popular comes first, then what begins with the search. */
const afterQuality = ({ plain }: MatchQuery): RawBuilder<unknown> =>
  sql`t.popularity desc, starts_with(t.key, ${withoutArticle(plain)}) desc, t.id`;

const order = (looking: MatchQuery): RawBuilder<unknown> => sql`${qualityOf(looking)}, ${afterQuality(looking)}`;

const fullRanking = <R extends MatchRow>(
  looking: MatchQuery,
  limit: number,
  shown: RowColumns<R>,
): RawBuilder<R & { total: number }> => sql`
  select ${shown.columns}, (count(*) over ())::integer as total
  from (select ${columns} from ${looking.things} t where ${conditionOf(looking, WORDS)} offset 0) t order by ${order(looking)} limit ${limit}`;

/** How matches are found that are in no particular order. */
interface Filling {
  readonly way: 'by id' | 'by words';
  /** So many words of each term; absent: all. */
  readonly words?: number;
}

/** Any matches, in no particular order but always the same. */
const filling = (looking: MatchQuery, { way, words }: Filling, limit: RawBuilder<unknown>): RawBuilder<unknown> => {
  const { things } = looking;
  if (way === 'by words') return sql`select ${columns} from ${things} t where ${conditionOf(looking, WORDS, words)} limit ${limit}`;
  const first = sql`select ${columns}, t.private from ${things} t order by t.id limit ${SCANNED_ROWS}`;
  return sql`select ${columns} from (${first}) t where ${conditionOf(looking, UNINDEXED_WORDS, words)} limit ${limit}`;
};

/** Names that are, or begin with, the search as a whole: their words need no further test. */
const beginnings = (looking: MatchQuery, limit: number): RawBuilder<unknown> => {
  const { things, plain } = looking;
  const key = withoutArticle(plain);
  const mayBeSeen = all(visible(looking, UNINDEXED_WORDS));
  const begins = sql`t.key >= ${key} and t.key <= ${key + LAST_LETTER}`;
  const ranked = sql`order by t.popularity desc, t.id limit ${limit}`;
  return sql`select * from (select ${columns} from ${things} t where t.key = ${key} and ${mayBeSeen} ${ranked}) equal
    union all select * from (select ${columns} from ${things} t where t.hot and ${begins} and ${mayBeSeen} ${ranked}) hot_beginning
    union all select * from (select ${columns} from (
      select ${columns}, t.private from ${things} t where ${begins} order by t.key, t.popularity desc, t.id limit ${limit}) t where ${mayBeSeen}) beginning`;
};

/** The same search for the words as they were typed; undefined where one of them is no word of this kind, so that it can only be a beginning. */
const asTyped = (looking: MatchQuery): MatchQuery | undefined => {
  const terms = looking.terms.flatMap((term): KnownTerm[] => {
    const [best] = term.words;
    return best?.word === term.typed && (!looking.namesOnly || best.nameDf > 0) ? [{ ...term, ...best, words: [best] }] : [];
  });
  return terms.length === looking.terms.length ? { ...looking, terms } : undefined;
};

/** Ranks the matches that are likely to be best, and as many others as are missing. */
const partialRanking = <R extends MatchRow>(
  looking: MatchQuery,
  limit: number,
  { shown, ...fill }: Filling & { shown: RowColumns<R> },
): RawBuilder<R> => {
  const hot = sql`select ${columns} from ${looking.things} t where t.hot and ${conditionOf(looking, WORDS)} order by t.popularity desc, t.id limit ${limit}`;
  const typed = asTyped(looking);
  const exact = typed && filling(typed, { way: cheapestWay(typed, limit) }, sql`${limit}`);
  return sql`with best as materialized (
      select * from (${hot}) hot
      ${looking.namesOnly ? sql`union all ${beginnings(looking, limit)}` : sql``}
      ${exact ? sql`union all select * from (${exact}) exact` : sql``}
    ), found as (
      select * from best
      union all select * from (${filling(looking, fill, sql`(select greatest(0, ${limit}::integer - count(distinct id)) from best)`)}) filling
    ) select ${shown.columns} from (select distinct on (id) * from found) t order by ${order(looking)} limit ${limit}`;
};

/** The cheapest way first: whatever brings enough will do. */
const ranked = async <R extends MatchRow>(
  tx: Kysely<unknown>,
  looking: MatchQuery,
  limit: number,
  { atMost, shown }: { atMost: number; shown: RowColumns<R> },
): Promise<readonly R[]> => {
  const someWords: Filling = { way: cheapestWay(looking, limit, FILLING_WORDS), words: FILLING_WORDS };
  const allWords: Filling = { way: 'by words' };
  // Where all matches together are too few, those of some words are.
  const fills = atMost < limit ? [allWords] : [someWords, allWords];
  let rows: readonly R[] = [];
  for (const fill of fills) {
    ({ rows } = await partialRanking(looking, limit, { ...fill, shown }).execute(tx));
    if (rows.length >= limit) break;
  }
  return rows;
};

/** Estimated number of matches: at most that of the rarest term, and on average fewer. Of all words that a term may mean, or only of the first ones. */
const estimates = ({ terms, namesOnly, thingCount, visibleShare }: MatchQuery, words?: number): { atMost: number; likely: number } => {
  const countOf = ({ df, nameDf }: Pick<KnownTerm, 'df' | 'nameDf'>): number => (namesOnly ? nameDf : df);
  const ofWords = (term: KnownTerm): number =>
    term.words
      .map(countOf)
      .filter((count) => count > 0)
      .slice(0, words)
      .reduce((sum, count) => sum + count, 0);
  const each = terms.map((term) => (words === undefined ? countOf(term) : Math.min(ofWords(term), countOf(term))));
  const atMost = Math.min(...each);
  const count = Math.max(1, thingCount);
  return { atMost, likely: count * visibleShare * each.reduce((product, one) => product * Math.min(1, one / count), 1) };
};

/** A scan by id looks at each row, the inverted index at each match before the first of them is there: that of a match takes half as long. */
const cheapestWay = (looking: MatchQuery, limit: number, words?: number): Filling['way'] => {
  const { atMost, likely } = estimates(looking, words);
  const scannedRows = (limit * looking.thingCount) / Math.max(1, likely);
  return scannedRows <= Math.min(SCANNED_ROWS, atMost / 2) ? 'by id' : 'by words';
};

/** The best matches, at most `limit` of them. */
export const bestMatches = async <R extends MatchRow>(
  tx: Kysely<unknown>,
  looking: MatchQuery,
  limit: number,
  shown: RowColumns<R>,
): Promise<Matches<R>> => {
  const { atMost, likely } = estimates(looking);
  if (atMost === 0) return { rows: [], total: 0 };
  if (atMost <= FEW && looking.terms.every(({ isWhole }) => isWhole)) {
    const { rows } = await fullRanking(looking, limit, shown).execute(tx);
    return { rows, total: rows[0]?.total ?? 0 };
  }
  const rows = await ranked(tx, looking, limit, { atMost, shown });
  return { rows, total: rows.length < limit ? rows.length : Math.max(rows.length, Math.round(likely)) };
};

/** A match, and whether it is in the thing's own names. */
export interface RareMatch extends MatchRow {
  readonly named: boolean;
}

/** Matches of rare words in one statement: those in own names as {@link bestMatches} ranks them, then the others. Undefined when there may be more than `limit`. */
export const rareMatches = async (
  tx: Kysely<unknown>,
  anywhere: MatchQuery & { readonly namesOnly: false },
  limit: number,
): Promise<readonly RareMatch[] | undefined> => {
  const { atMost } = estimates(anywhere);
  if (atMost === 0) return [];
  if (atMost > Math.min(limit, FEW) || !anywhere.terms.every(({ isWhole }) => isWhole)) return undefined;
  const names: MatchQuery = { ...anywhere, namesOnly: true };
  const { rows } = await sql<RareMatch>`select t.id, t.named
    from (select ${columns}, ${conditionOf(names, WORDS)} as named from ${anywhere.things} t where ${conditionOf(anywhere, WORDS)} offset 0) t
    order by case when t.named then ${qualityOf(names)} else ${qualityOf(anywhere)} end, ${afterQuality(anywhere)}`.execute(tx);
  return rows;
};
