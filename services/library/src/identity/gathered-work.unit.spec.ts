import { expect, it } from 'vitest';
import { GatheredWork } from './gathered-work.js';

it('takes what is asked for while it works together', async () => {
  const batches: string[][] = [];
  const work = new GatheredWork<string>(async (items) => {
    batches.push([...items]);
    await Promise.resolve();
  });
  await Promise.all([work.add(['a']), work.add(['b', 'c']), work.add(['d'])]);
  await work.add(['e']);
  expect(batches).toEqual([['a'], ['b', 'c', 'd'], ['e']]);
});

it('fails nobody for the items of another', async () => {
  const work = new GatheredWork<string>(async (items) => {
    await Promise.resolve();
    if (items.includes('bad')) throw new Error('bad');
  });
  const results = await Promise.allSettled([work.add(['a']), work.add(['bad']), work.add(['c'])]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});
