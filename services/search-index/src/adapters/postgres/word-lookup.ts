import { sql, type Kysely, type RawBuilder } from 'kysely';
import { forgivenMistakes, typingDistance, type SearchTerm } from '../../search-words.js';

/** A word of the index that a term may mean. */
export interface KnownWord {
  readonly word: string;
  /** In how many things, and in how many of their names, it occurs. */
  readonly df: number;
  readonly nameDf: number;
  /** Distance from the typed word: 0 for the word itself and for completions of an unfinished word. */
  readonly cost: number;
}

/** A term with what it may mean. */
export interface KnownTerm {
  readonly typed: string;
  /** The typed word first where it is known, then the frequent ones. */
  readonly words: readonly KnownWord[];
  /** False when only the most frequent of very many words are there. */
  readonly isWhole: boolean;
  /** Sums over all words that it may mean, those that are lacking included. */
  readonly df: number;
  readonly nameDf: number;
}

/** So many words at most stand for one term: each of them costs time in the inverted index. */
const MAX_WORDS = 40;
const MAX_FORGIVEN_WORDS = 24;

/** Behind every word that begins in some way. */
const LAST_LETTER = '\u{10ffff}';

interface WordRow {
  /** Tells the rows of one table from those of the others. */
  readonly place: number;
  readonly word: string;
  readonly df: number;
  readonly name_df: number;
}

const columns = sql`w.word, w.df, w.name_df`;

/** The words that one term is or may become in one table, the best first. */
interface FoundRow {
  readonly place: number;
  readonly n: number;
  readonly words: readonly string[];
  readonly dfs: readonly number[];
  readonly name_dfs: readonly number[];
  readonly all_df: number;
  readonly all_name_df: number;
}

/** The statement for one table; `place` tells its rows from those of the others. A row per term, because a row per word costs more than the look. */
const wordsOfTerms = (words: RawBuilder<unknown>, place: number, typed: readonly string[], ends: readonly string[]): RawBuilder<FoundRow> =>
  sql<FoundRow>`
    select ${sql.lit(place)}::integer as place, t.n::integer as n, e.* from unnest(${typed}::text[], ${ends}::text[]) with ordinality t(word, ending, n), lateral (
      select json_agg(f.word) as words, json_agg(f.df) as dfs, json_agg(f.name_df) as name_dfs, max(f.all_df) as all_df, max(f.all_name_df) as all_name_df from (
        select ${columns}, sum(w.df) over () as all_df, sum(w.name_df) over () as all_name_df
        from ${words} w where w.word >= t.word and w.word <= t.ending and w.df > 0
        order by (w.word = t.word) desc, w.df desc, w.word limit ${sql.lit(MAX_WORDS)}) f) e where e.words is not null`;

/** Looks up the words that the terms are or may become, in each of some tables. */
export const knownTerms = async (
  tx: Kysely<unknown>,
  tables: readonly RawBuilder<unknown>[],
  terms: readonly SearchTerm[],
): Promise<KnownTerm[][]> => {
  const typed = terms.map(({ word }) => word);
  const ends = terms.map(({ word, isUnfinished }) => (isUnfinished ? word + LAST_LETTER : word));
  const looks = tables.map((words, place) => wordsOfTerms(words, place, typed, ends));
  const { rows } = await sql<FoundRow>`${sql.join(looks, sql` union all `)}`.execute(tx);
  return tables.map((_, place) =>
    typed.map((word, index) => {
      const own = rows.find((row) => row.place === place && row.n === index + 1);
      const meant = (own?.words ?? []).map((found, at) => ({
        word: found,
        df: own?.dfs[at] ?? 0,
        nameDf: own?.name_dfs[at] ?? 0,
        cost: 0,
      }));
      return { typed: word, words: meant, isWhole: meant.length < MAX_WORDS, df: own?.all_df ?? 0, nameDf: own?.all_name_df ?? 0 };
    }),
  );
};

/** Two neighbours exchanged, or one letter too many: near words that share too few trigrams to be found by them. */
const nearSpellings = (word: string): string[] => {
  const spellings = new Set<string>([word]);
  for (let at = 0; at < word.length; at += 1) {
    spellings.add(word.slice(0, at) + word.slice(at + 1));
    spellings.add(word.slice(0, at) + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2));
  }
  return [...spellings];
};

const isForgiven = (word: string): boolean => forgivenMistakes(word) > 0 && !/\d/.test(word);

const bySimilarity = (words: RawBuilder<unknown>, terms: readonly string[]): RawBuilder<unknown> =>
  sql`union select e.* from unnest(${terms}::text[]) t(word), lateral (
    select ${columns} from ${words} w where w.word % t.word and w.df > 0 order by similarity(w.word, t.word) desc, w.df desc, w.word limit 60) e`;

/** Words that begin alike; a fallback for misspelt words, and what an unfinished misspelt word may become. */
const byBeginning = (words: RawBuilder<unknown>, beginnings: readonly string[]): RawBuilder<unknown> =>
  sql`union select e.* from unnest(${beginnings}::text[]) t(word), lateral (
    select ${columns} from ${words} w where w.word >= t.word and w.word <= t.word || ${LAST_LETTER}::text and w.df > 0 order by w.df desc, w.word limit 1500) e`;

/** Cost of a finished word that continues in the index: somebody who types in a hurry leaves ends out. */
const GOES_ON_COST = 0.75;

const costOf = ({ word: typed, isUnfinished }: SearchTerm, word: string): number => {
  const limit = isForgiven(typed) ? forgivenMistakes(typed) : 0;
  const distance = typingDistance(typed, word, limit, isUnfinished);
  if (distance === 0 && isUnfinished && word !== typed) return 0.25;
  if (distance > 0 && !isUnfinished && typed.length > 2 && word.startsWith(typed)) return GOES_ON_COST;
  return distance > limit ? Number.POSITIVE_INFINITY : distance;
};

/** Statement that collects words near any of the terms in each of some tables; how near is decided outside of the database. */
const nearWords = (tables: readonly RawBuilder<unknown>[], terms: readonly SearchTerm[], hasTrigrams: boolean): RawBuilder<WordRow> => {
  const typed = terms.map(({ word }) => word);
  const forgiven = terms.filter(({ word }) => isForgiven(word));
  const spellings = [...new Set([...typed, ...forgiven.flatMap(({ word }) => nearSpellings(word))])];
  const beginnings = [
    ...typed.filter((word) => word.length > 2),
    ...forgiven.filter(({ isUnfinished }) => isUnfinished || !hasTrigrams).map(({ word }) => word.slice(0, 2)),
  ];
  const looks = tables.map((words, place) => {
    const similar = hasTrigrams && forgiven.length > 0;
    const near = sql`select ${columns} from ${words} w where w.word = any(${spellings}::text[]) and w.df > 0
      ${byBeginning(words, [...new Set(beginnings)])}
      ${
        similar
          ? bySimilarity(
              words,
              forgiven.map(({ word }) => word),
            )
          : sql``
      }`;
    return sql`select ${sql.lit(place)}::integer as place, near.* from (${near}) near`;
  });
  return sql<WordRow>`${sql.join(looks, sql` union all `)}`;
};

/** Words that the terms may have been meant to be, in each of some tables: the nearest and most frequent of each. */
export const forgivenTerms = async (
  tx: Kysely<unknown>,
  tables: readonly RawBuilder<unknown>[],
  { terms, hasTrigrams }: { terms: readonly SearchTerm[]; hasTrigrams: boolean },
): Promise<KnownTerm[][]> => {
  const { rows } = await nearWords(tables, terms, hasTrigrams).execute(tx);
  return tables.map((_, place) => {
    const own = rows.filter((row) => row.place === place);
    return terms.map((term) => forgivenTerm(term, own));
  });
};

const forgivenTerm = (term: SearchTerm, rows: readonly WordRow[]): KnownTerm => {
  const near = rows
    .map(({ word, df, name_df }): KnownWord => ({ word, df, nameDf: name_df, cost: costOf(term, word) }))
    .filter(({ cost }) => cost < Number.POSITIVE_INFINITY)
    .toSorted((a, b) => a.cost - b.cost || b.df - a.df || (a.word < b.word ? -1 : 1))
    .slice(0, MAX_FORGIVEN_WORDS);
  const sumOf = (count: (word: KnownWord) => number): number => near.reduce((sum, word) => sum + count(word), 0);
  return { typed: term.word, words: near, isWhole: true, df: sumOf(({ df }) => df), nameDf: sumOf(({ nameDf }) => nameDf) };
};
