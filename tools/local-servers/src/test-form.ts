import { config } from './config.js';

/** Steps of this length, of a circle of one, never come back to where they were before. */
const GOLDEN = 0.618_033_988_75;

/** True where tests run in their long form, as every night: whole matrices, more rounds. `npm test -- --long` asks for it. */
export const { isLongForm } = config;

/** Cases of a matrix: all in the long form, else so many, the first among them and the rest spread over the list without a period of their own. */
export const someOf = <const T>(cases: readonly T[], count: number): readonly T[] => {
  if (isLongForm) return cases;
  const chosen = new Set(
    cases
      .map((_, index) => ({ index, turn: (index * GOLDEN) % 1 }))
      .toSorted((one, other) => one.turn - other.turn)
      .slice(0, count)
      .map(({ index }) => index),
  );
  return cases.filter((_, index) => chosen.has(index));
};
