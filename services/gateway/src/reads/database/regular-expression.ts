/** Counts of repetitions multiplied together: `(a{1,20}){5}` has 100. The database unfolds them, before it looks at anything, in memory of its own. */
const MAX_REPETITIONS = 1000;

const COUNT = /\{(\d*)(?:,(\d*))?\}/g;

/** Options before an expression, by which blanks and comments may stand between an atom and its count, or within one. */
const EXPANDED = /^(?:\*{3}[:=])?\(\?[a-z]*x/;

/**
 * Why an expression may not be run, or undefined. Counts are multiplied wherever they stand: reading which of them lie in each other would need the database’s own parser.
 */
export const expressionFault = (pattern: string): string | undefined => {
  if (EXPANDED.test(pattern)) return 'expressions with blanks and comments are not taken';
  let repetitions = 1;
  for (const [, least = '', most = ''] of pattern.matchAll(COUNT)) repetitions *= Math.max(1, Number(least), Number(most));
  return repetitions > MAX_REPETITIONS ? `its counts of repetitions come to more than ${MAX_REPETITIONS} together` : undefined;
};
