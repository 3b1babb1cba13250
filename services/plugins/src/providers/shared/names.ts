/** A name without what spellings differ in: case, accents, punctuation, `&` for `and`, a leading article. */
export const folded = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^the /, '');

/** Whether two names mean the same. Names of signs alone (`!!!`) must be equal. */
export const isSameName = (one: string, other: string): boolean => {
  const left = folded(one);
  return left === '' ? one.trim().toLowerCase() === other.trim().toLowerCase() : left === folded(other);
};

/** The text, or nothing when there is none. */
export const textOf = (text: string | null | undefined): string | undefined => {
  const trimmed = text?.trim();
  return trimmed === undefined || trimmed === '' ? undefined : trimmed;
};

/** Days that answers are kept, in ms. */
export const days = (count: number): number => count * 86_400_000;
