import { doubleFilter, type DoubleDocument } from './double-filter.js';
import type { SearchQueryBody, SettingsBody } from './double-requests.js';
import { doubleTokens, matchingWords, type Forgiveness, type WordMatch } from './double-words.js';

interface Posting {
  readonly attribute: number;
  readonly position: number;
  readonly word: string;
}

/** One index of the double: documents by key, and words of their searchable attributes. */
export class DoubleIndex {
  readonly documents = new Map<string, DoubleDocument>();
  readonly createdAt = new Date().toISOString();
  readonly #postings = new Map<string, readonly Posting[]>();
  #vocabulary: Set<string> | undefined;
  #settings: SettingsBody = {};

  constructor(public primaryKey: string | null) {}

  get settings(): SettingsBody {
    return this.#settings;
  }

  configure(changes: SettingsBody): void {
    this.#settings = { ...this.#settings, ...changes };
    for (const [key, document] of this.documents) this.#postings.set(key, this.#read(document));
    this.#vocabulary = undefined;
  }

  put(key: string, document: DoubleDocument): void {
    this.documents.set(key, document);
    this.#postings.set(key, this.#read(document));
    this.#vocabulary = undefined;
  }

  remove(key: string): boolean {
    this.#postings.delete(key);
    this.#vocabulary = undefined;
    return this.documents.delete(key);
  }

  /** Keys of all matches, the best first. @throws FilterFault */
  search({ q, filter, matchingStrategy = 'last' }: SearchQueryBody): string[] {
    const allowed = filter ? doubleFilter(filter, (attribute) => this.#isFilterable(attribute)) : () => true;
    const keys = [...this.documents].filter(([, document]) => allowed(document)).map(([key]) => key);
    const typed = doubleTokens(q ?? '').slice(0, 10);
    if (typed.length === 0) return keys;
    if (matchingStrategy !== 'all') throw new Error('the double knows no other strategy than "all"');
    const rules = this.#forgiveness(/[\p{L}\p{N}]$/u.test(q ?? ''));
    this.#vocabulary ??= new Set([...this.#postings.values()].flatMap((postings) => postings.map(({ word }) => word)));
    const words = typed.flatMap((word) => splitWord(word, this.#vocabulary ?? new Set()));
    const meant = words.map((word, place) => matchingWords(word, place === words.length - 1, this.#vocabulary ?? [], rules));
    const ranked = keys.flatMap((key) => {
      const scores = this.#scores(key, words, meant);
      return scores ? [{ key, scores }] : [];
    });
    return ranked.toSorted((a, b) => compare(a.scores, b.scores)).map(({ key }) => key);
  }

  #isFilterable(attribute: string): boolean {
    return (this.#settings.filterableAttributes ?? []).some((one) =>
      typeof one === 'string' ? one === attribute : one.attributePatterns.includes(attribute) && one.features?.filter.equality !== false,
    );
  }

  #forgiveness(isOpen: boolean): Forgiveness {
    const { typoTolerance, prefixSearch } = this.#settings;
    const off = typoTolerance?.enabled === false ? Number.POSITIVE_INFINITY : 0;
    return {
      oneTypo: Math.max(off, typoTolerance?.minWordSizeForTypos?.oneTypo ?? 5),
      twoTypos: Math.max(off, typoTolerance?.minWordSizeForTypos?.twoTypos ?? 9),
      isOffForNumbers: typoTolerance?.disableOnNumbers === true,
      hasPrefix: isOpen && prefixSearch !== 'disabled',
    };
  }

  #read(document: DoubleDocument): Posting[] {
    const attributes = this.#settings.searchableAttributes ?? ['*'];
    const names = attributes.includes('*') ? Object.keys(document) : attributes;
    return names.flatMap((name, attribute) => {
      const value = document[name];
      const texts = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');
      // Values of a list lie as far apart as words of different attributes.
      return texts.flatMap((text, n) => doubleTokens(text).map((word, position) => ({ attribute, position: position + n * 100, word })));
    });
  }

  /** Numbers to sort by, by ranking rule; undefined when a word is missing. */
  #scores(key: string, words: readonly string[], meant: readonly ReadonlyMap<string, WordMatch>[]): number[] | undefined {
    const postings = this.#postings.get(key) ?? [];
    const hits = meant.map((matches) => postings.filter(({ word }) => matches.has(word)));
    if (hits.some((found) => found.length === 0)) return undefined;
    const fewest = hits.map((found, place) => Math.min(...found.map(({ word }) => meant[place]?.get(word)?.typos ?? 0)));
    const best = hits.map((found, place) => found.filter(({ word }) => meant[place]?.get(word)?.typos === fewest[place]));
    const document = this.documents.get(key) ?? {};
    const rules: Record<string, () => number[]> = {
      words: () => [0],
      sort: () => [0],
      typo: () => [sum(fewest)],
      proximity: () => [sum(best.slice(1).map((found, place) => nearest(best[place] ?? [], found)))],
      attribute: () => [sum(best.map((found) => Math.min(...found.map((hit) => hit.attribute)))), sum(best.map(front))],
      attributeRank: () => [sum(best.map((found) => Math.min(...found.map((hit) => hit.attribute))))],
      wordPosition: () => [sum(best.map(front))],
      exactness: () =>
        exactness(
          postings,
          words,
          best.map((found, place) => found.some(({ word }) => meant[place]?.get(word)?.isExact)),
        ),
    };
    return (this.#settings.rankingRules ?? ['words', 'typo', 'proximity', 'attribute', 'sort', 'exactness']).flatMap((rule) => {
      const [name = '', direction] = rule.split(':');
      const value = document[name];
      if (direction === undefined) return rules[rule]?.() ?? [];
      return [typeof value === 'number' ? (direction === 'asc' ? value : -value) : Number.POSITIVE_INFINITY];
    });
  }
}

const LEAST_SPLIT = 3;

/** A word that does not occur is read as two that do. */
const splitWord = (word: string, vocabulary: ReadonlySet<string>): string[] => {
  if (vocabulary.has(word)) return [word];
  for (let at = LEAST_SPLIT; at <= word.length - LEAST_SPLIT; at += 1)
    if (vocabulary.has(word.slice(0, at)) && vocabulary.has(word.slice(at))) return [word.slice(0, at), word.slice(at)];
  return [word];
};

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

const FARTHEST = 8;

const nearest = (before: readonly Posting[], after: readonly Posting[]): number =>
  Math.min(
    FARTHEST,
    ...before.flatMap((a) =>
      after
        .filter((b) => b.attribute === a.attribute)
        .map((b) => (b.position > a.position ? b.position - a.position : a.position - b.position + 1)),
    ),
  );

/** Position in the attribute that counts most. */
const front = (found: readonly Posting[]): number => {
  const attribute = Math.min(...found.map((hit) => hit.attribute));
  return Math.min(...found.filter((hit) => hit.attribute === attribute).map(({ position }) => position));
};

/** An attribute that is the search, one that begins with it, or neither; then how many words are only nearly right. */
const exactness = (postings: readonly Posting[], words: readonly string[], exact: readonly boolean[]): number[] => {
  const texts = Map.groupBy(postings, ({ attribute, position }) => attribute * 1000 + Math.floor(position / 100));
  const phrases = [...texts.values()].map((text) => text.map(({ word }) => word).join(' '));
  const searched = words.join(' ');
  const whole = phrases.includes(searched) ? 0 : phrases.some((phrase) => phrase.startsWith(`${searched} `)) ? 1 : 2;
  return [whole, exact.filter((one) => !one).length];
};

const compare = (a: readonly number[], b: readonly number[]): number => {
  for (const [place, score] of a.entries()) if (score !== b[place]) return score - (b[place] ?? 0);
  return 0;
};
