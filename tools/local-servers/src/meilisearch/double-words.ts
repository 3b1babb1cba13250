/** Words of a text, without case and accents. */
export const doubleTokens = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** Match of an indexed word with a word of a search. */
export interface WordMatch {
  readonly typos: number;
  readonly isExact: boolean;
}

/** Forgiven mistakes per word, and whether the last may be unfinished. */
export interface Forgiveness {
  readonly oneTypo: number;
  readonly twoTypos: number;
  readonly isOffForNumbers: boolean;
  readonly hasPrefix: boolean;
}

/** All words of a vocabulary that a searched word stands for. */
export const matchingWords = (
  searched: string,
  isLast: boolean,
  vocabulary: Iterable<string>,
  rules: Forgiveness,
): Map<string, WordMatch> => {
  const isUnfinished = isLast && rules.hasPrefix;
  const allowed =
    /\d/u.test(searched) && rules.isOffForNumbers ? 0 : searched.length >= rules.twoTypos ? 2 : searched.length >= rules.oneTypo ? 1 : 0;
  const found = new Map<string, WordMatch>();
  for (const word of vocabulary) {
    if (word === searched) found.set(word, { typos: 0, isExact: true });
    else if (isUnfinished && word.startsWith(searched)) found.set(word, { typos: 0, isExact: false });
    else if (allowed > 0) {
      const typos = isUnfinished ? mistakesInBeginning(searched, word, allowed) : mistakes(searched, word, allowed);
      if (typos <= allowed) found.set(word, { typos, isExact: false });
    }
  }
  return found;
};

/** Against each beginning that may be meant. */
const mistakesInBeginning = (searched: string, word: string, limit: number): number => {
  const lengths = Array.from({ length: 2 * limit + 1 }, (_, n) => searched.length - limit + n);
  return Math.min(...lengths.map((length) => mistakes(searched, word.slice(0, Math.max(0, length)), limit)));
};

/** Letters to change, add, leave out or exchange; a mistake in the first letter counts twice. More than `limit` is not told apart. */
const mistakes = (a: string, b: string, limit: number): number => {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let best = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, (before[j - 2] ?? 0) + 1);
      next.push(best);
    }
    before = row;
    row = next;
  }
  const distance = row[b.length] ?? limit + 1;
  return distance > 0 && a[0] !== b[0] ? distance + 1 : distance;
};
