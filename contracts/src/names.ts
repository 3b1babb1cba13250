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

/** A name cut into its leading article and the rest. */
export const splitName = (name: string): { prefix: string | null; basename: string } => {
  const article = LEADING_ARTICLE.exec(name);
  if (!article?.[1]) return { prefix: null, basename: name };
  return { prefix: article[1], basename: name.slice(article[0].length) };
};

/** The form by which names are compared for sorting and searching: lower case, plain letters, single blanks. */
export const foldName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(COMBINING_MARKS, '')
    .toLowerCase()
    .replace(SPECIAL_LETTERS, (letter) => plainLetters[letter] ?? letter)
    .replace(/\s+/gu, ' ')
    .trim();

/** Sort key of a name: folded, without a leading article. A name of which nothing is left keeps its own lower-case text. */
export const sortKey = (name: string): string => foldName(splitName(name).basename) || name.toLowerCase();
