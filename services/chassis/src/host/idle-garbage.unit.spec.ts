import { afterEach, expect, it } from 'vitest';
import { collectWhenIdle } from './idle-garbage.js';

const MB = 1024 * 1024;
let stop = (): void => undefined;

afterEach(() => stop());

/** Some 300 MB in small objects that live long enough to be moved to the old ones. */
const work = (): number => {
  const kept = Array.from({ length: 3_000_000 }, (_, index) => ({ name: `song ${index}`, plays: [index] }));
  return kept.reduce((sum, { plays }) => sum + plays.length, 0);
};

it('gives the memory of large work back when it is over', async () => {
  stop = collectWhenIdle(100);
  work();
  const afterwards = process.memoryUsage.rss();
  await expect.poll(() => afterwards - process.memoryUsage.rss()).toBeGreaterThan(100 * MB);
});
