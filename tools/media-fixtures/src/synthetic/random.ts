/** A reproducible source of numbers: the same seed gives the same row on every machine. */
export interface Random {
  /** Evenly spread in [0, 1). */
  next(): number;
  /** Whole number in [0, below). */
  below(below: number): number;
  /** True with the given probability. */
  chance(probability: number): boolean;
  /** One of the values, evenly. The list must not be empty. */
  pick<T>(values: readonly T[]): T;
}

/** Scrambles a number and a label into 32 bits (FNV-1a over the text). */
const hash = (seed: number, label: string): number => {
  let h = 0x811c9dc5 ^ seed;
  for (const char of label) h = Math.imul(h ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return h >>> 0;
};

/** Random numbers for one labelled thing (mulberry32), so that a thing looks the same whatever was made before it. */
export const randomFor = (seed: number, label: string): Random => {
  let state = hash(seed, label);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const pick = <T>(values: readonly T[]): T => {
    const value = values[below(values.length)];
    if (value === undefined) throw new Error('cannot pick from an empty list');
    return value;
  };
  return { next, below, chance: (probability) => next() < probability, pick };
};

/** Picks ranks 0..size-1 so that rank n turns up in proportion to 1 / (n + 1)^exponent: few stars, a long tail. */
export const zipf = (size: number, exponent: number): ((random: Random) => number) => {
  const cumulative = new Float64Array(size);
  let total = 0;
  for (let rank = 0; rank < size; rank += 1) {
    total += (rank + 1) ** -exponent;
    cumulative[rank] = total;
  }
  return (random) => {
    const wanted = random.next() * total;
    let low = 0;
    let high = size - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((cumulative[middle] ?? 0) > wanted) high = middle;
      else low = middle + 1;
    }
    return low;
  };
};
