/** Mean and spread of a series. */
export interface Moments {
  readonly mean: number;
  readonly deviation: number;
}

/** Mean and standard deviation; both 0 of nothing. */
export const momentsOf = (values: ArrayLike<number>): Moments => {
  const { length } = values;
  if (length === 0) return { mean: 0, deviation: 0 };
  let sum = 0;
  for (let at = 0; at < length; at += 1) sum += values[at] ?? 0;
  const mean = sum / length;
  let squares = 0;
  for (let at = 0; at < length; at += 1) squares += ((values[at] ?? 0) - mean) ** 2;
  return { mean, deviation: Math.sqrt(squares / length) };
};

/** The value below which a share of all lie. */
export const quantileOf = (values: ArrayLike<number>, share: number): number =>
  Float64Array.from(values).toSorted()[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

/** Differences of neighbours. */
export const stepsOf = (values: ArrayLike<number>): Float64Array =>
  Float64Array.from({ length: Math.max(0, values.length - 1) }, (_, at) => (values[at + 1] ?? 0) - (values[at] ?? 0));
