/** Leading articles that sort orders ignore and that objects show as `prefix`. */
export const ARTICLES: readonly string[] = ['The', 'An', 'A', 'Die', 'Das', 'Ein', 'Eine', 'Les', 'Le', 'La'];

const LEADING_ARTICLE = new RegExp(`^(${ARTICLES.join('|')})\\s+(?=\\S)`, 'i');
const COMBINING_MARKS = /\p{M}+/gu;
/** Letters that are spelt with plain ones by whoever lacks the key, and that Unicode does not take apart. */
export const plainLetters: Readonly<Record<string, string>> = {
  ø: 'o',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
};
const SPECIAL_LETTERS = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g');

/** The Korean letter that is typed as a middle dot, which would be taken apart into a vowel. */
const KOREAN_DOT = /\u318d/g;
/** Middle dots, bullets and their relatives in other scripts, in NFKD. */
const MIDDLE_DOTS = /[\u00b7\u2022\u2027\u2219\u22c5\u2e31\u2e33\u30fb\ua78f]/g;

/** A text in NFKD, in which one sign stands for all middle dots. */
export const decomposed = (text: string): string => text.replace(KOREAN_DOT, '\u00b7').normalize('NFKD').replace(MIDDLE_DOTS, '\u00b7');

/** A name cut into its leading article and the rest. */
export const splitName = (name: string): { prefix: string | null; basename: string } => {
  const article = LEADING_ARTICLE.exec(name);
  if (!article?.[1]) return { prefix: null, basename: name };
  return { prefix: article[1], basename: name.slice(article[0].length) };
};

/** The form by which names are compared for sorting and searching: lower case, plain letters, no middle dots, single blanks. */
export const foldName = (name: string): string =>
  decomposed(name)
    .replaceAll('\u00b7', '')
    .replace(COMBINING_MARKS, '')
    .toLowerCase()
    .replace(SPECIAL_LETTERS, (letter) => plainLetters[letter] ?? letter)
    .replace(/\s+/gu, ' ')
    .trim();

/** Sort key of a name: folded, without a leading article. A name of which nothing is left keeps its own lower-case text. */
export const sortKey = (name: string): string => foldName(splitName(name).basename) || name.toLowerCase();
