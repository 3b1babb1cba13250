import { describe, expect, it } from 'vitest';
import { formatCount, formatDuration } from './numbers.js';

describe('numbers', () => {
  it('groups thousands', () => expect([0, 999, 1000, 1_234_567].map(formatCount)).toEqual(['0', '999', '1 000', '1 234 567']));
  it('writes durations with two units at most', () =>
    expect([0, 850, 12_400, 187_000, 7_500_000].map(formatDuration)).toEqual(['0 ms', '850 ms', '12.4 s', '3 min 07 s', '2 h 05 min']));
});
