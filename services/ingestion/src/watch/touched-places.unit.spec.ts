import { describe, expect, it } from 'vitest';
import { TouchedPlaces } from './touched-places.js';

describe('what is touched', () => {
  it('is told once, folders without those inside them, and files only where no folder covers them', () => {
    const places = new TouchedPlaces();
    for (const path of ['b/c', 'b', 'b', 'bb', 'b/c/d']) places.tree(path);
    places.file('b/c', 'x.mp3');
    places.file('a', 'y.mp3');
    places.file('a', 'y.mp3');
    places.file('', 'z.mp3');
    expect(places.take()).toEqual({
      trees: ['b', 'bb'],
      files: new Map([
        ['a', new Set(['y.mp3'])],
        ['', new Set(['z.mp3'])],
      ]),
    });
    expect(places.isEmpty).toBe(true);
    expect(places.take()).toEqual({ trees: [], files: new Map() });
  });
  it('is the whole catalog when it is the root, or too much', () => {
    const root = new TouchedPlaces();
    root.file('a', 'x');
    root.tree('');
    expect(root.take()).toBe('all');
    const many = new TouchedPlaces();
    for (let at = 0; at <= 500; at += 1) many.file('a', `${at}`);
    expect(many.isEmpty).toBe(false);
    expect(many.take()).toBe('all');
  });
});
