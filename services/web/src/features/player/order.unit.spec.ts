import { describe, expect, it } from 'vitest';
import { newSeed, shuffled } from './order.js';

const orderOf = (length: number, seed: number): number[] => Array.from({ length }, (_, index) => shuffled(index, length, seed));

describe('shuffled order', () => {
  it.each([1, 2, 3, 4, 5, 16, 17, 63, 64, 65, 255, 1000, 4096, 4097, 70_000])('has each of %d positions once', (length) => {
    for (const seed of [0, 1, 7, 2 ** 31, 2 ** 32 - 1, newSeed()])
      expect(orderOf(length, seed).toSorted((a, b) => a - b)).toEqual(Array.from({ length }, (_, at) => at));
  });

  it('is the same for the same seed, and another for another', () => {
    expect(orderOf(100, 5)).toEqual(orderOf(100, 5));
    expect(orderOf(100, 5)).not.toEqual(orderOf(100, 6));
  });

  it('leaves few songs next to their neighbours', () => {
    const order = orderOf(1000, 42);
    expect(order.filter((at, index) => order[index + 1] === at + 1).length).toBeLessThan(20);
  });

  it('finds a position among a million without going through them', () => {
    expect(shuffled(999_999, 1_000_000, 3)).toBeLessThan(1_000_000);
  });
});
