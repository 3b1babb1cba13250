import { describe, expect, it } from 'vitest';
import { given } from './given.js';

describe('what is given', () => {
  it('has no property for what is undefined, and keeps everything else in its order', () => {
    const { a, b } = { a: undefined, b: 'text' } as { a?: string; b?: string };
    expect(Object.entries(given({ z: null, a, y: false, b, x: 0, w: '' }))).toEqual([
      ['z', null],
      ['y', false],
      ['b', 'text'],
      ['x', 0],
      ['w', ''],
    ]);
  });
});
