import { expect, it } from 'vitest';
import { joinedStarts } from './joined-starts.js';

const starts = (...names: readonly string[]) => names.map((name, at) => ({ name, position: at * 10 }));

it('joins what begins with no letter', () => {
  expect(joinedStarts(starts('', '(', '1', '2', 'A', 'Ж', '…'), false)).toEqual([
    { name: '#', index: 0 },
    { name: 'A', index: 40 },
    { name: 'Ж', index: 50 },
    { name: '#', index: 60 },
  ]);
});

it('leaves years apart', () => {
  expect(joinedStarts(starts('2024', '1999', '0'), true)).toEqual([
    { name: '2024', index: 0 },
    { name: '1999', index: 10 },
    { name: '#', index: 20 },
  ]);
});
