import { setImmediate as round } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { FOLDED_BATCH, groupedFlows, HELD_AT_MOST, inBatches, type ReadBatch } from './flow.js';

const numbers = (count: number): Int32Array => Int32Array.from({ length: count }, (_, index) => index);

const all = async (batches: AsyncIterable<Iterable<number>>): Promise<number[]> => {
  const taken: number[] = [];
  for await (const batch of batches) taken.push(...batch);
  return taken;
};

it('reads two batches of long answers at a time, whatever their number, and short answers beside them', async () => {
  let [reading, most] = [0, 0];
  const held = Promise.withResolvers<void>();
  const read: ReadBatch<number> = async (ids) => {
    reading += 1;
    most = Math.max(most, reading);
    await held.promise;
    reading -= 1;
    return ids;
  };
  const long = numbers(HELD_AT_MOST * 3);
  const answers = [1, 2, 3, 4].map(() => all(inBatches(long, read)));
  await round();
  expect(most).toBe(2);
  const short = numbers(HELD_AT_MOST).subarray(0, 3);
  expect(await all(inBatches(short, (ids) => Promise.resolve(ids)))).toEqual([0, 1, 2]);
  held.resolve();
  for (const answer of await Promise.all(answers)) expect(answer).toEqual([...long]);
  expect(most).toBe(2);
});

it('reads as many at a time as the reader can bear', async () => {
  const sizes: number[] = [];
  const read: ReadBatch<number> = Object.assign(
    (ids: Int32Array) => {
      sizes.push(ids.length);
      return Promise.resolve(ids);
    },
    { atATime: FOLDED_BATCH },
  );
  const ids = numbers(FOLDED_BATCH * 2 + 7);
  expect(await all(inBatches(ids, read))).toEqual([...ids]);
  expect(sizes).toEqual([FOLDED_BATCH, FOLDED_BATCH, 7]);
});

describe('groups that are read in common batches', () => {
  const things = (ids: Int32Array): Promise<{ id: number }[]> =>
    Promise.resolve([...ids].filter((id) => id % 7 !== 0).map((id) => ({ id })));
  it('get their own members, also when some have gone or a whole group has', async () => {
    const groups = [[3, 1, 2], [7], [], [10, 4, 5, 6, 8, 9], [11]];
    for (const atATime of [1, 2, 3, 100]) {
      const flows = groupedFlows(
        groups,
        Object.assign((ids: Int32Array) => things(ids), { atATime }),
      );
      const taken: number[][] = [];
      for (const flow of flows) taken.push(await all(flow.written(({ id }) => id)));
      expect(taken).toEqual([[3, 1, 2], [], [], [10, 4, 5, 6, 8, 9], [11]]);
      expect(flows.map(({ length }) => length)).toEqual([3, 1, 0, 6, 1]);
    }
  });
});
