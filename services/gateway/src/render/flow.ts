import { ConcurrencyLimiter } from '../server/concurrency-limiter.js';

/** Objects that are read in batches while they are written, for lists that are too long to be held. */
export class Flow<T> {
  /**
   * @param length how many there are at most: what goes meanwhile is left out
   * @param isLong true when the answer has more objects than are held at once
   */
  constructor(
    private readonly batches: AsyncIterable<Iterable<T>>,
    readonly length: number,
    readonly isLong: boolean = length > HELD_AT_MOST,
  ) {}

  /** The same objects as others, each made when it is taken. */
  map<U>(of: (item: T) => U): Flow<U> {
    return new Flow(this.written(of), this.length, this.isLong);
  }

  /** Maps each object, in the same batches. */
  async *written<U>(of: (item: T) => U): AsyncGenerator<Iterable<U>> {
    for await (const batch of this.batches) yield each(batch, of);
  }
}

/** Objects that are at hand, or come while they are written. */
export type Listed<T> = Iterable<T> | Flow<T>;

/** Answers of up to this many objects are held whole, so that a failure still has an envelope; larger ones flow. */
export const HELD_AT_MOST = 1000;

/** Objects read per batch. */
const BATCH = 250;

/**
 * Objects read per batch when each is unfolded only when it is used: fewer round trips, on which a long answer waits on a busy machine. Twice as
 * many outlive the nursery of the heap (8 MB), and are then collected with all that is old.
 */
export const FOLDED_BATCH = 500;

/** So many batches of long answers are read at the same time, so that database connections are left for what others ask meanwhile. */
const readings = new ConcurrencyLimiter(2);

// One object after the other, so that each is garbage before the next is made.
function* each<T, U>(items: Iterable<T>, of: (item: T) => U): Generator<U> {
  for (const item of items) yield of(item);
}

/** Reads a batch of objects: `start` is the index of the first id among all of them. */
export interface ReadBatch<T> {
  (ids: Int32Array, start: number): Promise<Iterable<T>>;
  /** Objects per batch, when not the default. */
  readonly atATime?: number;
}

const readBatchFrom = <T>(ids: Int32Array, read: ReadBatch<T>, start: number): Promise<Iterable<T>> => {
  const readNow = (): Promise<Iterable<T>> => read(ids.subarray(start, start + (read.atATime ?? BATCH)), start);
  const batch = ids.length > HELD_AT_MOST ? readings.run(readNow) : readNow();
  // A batch that nobody takes any more, because the client has gone, may fail unseen; whoever awaits it still sees the failure.
  batch.catch(() => undefined);
  return batch;
};

/**
 * Objects by their ids, read batch after batch: the next one while its reader is at work on the last.
 * @param first the first batch, where its reading has begun
 */
export async function* inBatches<T>(ids: Int32Array, read: ReadBatch<T>, first?: Promise<Iterable<T>>): AsyncGenerator<Iterable<T>> {
  const { atATime = BATCH } = read;
  const readFrom = (start: number): Promise<Iterable<T>> => readBatchFrom(ids, read, start);
  let next = first ?? readFrom(0);
  for (let start = 0; start < ids.length; start += atATime) {
    const batch = await next;
    if (start + atATime < ids.length) next = readFrom(start + atATime);
    yield batch;
  }
}

/**
 * Objects that are read by their ids while they are written; see {@link Flow}. The reading of few of them begins at once, so that the lists of one answer do not wait for
 * each other.
 */
export const flowOf = <T>(ids: ArrayLike<number>, read: ReadBatch<T>, isLong?: boolean): Flow<T> => {
  const all = ids instanceof Int32Array ? ids : Int32Array.from(ids);
  const first = all.length > 0 && all.length <= HELD_AT_MOST ? readBatchFrom(all, read, 0) : undefined;
  return new Flow(inBatches(all, read, first), all.length, isLong);
};

/** Hands out what common batches bring, group after group. */
class GroupedBatches<T extends { readonly id: number }> {
  private pending: readonly T[] = [];

  constructor(
    private readonly batches: AsyncGenerator<Iterable<T>>,
    private readonly groupOf: ReadonlyMap<number, number>,
  ) {}

  async *ofGroup(group: number): AsyncGenerator<Iterable<T>> {
    for (;;) {
      const end = this.pending.findIndex(({ id }) => this.groupOf.get(id) !== group);
      yield end < 0 ? this.pending : this.pending.slice(0, end);
      this.pending = end < 0 ? [] : this.pending.slice(end);
      if (this.pending.length > 0) return;
      const { done, value } = await this.batches.next();
      if (done === true) return;
      this.pending = [...value];
    }
  }
}

/** A flow for each group of ids, read in common batches: many small groups would cost statements each. They have to be taken in their order. */
export const groupedFlows = <T extends { readonly id: number }>(
  groups: readonly (readonly number[])[],
  read: ReadBatch<T>,
  isLong?: boolean,
): Flow<T>[] => {
  const ids = Int32Array.from(groups.flat());
  const groupOf = new Map(groups.flatMap((members, group) => members.map((id): [number, number] => [id, group])));
  const batches = new GroupedBatches(inBatches(ids, read), groupOf);
  return groups.map((members, group) => new Flow(batches.ofGroup(group), members.length, isLong));
};

/** Objects that are at hand, as those that are read while they are written. */
export const heldFlow = <T>(items: readonly T[]): Flow<T> => new Flow(atOnce(items), items.length);

async function* atOnce<T>(items: readonly T[]): AsyncGenerator<readonly T[]> {
  yield items;
}
