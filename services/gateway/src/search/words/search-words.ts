import { ARTICLES, foldName } from '@continuo/contracts';

/** One thing that a name has to hold: the beginning of a word, or a group of whole words as they stand. */
export interface SearchTerm {
  readonly text: string;
  readonly exact: boolean;
}

/** A search as its terms; none of them means everything. */
export interface SearchWords {
  readonly terms: readonly SearchTerm[];
  /** All terms with blanks between: names that are or start with this come first. */
  readonly whole: string;
}

const articles = new Set(ARTICLES.map((article) => article.toLowerCase()));

const MAX_TERMS = 12;
const MAX_TERM_CHARS = 100;
/** Characters of a search that are read: as many as its terms can have. */
export const MAX_SEARCH_CHARS = MAX_TERMS * MAX_TERM_CHARS;

// A quoted group, or a run without blanks and quotes.
const TOKEN = /"([^"]*)"?|([^\s"]+)/g;
const EDGE_PUNCTUATION = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;

const wordTerm = (word: string): SearchTerm => {
  const exact = /[^+]\+[^+]/.test(word);
  const text = foldName(exact ? word.replaceAll('+', ' ') : word);
  const trimmed = text.replace(EDGE_PUNCTUATION, '');
  // A name may be nothing but punctuation; then that is what is looked for.
  return { text: trimmed === '' ? text.replace(/[*%]+$/, '') : trimmed, exact };
};

const withoutArticle = (terms: readonly SearchTerm[]): readonly SearchTerm[] => {
  const [first, ...rest] = terms;
  if (!first || !first.exact) return first && rest.length > 0 && articles.has(first.text) ? rest : terms;
  const [article, ...words] = first.text.split(' ');
  return words.length > 0 && articles.has(article ?? '') ? [{ text: words.join(' '), exact: true }, ...rest] : terms;
};

const MUSICBRAINZ_ID = /^[\s"]*([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})[\s"]*$/i;

/** A search in which nothing is left by folding. */
const readDots = (query: string): SearchWords => {
  const whole = query.trim().toLowerCase();
  return { terms: whole === '' ? [] : [{ text: whole, exact: false }], whole };
};

/** The MusicBrainz id that a search consists of, in lower case; undefined when it is something else. */
export const readMusicBrainzId = (query: string): string | undefined => MUSICBRAINZ_ID.exec(query)?.[1]?.toLowerCase();

/**
 * Reads a search: words match the beginnings of words, "quoted" and plus+joined groups match as they stand, and a trailing star or percent sign says
 * what is true anyway. Empty, or two quotes with nothing between, means everything.
 */
export const readSearch = (query: string): SearchWords => {
  const terms = [...query.slice(0, MAX_SEARCH_CHARS).matchAll(TOKEN)]
    .map(([, quoted, word]) =>
      quoted === undefined ? wordTerm(word ?? '') : { text: foldName(quoted).replace(/[*%]+$/, ''), exact: true },
    )
    .filter((term) => term.text !== '')
    .slice(0, MAX_TERMS)
    .map((term) => ({ ...term, text: term.text.slice(0, MAX_TERM_CHARS) }));
  // Folding leaves nothing of middle dots, of which a name may consist.
  if (terms.length === 0 && foldName(query) === '') return readDots(query);
  const kept = withoutArticle(terms);
  return { terms: kept, whole: kept.map((term) => term.text).join(' ') };
};
