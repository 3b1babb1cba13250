import { describe, expect, it } from 'vitest';
import { formatTable } from './table.js';

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
