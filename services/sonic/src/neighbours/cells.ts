/** Neighbouring cells of one level; two levels give as many squared. */
const BRANCHES = 32;
/** Rows that the middles are found from. */
const SAMPLE = 20_000;
const ROUNDS = 6;
/** Rows or distances that are worked on before others have their turn, which is some milliseconds. */
const WORK_AT_ONCE = 200_000;

/** Vectors to be sorted: `rows` of them, each of `dimensions` bytes that mean `scales[row] * byte`. */
export interface CellSource {
  readonly dimensions: number;
  readonly rows: number;
  readonly bytes: Int8Array;
  readonly scales: Float32Array;
}

/** A division of space: middles of cells, and the rows of each. */
export interface Cells {
  /** `count * dimensions` numbers. */
  readonly middles: Float32Array;
  readonly count: number;
  /** Cell of each row. */
  readonly cellOf: Uint16Array;
  /** Rows by cell; those of cell c stand from `starts[c]` to `starts[c + 1]`. */
  readonly order: Int32Array;
  readonly starts: Int32Array;
}

type Breathe = () => Promise<void>;

/** Lets others have their turn now and then. */
class Pace {
  #work = 0;
  constructor(private readonly breathe: Breathe) {}
  async after(work: number): Promise<void> {
    this.#work += work;
    if (this.#work < WORK_AT_ONCE) return;
    this.#work = 0;
    await this.breathe();
  }
}

/** The nearest of 32 middles, those from `from` on, to a row. */
const nearestMiddle = (source: CellSource, row: number, middles: Float32Array, from: number): number => {
  const { dimensions, bytes, scales } = source;
  const scale = scales[row] ?? 0;
  const at = row * dimensions;
  let [best, least] = [from, Number.POSITIVE_INFINITY];
  for (let cell = from; cell < from + BRANCHES; cell += 1) {
    const middle = cell * dimensions;
    let sum = 0;
    for (let n = 0; n < dimensions; n += 1) {
      const difference = (bytes[at + n] as number) * scale - (middles[middle + n] as number);
      sum += difference * difference;
    }
    if (sum < least) [best, least] = [cell, sum];
  }
  return best;
};

/** Writes the middles of so many groups of rows, found by Lloyd's algorithm. The first ones are rows spread evenly over the sample: no chance, so that specs repeat. */
const findMiddles = async (
  source: CellSource,
  sample: Int32Array,
  { middles, from, pace }: { readonly middles: Float32Array; readonly from: number; readonly pace: Pace },
): Promise<void> => {
  const { dimensions, bytes, scales } = source;
  if (sample.length === 0) return;
  for (let cell = 0; cell < BRANCHES; cell += 1) {
    const row = sample[Math.floor((cell * sample.length) / BRANCHES)] as number;
    for (let n = 0; n < dimensions; n += 1)
      middles[(from + cell) * dimensions + n] = (bytes[row * dimensions + n] as number) * (scales[row] as number);
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    const sums = new Float64Array(BRANCHES * dimensions);
    const sizes = new Int32Array(BRANCHES);
    for (const row of sample) {
      const cell = nearestMiddle(source, row, middles, from) - from;
      sizes[cell] = (sizes[cell] as number) + 1;
      for (let n = 0; n < dimensions; n += 1)
        sums[cell * dimensions + n] =
          (sums[cell * dimensions + n] as number) + (bytes[row * dimensions + n] as number) * (scales[row] as number);
      await pace.after(BRANCHES * dimensions);
    }
    for (let cell = 0; cell < BRANCHES; cell += 1) {
      if (sizes[cell] === 0) continue;
      for (let n = 0; n < dimensions; n += 1)
        middles[(from + cell) * dimensions + n] = (sums[cell * dimensions + n] as number) / (sizes[cell] as number);
    }
  }
};

const ordered = (cellOf: Uint16Array, count: number): Pick<Cells, 'order' | 'starts'> => {
  const starts = new Int32Array(count + 1);
  for (const cell of cellOf) starts[cell + 1] = (starts[cell + 1] as number) + 1;
  for (let cell = 0; cell < count; cell += 1) starts[cell + 1] = (starts[cell + 1] as number) + (starts[cell] as number);
  const next = starts.slice();
  const order = new Int32Array(cellOf.length);
  for (const [row, cell] of cellOf.entries()) {
    order[next[cell] as number] = row;
    next[cell] = (next[cell] as number) + 1;
  }
  return { order, starts };
};

/**
 * Sorts rows into cells of neighbours, so that a question need look into some of them only: 32 cells, each of 32 cells. Takes some seconds of computing for a million rows and
 * calls `breathe` every few milliseconds of them.
 */
export const sortIntoCells = async (source: CellSource, breathe: Breathe): Promise<Cells> => {
  const { dimensions, rows } = source;
  const pace = new Pace(breathe);
  const step = Math.max(1, Math.floor(rows / SAMPLE));
  const sample = Int32Array.from({ length: Math.floor(rows / step) }, (_, n) => n * step);
  const upper = new Float32Array(BRANCHES * dimensions);
  await findMiddles(source, sample, { middles: upper, from: 0, pace });
  const count = BRANCHES * BRANCHES;
  const middles = new Float32Array(count * dimensions);
  const upperOf = (row: number): number => nearestMiddle(source, row, upper, 0);
  const groups = Array.from({ length: BRANCHES }, (): number[] => []);
  for (const row of sample) groups[upperOf(row)]?.push(row);
  for (const [branch, group] of groups.entries())
    await findMiddles(source, Int32Array.from(group), { middles, from: branch * BRANCHES, pace });
  const cellOf = new Uint16Array(rows);
  for (let row = 0; row < rows; row += 1) {
    cellOf[row] = nearestMiddle(source, row, middles, upperOf(row) * BRANCHES);
    await pace.after(2 * BRANCHES * dimensions);
  }
  return { middles, count, cellOf, ...ordered(cellOf, count) };
};
