/** The form under which two spellings count as the same name: case and blanks do not matter, accents do. */
export const identityKey = (name: string): string => name.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();

/** A number in [0, 1) that is fixed for an id and evenly spread over ids: a 32-bit integer hash. */
export const randomKey = (id: number): number => {
  let h = (id ^ 0x9e3779b9) >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b) >>> 0;
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35) >>> 0;
  return ((h ^ (h >>> 16)) >>> 0) / 2 ** 32;
};
