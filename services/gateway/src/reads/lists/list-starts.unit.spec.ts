import { expect, it } from 'vitest';
import { findStarts } from './list-starts.js';

/** A list with so many entries of each name, which counts the entries that are looked at. */
const listOf = (counts: readonly (readonly [name: string, count: number])[]) => {
  const names = counts.flatMap(([name, count]) => Array.from({ length: count }, () => name));
  const looked = { entries: 0, times: 0 };
  const read = async (positions: readonly number[]): Promise<readonly string[]> => {
    looked.entries += positions.length;
    looked.times += 1;
    return positions.map((position) => names[position] ?? '?');
  };
  const starts = counts.map(([name], at) => ({ name, position: counts.slice(0, at).reduce((sum, [, count]) => sum + count, 0) }));
  return { total: names.length, read, looked, starts };
};

it.each([
  ['no entry', []],
  ['one entry', [['A', 1]]],
  ['entries of one name', [['A', 9000]]],
  [
    'a name of one entry at each end',
    [
      ['A', 1],
      ['B', 100_000],
      ['C', 1],
    ],
  ],
  [
    'short lists',
    [
      ['1', 2],
      ['A', 1],
      ['B', 3],
    ],
  ],
] as const)('finds where names begin among %s', async (_, counts) => {
  const { total, read, starts } = listOf(counts);
  expect(await findStarts(total, read)).toEqual(starts);
});

it('looks at few of a million entries', async () => {
  const counts = Array.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ', (name, at) => [name, at % 4 === 0 ? 300 : 36_000] as const);
  const { total, read, looked, starts } = listOf(counts);
  expect(await findStarts(total, read)).toEqual(starts);
  expect(looked.entries).toBeLessThan(15_000);
  expect(looked.times).toBeLessThanOrEqual(4);
});

it('finds some of more letters than a page can show', async () => {
  const counts = Array.from({ length: 3000 }, (_, at) => [String.fromCodePoint(0x4e00 + at), 100] as const);
  const { total, read, looked, starts } = listOf(counts);
  const found = await findStarts(total, read);
  expect(found.length).toBeGreaterThan(100);
  for (const start of found) expect(starts).toContainEqual(start);
  expect(looked.entries).toBeLessThan(20_000);
});
