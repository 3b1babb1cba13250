/** Times of one kind of call, in milliseconds. */
export interface Summary {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** The value below which the share of the sorted values lies (nearest rank). */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? Number.NaN;

/** Sums times up. */
export const summarise = (timesMs: readonly number[]): Summary => {
  const sorted = timesMs.toSorted((a, b) => a - b);
  return {
    count: sorted.length,
    p50: percentile(sorted, 0.5),
    p95: percentile(sorted, 0.95),
    p99: percentile(sorted, 0.99),
    max: sorted.at(-1) ?? Number.NaN,
  };
};

/** The middle of several runs of the same thing. */
export const median = (values: readonly number[]): number =>
  percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  );

/** Number of measured runs of a step, and of unmeasured runs before them. */
export interface Runs {
  readonly times: number;
  readonly warmUps: number;
}

/** Runs a step again and again, one after the other. Rounds count from 0; those of the warm-up are negative. */
export const timed = async (step: (round: number) => Promise<unknown>, runs: Runs): Promise<Summary> => {
  const [summary] = await timedInTurn([step], runs);
  if (!summary) throw new Error('nothing was measured');
  return summary;
};

/** Runs several steps in turn, so that whatever else the machine does meets all of them alike. */
export const timedInTurn = async (
  steps: readonly ((round: number) => Promise<unknown>)[],
  { times, warmUps }: Runs,
): Promise<Summary[]> => {
  const taken = steps.map((): number[] => []);
  for (let round = -warmUps; round < times; round += 1) {
    for (const [index, step] of steps.entries()) {
      const started = performance.now();
      await step(round);
      if (round >= 0) taken[index]?.push(performance.now() - started);
    }
  }
  return taken.map(summarise);
};
