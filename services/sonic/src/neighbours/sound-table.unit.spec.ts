import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { packSound } from '../sound/packed-vector.js';
import { similarityAt, similarityOfForeign, usualDistance } from './similarity.js';
import { SoundTable } from './sound-table.js';

const DIMENSIONS = 16;
// Tens of thousands of vectors are compared by hand, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

/** Numbers that look like chance and are the same in each run. */
const chance = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

/** Vectors around some middles, as music of some kinds is. */
const clustered = (count: number, seed = 1): Float32Array[] => {
  const next = chance(seed);
  const middles = Array.from({ length: 40 }, () => Float32Array.from({ length: DIMENSIONS }, () => next() * 4 - 2));
  return Array.from({ length: count }, (_, n) =>
    (middles[n % 40] ?? new Float32Array(DIMENSIONS)).map((value) => value + (next() - 0.5) * 2),
  );
};

const filled = (vectors: readonly Float32Array[], catalogOf: (songId: number) => number = () => 1): SoundTable => {
  const table = new SoundTable(DIMENSIONS);
  for (const [n, vector] of vectors.entries()) table.set(n + 1, catalogOf(n + 1), packSound(vector));
  return table;
};

/** The nearest by looking at every one, as the table keeps them. */
const byHand = (table: SoundTable, vector: Float32Array, count: number, isWanted: (songId: number) => boolean = () => true): number[] =>
  [...table.songIds()]
    .filter(isWanted)
    .map((songId) => ({ songId, distance: table.distanceOf(songId, vector) ?? 0 }))
    .toSorted((a, b) => a.distance - b.distance || a.songId - b.songId)
    .slice(0, count)
    .map(({ songId }) => songId);
const idsOf = (found: readonly { readonly songId: number }[]): number[] => found.map(({ songId }) => songId);

describe('packed vectors', () => {
  it('differ by half a step at most', () => {
    for (const vector of clustered(50)) {
      const { scale, bytes } = packSound(vector);
      for (const [n, value] of vector.entries()) expect(Math.abs((bytes[n] ?? 0) * scale - value)).toBeLessThanOrEqual(scale * 0.5001);
    }
    expect(packSound([0, 0])).toEqual({ scale: 0, bytes: new Int8Array(2) });
  });
});

describe('a small table', () => {
  const vectors = clustered(2000);
  const table = filled(vectors, (songId) => songId % 3);

  it('finds exactly the nearest songs', () => {
    for (const vector of clustered(20, 9))
      expect(idsOf(table.nearest(vector, { count: 15, catalogs: 'all' }))).toEqual(byHand(table, vector, 15));
  });

  it('filters by catalogs and excluded songs', () => {
    const [vector = new Float32Array(DIMENSIONS)] = vectors;
    const found = table.nearest(vector, { count: 10, catalogs: [2], without: new Set([5]) });
    expect(idsOf(found)).toEqual(byHand(table, vector, 10, (songId) => songId % 3 === 2 && songId !== 5));
    expect(table.nearest(vector, { count: 10, catalogs: [] })).toEqual([]);
    expect(table.nearest(vector, { count: 0, catalogs: 'all' })).toEqual([]);
    expect(table.nearest(vector, { count: 5000, catalogs: 'all' })).toHaveLength(2000);
  });

  it('forgets, moves and overwrites', () => {
    const own = filled(vectors.slice(0, 10));
    const [first = new Float32Array(DIMENSIONS), second = new Float32Array(DIMENSIONS)] = vectors;
    own.delete(1);
    own.delete(1);
    expect([own.size, own.has(1), own.vectorOf(1)]).toEqual([9, false, undefined]);
    own.set(500, 1, packSound(first));
    expect(idsOf(own.nearest(first, { count: 1, catalogs: 'all' }))).toEqual([500]);
    own.set(500, 1, packSound(second));
    expect(idsOf(own.nearest(second, { count: 2, catalogs: 'all' }))).toEqual([2, 500]);
    own.move(500, 7);
    expect(idsOf(own.nearest(second, { count: 5, catalogs: [7] }))).toEqual([500]);
    expect(own.size).toBe(10);
  });
});

describe('a large table', () => {
  it('finds nearly all of the nearest from the cells around, also of a few songs among many', async () => {
    const vectors = clustered(60_000);
    const table = filled(vectors, (songId) => (songId % 500 === 0 ? 2 : 1));
    expect(table.isDue).toBe(true);
    await table.arrange(nextTurn);
    expect(table.isDue).toBe(false);
    let hits = 0;
    for (const vector of clustered(20, 5)) {
      const found = new Set(idsOf(table.nearest(vector, { count: 20, catalogs: 'all' })));
      hits += byHand(table, vector, 20).filter((songId) => found.has(songId)).length;
    }
    expect(hits / 400).toBeGreaterThan(0.95);
    const [vector = new Float32Array(DIMENSIONS)] = vectors;
    const rare = table.nearest(vector, { count: 20, catalogs: [2] });
    expect(idsOf(rare)).toEqual(byHand(table, vector, 20, (songId) => songId % 500 === 0));
  });

  it('finds changes made since the cells were built', async () => {
    const vectors = clustered(31_000);
    const table = filled(vectors);
    await table.arrange(nextTurn);
    const far = new Float32Array(DIMENSIONS).fill(50);
    table.set(40_000, 1, packSound(far));
    table.set(7, 1, packSound(far));
    expect(idsOf(table.nearest(far, { count: 2, catalogs: 'all' }))).toEqual([7, 40_000]);
    table.delete(7);
    table.set(8, 1, packSound(far));
    table.set(8, 1, packSound(far));
    expect(idsOf(table.nearest(far, { count: 2, catalogs: 'all' }))).toEqual([8, 40_000]);
    expect(table.size).toBe(31_000);
  });
});

describe('similarity', () => {
  it('falls from 1 with the distance, and never below 0', () => {
    expect([0, 1, 2].map((distance) => similarityAt(distance, 1))).toEqual([1, 0.2, 0.0588]);
    expect(similarityAt(1e9, 1)).toBe(0);
    expect([0, 1, 3, -1].map(similarityOfForeign)).toEqual([1, 0.5, 0.25, -1]);
  });

  it('is scaled by the usual distance of the library', () => {
    const table = filled(clustered(1000));
    const usual = usualDistance(table, [...table.songIds()]);
    expect(usual).toBeGreaterThan(3);
    expect(usual).toBeLessThan(10);
    expect(usualDistance(new SoundTable(DIMENSIONS), [])).toBe(1);
    expect(usualDistance(filled(clustered(1)), [1])).toBe(1);
  });
});
