import { sql, type RawBuilder, type Transaction } from 'kysely';
import { forgivenMistakes, typingDistance, type SearchTerm } from '../../search-words.js';

/** A word of the index that a term may mean. */
export interface KnownWord {
  readonly word: string;
  /** In how many things, and in how many of their names, it occurs. */
  readonly df: number;
  readonly nameDf: number;
  /** How far it is from what was typed: 0 for the word itself and for what an unfinished word may become. */
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
  readonly word: string;
  readonly df: number;
  readonly name_df: number;
}

const columns = sql`w.word, w.df, w.name_df`;

type FoundRow = WordRow & { readonly n: number; readonly all_df: number; readonly all_name_df: number };

/** What the terms are or may become. */
export const knownTerms = async (
  tx: Transaction<unknown>,
  words: RawBuilder<unknown>,
  terms: readonly SearchTerm[],
): Promise<KnownTerm[]> => {
  const ends = terms.map(({ word, isUnfinished }) => (isUnfinished ? word + LAST_LETTER : word));
  const { rows } = await sql<FoundRow>`
    select t.n::integer as n, e.* from unnest(${terms.map(({ word }) => word)}::text[], ${ends}::text[]) with ordinality t(word, ending, n), lateral (
      select ${columns}, sum(w.df) over () as all_df, sum(w.name_df) over () as all_name_df
      from ${words} w where w.word >= t.word and w.word <= t.ending and w.df > 0
      order by (w.word = t.word) desc, w.df desc, w.word limit ${MAX_WORDS}) e`.execute(tx);
  return terms.map(({ word: typed }, index) => {
    const own = rows.filter(({ n }) => n === index + 1);
    const meant = own.map((row) => ({ word: row.word, df: row.df, nameDf: row.name_df, cost: 0 }));
    return { typed, words: meant, isWhole: own.length < MAX_WORDS, df: own[0]?.all_df ?? 0, nameDf: own[0]?.all_name_df ?? 0 };
  });
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

/** What a finished word costs that goes on in the index: somebody who types in a hurry leaves ends out. */
const GOES_ON_COST = 0.75;

const costOf = ({ word: typed, isUnfinished }: SearchTerm, word: string): number => {
  const limit = isForgiven(typed) ? forgivenMistakes(typed) : 0;
  const distance = typingDistance(typed, word, limit, isUnfinished);
  if (distance === 0 && isUnfinished && word !== typed) return 0.25;
  if (distance > 0 && !isUnfinished && typed.length > 2 && word.startsWith(typed)) return GOES_ON_COST;
  return distance > limit ? Number.POSITIVE_INFINITY : distance;
};

/** Statement that collects words near any of the terms; how near is decided outside of the database. */
const nearWords = (words: RawBuilder<unknown>, terms: readonly SearchTerm[], hasTrigrams: boolean): RawBuilder<WordRow> => {
  const typed = terms.map(({ word }) => word);
  const forgiven = terms.filter(({ word }) => isForgiven(word));
  const spellings = [...new Set([...typed, ...forgiven.flatMap(({ word }) => nearSpellings(word))])];
  const beginnings = [
    ...typed.filter((word) => word.length > 2),
    ...forgiven.filter(({ isUnfinished }) => isUnfinished || !hasTrigrams).map(({ word }) => word.slice(0, 2)),
  ];
  return sql<WordRow>`select ${columns} from ${words} w where w.word = any(${spellings}::text[]) and w.df > 0
    ${byBeginning(words, [...new Set(beginnings)])}
    ${
      hasTrigrams && forgiven.length > 0
        ? bySimilarity(
            words,
            forgiven.map(({ word }) => word),
          )
        : sql``
    }`;
};

/** Words that the terms may have been meant to be: the nearest and most frequent of each. */
export const forgivenTerms = async (
  tx: Transaction<unknown>,
  words: RawBuilder<unknown>,
  { terms, hasTrigrams }: { terms: readonly SearchTerm[]; hasTrigrams: boolean },
): Promise<KnownTerm[]> => {
  if (hasTrigrams) await sql`select set_config('pg_trgm.similarity_threshold', '0.25', true)`.execute(tx);
  const { rows } = await nearWords(words, terms, hasTrigrams).execute(tx);
  return terms.map((term) => {
    const near = rows
      .map(({ word, df, name_df }): KnownWord => ({ word, df, nameDf: name_df, cost: costOf(term, word) }))
      .filter(({ cost }) => cost < Number.POSITIVE_INFINITY)
      .toSorted((a, b) => a.cost - b.cost || b.df - a.df || (a.word < b.word ? -1 : 1))
      .slice(0, MAX_FORGIVEN_WORDS);
    const sumOf = (count: (word: KnownWord) => number): number => near.reduce((sum, word) => sum + count(word), 0);
    return { typed: term.word, words: near, isWhole: true, df: sumOf(({ df }) => df), nameDf: sumOf(({ nameDf }) => nameDf) };
  });
};
