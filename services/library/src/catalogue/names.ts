/** Leading articles that sort orders ignore and that objects show as `prefix`. */
const ARTICLES = ['the', 'an', 'a', 'die', 'das', 'ein', 'eine', 'les', 'le', 'la'];
const ARTICLE = new RegExp(`^(${ARTICLES.join('|')})\\s+(?=\\S)`, 'i');
const COMBINING_MARKS = /\p{M}+/gu;

/** A name cut into its leading article and the rest. */
export const splitName = (name: string): { prefix: string | null; basename: string } => {
  const article = ARTICLE.exec(name);
  if (!article?.[1]) return { prefix: null, basename: name };
  return { prefix: article[1], basename: name.slice(article[0].length) };
};

/** The form by which names are compared for sorting and searching: lower case, no accents, single blanks. */
export const foldName = (name: string): string =>
  name.normalize('NFKD').replace(COMBINING_MARKS, '').toLowerCase().replace(/\s+/gu, ' ').trim();

/** Sort key of a name: folded, without a leading article. A name of which nothing is left keeps its own lower-case text. */
export const sortKey = (name: string): string => foldName(splitName(name).basename) || name.toLowerCase();

/** The form under which two spellings count as the same name: case and blanks do not matter, accents do. */
export const identityKey = (name: string): string => name.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();

/** A number in [0, 1) that is fixed for an id and evenly spread over ids: a 32-bit integer hash. */
export const randomKey = (id: number): number => {
  let h = (id ^ 0x9e3779b9) >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b) >>> 0;
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35) >>> 0;
  return ((h ^ (h >>> 16)) >>> 0) / 2 ** 32;
};
