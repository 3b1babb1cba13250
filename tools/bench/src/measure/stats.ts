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

/** Runs a step `warmUps` times unmeasured and `times` times measured, one after the other. */
export const timed = async (
  step: (round: number) => Promise<unknown>,
  { times, warmUps }: { times: number; warmUps: number },
): Promise<Summary> => {
  const taken: number[] = [];
  for (let round = -warmUps; round < times; round += 1) {
    const started = performance.now();
    await step(round);
    if (round >= 0) taken.push(performance.now() - started);
  }
  return summarise(taken);
};
