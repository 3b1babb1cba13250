import { describe, expect, it } from 'vitest';
import { albumFilterOf } from './filter.js';

describe('albumFilterOf', () => {
  it('reads order, name, genre and years', () =>
    expect(albumFilterOf({ order: 'artist', name: 12, genre: '7', from: '1990', to: 1999 })).toEqual({
      order: 'artist',
      name: '12',
      genre: '7',
      from: 1990,
      to: 1999,
    }));

  it('leaves out what it does not understand', () =>
    expect(albumFilterOf({ order: 'shoe size', name: '', from: 'then', to: '', other: 1 })).toEqual({}));
});
