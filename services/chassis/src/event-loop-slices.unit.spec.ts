import { setImmediate as round } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Slice } from './event-loop-slices.js';

/** Holds the event loop until a slice is over, however quick the machine is. */
const work = (): void => {
  const slice = new Slice();
  while (!slice.isOver);
};

it('lets others go on, and one of several long works at a time', async () => {
  const done: string[] = [];
  const rounds = (async () => {
    for (let n = 0; n < 4; n += 1) {
      await round();
      done.push('round');
    }
  })();
  const long = async (name: string): Promise<void> => {
    const slice = new Slice();
    for (const item of [1, 2, 3]) {
      if (slice.isOver) await slice.next();
      work();
      done.push(`${name}${item}`);
    }
  };
  await Promise.all([long('a'), long('b'), rounds]);
  expect(done.filter((step) => step !== 'round')).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3']);
  expect(done.join(' ')).not.toMatch(/a2 b2/);
});
