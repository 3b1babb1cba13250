import { expect, it } from 'vitest';
import { groupByLetter } from './letters.js';

it('groups by letter, A to Z, and everything else at the end', () => {
  const groups = groupByLetter(['zed', '!!!', 'abba', 'калло', 'air', '2pac'], (name) => name);
  expect(groups).toEqual([
    { letter: 'A', members: ['abba', 'air'] },
    { letter: 'Z', members: ['zed'] },
    { letter: '#', members: ['!!!', 'калло', '2pac'] },
  ]);
});
