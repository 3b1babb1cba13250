import { describe, expect, it } from 'vitest';
import { ChangedPathsBuffer } from './changed-paths.js';

describe('changed paths', () => {
  it('are reported once: folders without subfolders, and files only outside these folders', () => {
    const places = new ChangedPathsBuffer();
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
  it('are the whole catalog when the root changed, or too many paths', () => {
    const root = new ChangedPathsBuffer();
    root.file('a', 'x');
    root.tree('');
    expect(root.take()).toBe('all');
    const many = new ChangedPathsBuffer();
    for (let at = 0; at <= 500; at += 1) many.file('a', `${at}`);
    expect(many.isEmpty).toBe(false);
    expect(many.take()).toBe('all');
  });
});
