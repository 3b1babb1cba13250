import { describe, expect, it } from 'vitest';
import { markedIn, withMarks } from './marked.js';

const song = { id: '1', flag: false, rating: null, title: 'One' };
const other = { id: '2', flag: true, rating: 3, title: 'Two' };

describe('withMarks', () => {
  it('changes an object and keeps the rest of it', () =>
    expect(withMarks(song, new Map([['1', { flag: true }]]))).toEqual({ ...song, flag: true }));

  it('changes the objects of a part of a list', () =>
    expect(withMarks({ items: [song, other], total: 2 }, new Map([['2', { rating: 5 }]]))).toEqual({
      items: [song, { ...other, rating: 5 }],
      total: 2,
    }));

  it('returns the same data when nothing of it is marked', () => {
    const data = { items: [song], total: 1 };
    expect(withMarks(data, new Map([['9', { flag: true }]]))).toBe(data);
  });

  it('leaves data without objects alone', () =>
    expect([withMarks(undefined, new Map()), withMarks(7, new Map()), withMarks({ total: 1 }, new Map())]).toEqual([
      undefined,
      7,
      { total: 1 },
    ]));
});

describe('markedIn', () => {
  it('finds an object, and those of a list', () => {
    expect(markedIn(song)).toEqual([song]);
    expect(markedIn({ items: [song, other, 4], total: 3 })).toEqual([song, other]);
  });
});
