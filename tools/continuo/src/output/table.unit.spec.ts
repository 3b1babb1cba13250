import { describe, expect, it } from 'vitest';
import { formatCount, formatDuration, formatTable } from './table.js';

describe('formatTable', () => {
  it('aligns text to the left and numbers to the right', () => {
    const table = formatTable(
      ['Name', 'Songs'],
      [
        ['Jazz', 7],
        ['Classical', 12_345],
      ],
    );
    expect(table.split('\n')).toEqual(['Name        Songs', 'Jazz            7', 'Classical  12 345']);
  });

  it('counts wide characters twice and shows absent values as a dash', () => {
    expect(
      formatTable(
        ['A', 'B'],
        [
          ['音楽', null],
          ['x', 1],
        ],
      ).split('\n'),
    ).toEqual(['A     B', '音楽  -', 'x     1']);
  });

  it('keeps control characters away from the terminal', () => {
    expect(formatTable(['A'], [['a\u001b[31mred\nline']])).toBe('A\na�[31mred�line');
  });

  it('shows the headings alone without rows', () => expect(formatTable(['A', 'B'], [])).toBe('A  B'));
});

describe('numbers', () => {
  it('groups thousands', () => expect([0, 999, 1000, 1_234_567].map(formatCount)).toEqual(['0', '999', '1 000', '1 234 567']));
  it('writes durations with two units at most', () =>
    expect([0, 850, 12_400, 187_000, 7_500_000].map(formatDuration)).toEqual(['0 ms', '850 ms', '12.4 s', '3 min 07 s', '2 h 05 min']));
});
