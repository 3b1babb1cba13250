import { ARTICLES, decomposed, plainLetters } from '@continuo/contracts';

/*
 * Splits names and searches into words: one pure module for every index, so that indexed and typed text meet in the same form.
 * Case, accents, tashkeel, width and kana variety do not matter; scripts without blanks are cut into single characters and pairs.
 */

const MAX_TEXT_CHARS = 1000;
const MAX_WORD_CHARS = 64;
const MAX_NAME_WORDS = 96;
const MAX_TERMS = 12;

const MARKS = /\p{M}+/gu;

/** Letters that Unicode does not take apart, as whoever lacks the key spells them, and letters that writers do not tell apart. */
const alike: Readonly<Record<string, string>> = {
  ...plainLetters,
  ς: 'σ',
  ґ: 'г',
  // Arabic: alef with wasla, alef maksura, ta marbuta, Persian kaf and ya; hamza above and below are marks. Tatweel is drawn, not written.
  ٱ: 'ا',
  ى: 'ي',
  ة: 'ه',
  ک: 'ك',
  ی: 'ي',
  ـ: '',
};
const ALIKE = new RegExp(`[${Object.keys(alike).join('')}]`, 'g');
const KATAKANA = /[\u30a1-\u30f6]/g;
const KANA_DISTANCE = 0x60;

/** Scripts that are written without blanks between words. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
/** Between words of spaced scripts a dot is punctuation, which is read as joining and as parting them. */
const UNSPACED_DOT = new RegExp(`(?<=[${UNSPACED}])·+(?=[${UNSPACED}])`, 'gv');

/** A text in the form in which texts are compared: lower case, plain letters, one script of kana, single blanks; punctuation is kept. */
export const foldText = (text: string): string =>
  decomposed(text.slice(0, MAX_TEXT_CHARS).toWellFormed())
    .replace(MARKS, '')
    .toLowerCase()
    .replace(ALIKE, (letter) => alike[letter] ?? letter)
    .replace(KATAKANA, (kana) => String.fromCharCode(kana.charCodeAt(0) - KANA_DISTANCE))
    .replace(UNSPACED_DOT, '')
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim();

const RUNS = new RegExp(`[${UNSPACED}]+|[[\\p{L}\\p{N}]--[${UNSPACED}]]+`, 'gv');
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'v');

/** Signs that stand for a letter inside or before a word: P!nk, Ke$ha, A$AP. */
const signs: Readonly<Record<string, string>> = { '!': 'i', $: 's', '@': 'a' };
const SIGN_AS_LETTER = /(?<=[\p{L}\p{N}])[!$@](?=\p{L})|(?<![\p{L}\p{N}])[$@](?=\p{L})/gu;

/** A run between blanks: its parts, and the ways to read it as one word. */
interface Chunk {
  /** Runs of letters and digits; those of unspaced scripts are whole. */
  readonly parts: readonly string[];
  /** The parts as one word, when there are several. */
  readonly joined: string | undefined;
  /** With signs read as letters, when there are such. */
  readonly spelt: string | undefined;
}

const isSpaced = (part: string): boolean => !IS_UNSPACED.test(part);

const chunkOf = (text: string): Chunk => {
  const parts = (text.match(RUNS) ?? []).map((part) => part.slice(0, MAX_WORD_CHARS));
  const joinable = parts.length > 1 && parts.every(isSpaced);
  const signed = text.replace(SIGN_AS_LETTER, (sign) => signs[sign] ?? sign);
  return {
    parts,
    joined: joinable ? parts.join('').slice(0, MAX_WORD_CHARS) : undefined,
    spelt: signed === text ? undefined : (signed.match(RUNS) ?? []).join('').slice(0, MAX_WORD_CHARS),
  };
};

const chunksOf = (folded: string): Chunk[] => folded.split(' ').map(chunkOf);

/** Single characters and pairs of a run of an unspaced script. */
const grams = (run: string): string[] => {
  const characters = Array.from(run);
  return [...characters, ...characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`)];
};

/** Runs of single letters that were written apart: J. S. Bach, R E M. */
const initials = (chunks: readonly Chunk[]): string[] => {
  const found: string[] = [];
  let run = '';
  for (const { parts } of [...chunks, { parts: [] }]) {
    const letters = parts.length > 0 && parts.every((part) => part.length === 1 && isSpaced(part));
    if (letters) run += parts.join('');
    else {
      if (run.length > 1) found.push(run);
      run = '';
    }
  }
  return found;
};

const ARABIC_ARTICLE = /^(?:و|ب|ف|ك)?ال(?=\p{Script=Arabic}{2})/u;

/**
 * The words under which a name is found, each once: `AC/DC` under ac, dc and acdc, `P!nk` under pink too, `J. S. Bach` under js. Words of unspaced
 * scripts are single characters and pairs of them.
 */
export const nameWords = (name: string): string[] => {
  const chunks = chunksOf(foldText(name));
  const words = new Set<string>();
  for (const { parts, joined, spelt } of chunks) {
    for (const part of parts) {
      if (!isSpaced(part)) for (const gram of grams(part)) words.add(gram);
      else {
        words.add(part);
        const bare = part.replace(ARABIC_ARTICLE, '');
        if (bare !== part) words.add(bare);
      }
    }
    if (joined !== undefined) words.add(joined);
    if (spelt !== undefined && spelt !== '') words.add(spelt);
  }
  for (const letters of initials(chunks)) words.add(letters.slice(0, MAX_WORD_CHARS));
  return [...words].slice(0, MAX_NAME_WORDS);
};

const articles = new Set(ARTICLES.map((article) => article.toLowerCase()));

/** The words of a name as they follow each other, with blanks between, nothing else: names that are equal in this form are written alike. */
export const plainName = (name: string): string =>
  chunksOf(foldText(name))
    .map(({ parts, joined, spelt }) => spelt ?? joined ?? parts.join(''))
    .filter((word) => word !== '')
    .join(' ');

/** A plain name without leading article, unless there is nothing else. */
export const withoutArticle = (plain: string): string => {
  const blank = plain.indexOf(' ');
  return blank > 0 && articles.has(plain.slice(0, blank)) ? plain.slice(blank + 1) : plain;
};

/** Something that has to be found. */
export interface SearchTerm {
  readonly word: string;
  /** True when the word may go on: the last one is being typed. */
  readonly isUnfinished: boolean;
}

/** A search as it was typed, cut into terms in one or more ways. */
export interface SearchReading {
  readonly terms: readonly SearchTerm[];
}

/** A search in the form in which indexes look for it. */
export interface ReadSearch {
  /** The whole search as a {@link plainName}. */
  readonly plain: string;
  /** Ways to understand it, the likeliest first; all of them are to be tried until one finds something. None means that there is nothing to look for. */
  readonly readings: readonly SearchReading[];
}

/** Words that join others and are written in many ways or not at all. */
const JOINING = new Set(['and', 'n', 'feat', 'ft', 'featuring']);

const termsOfPart = (part: string): string[] => {
  if (isSpaced(part)) return [part];
  const characters = Array.from(part);
  return characters.length < 2 ? characters : characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
};

/** Without joining words and a leading article, as long as something else is there. */
const essential = (words: readonly string[]): readonly string[] => {
  const lasting = words.filter((word) => !JOINING.has(word));
  const kept = lasting.length > 0 ? lasting : words;
  const [first, ...rest] = kept;
  return first !== undefined && rest.length > 0 && articles.has(first) ? rest : kept;
};

const readingOf = (words: readonly string[], isOpen: boolean): SearchReading => {
  const kept = essential(words.filter((word) => word !== '')).slice(0, MAX_TERMS);
  const unique = [...new Set(kept)];
  const last = kept.at(-1);
  return { terms: unique.map((word) => ({ word, isUnfinished: isOpen && word === last && isSpaced(word) })) };
};

/** Two words that follow each other may be one: radio head, ac dc. */
const neighboursJoined = (words: readonly string[]): string[][] =>
  words.length > 6
    ? []
    : words
        .slice(1)
        .flatMap((word, index) =>
          isSpaced(word) && isSpaced(words[index] ?? '')
            ? [[...words.slice(0, index), `${words[index] ?? ''}${word}`, ...words.slice(index + 2)]]
            : [],
        );

/** Understands a search. Quotes and stars are punctuation like any other. */
export const readSearchText = (text: string): ReadSearch => {
  const chunks = chunksOf(foldText(text)).slice(0, MAX_TERMS);
  const isOpen = !/\s$/u.test(text);
  const apart = chunks.flatMap(({ parts }) => parts.flatMap(termsOfPart));
  const together = chunks.flatMap(({ parts, joined, spelt }) => {
    const one = spelt ?? joined;
    return one === undefined ? parts.flatMap(termsOfPart) : [one];
  });
  const ways = [together, apart, ...neighboursJoined(apart)].filter((words) => words.some((word) => word !== ''));
  const seen = new Set<string>();
  const readings = ways
    .map((words) => readingOf(words, isOpen))
    .filter(({ terms }) => {
      const key = terms.map(({ word }) => word).join(' ');
      return terms.length > 0 && !seen.has(key) && seen.add(key);
    });
  return { plain: plainName(text), readings };
};

const substitutionCost = (a: string, b: string): number => (a === b ? 0 : 1);

/**
 * Number of letters to change, add, leave out or swap with their neighbour to get from the typed text to a word; `limit + 1` when more
 * than `limit`. With `isUnfinished` the word may go on after what was typed.
 */
export const typingDistance = (typed: string, word: string, limit: number, isUnfinished = false): number => {
  if (typed === word || (isUnfinished && word.startsWith(typed))) return 0;
  const excess = typed.length - word.length;
  if (excess > limit || (!isUnfinished && -excess > limit)) return limit + 1;
  const width = Math.min(word.length, typed.length + limit);
  let before: number[] = [];
  let row = Array.from({ length: width + 1 }, (_, column) => column);
  for (let line = 1; line <= typed.length; line += 1) {
    const next = [line];
    for (let column = 1; column <= width; column += 1) {
      const cost = substitutionCost(typed[line - 1] ?? '', word[column - 1] ?? '');
      let best = Math.min((row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1, (row[column - 1] ?? 0) + cost);
      const exchanged = line > 1 && column > 1 && typed[line - 1] === word[column - 2] && typed[line - 2] === word[column - 1];
      if (exchanged) best = Math.min(best, (before[column - 2] ?? 0) + 1);
      next.push(best);
    }
    if (Math.min(...next) > limit) return limit + 1;
    before = row;
    row = next;
  }
  const distance = isUnfinished ? Math.min(...row) : word.length > width ? limit + 1 : (row[width] ?? limit + 1);
  return Math.min(distance, limit + 1);
};

/** Number of mistakes forgiven in a word of this length. */
export const forgivenMistakes = (word: string): number => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2);
