import { describe, expect, it } from 'vitest';
import type { Album } from '../../lib/api.js';
import { sectionsOf } from './sections.js';

const album = (id: string, type: string | null): Album => ({ id, type }) as Album;

describe('sectionsOf', () => {
  it('sorts the albums by the type of the release', () => {
    const own = [album('1', null), album('2', 'EP'), album('3', 'album;live'), album('4', 'single'), album('5', 'compilation')];
    expect(sectionsOf(own, own).map(({ name, albums }) => [name, albums.map(({ id }) => id)])).toEqual([
      ['albums', ['1']],
      ['singles', ['2', '4']],
      ['live', ['3']],
      ['compilations', ['5']],
    ]);
  });

  it('sets apart the albums of others on which the artist appears', () =>
    expect(sectionsOf([album('1', 'album')], [album('1', 'album'), album('9', 'compilation')])).toEqual([
      { name: 'albums', albums: [album('1', 'album')] },
      { name: 'appearsOn', albums: [album('9', 'compilation')] },
    ]));

  it('has no sections for an artist without albums', () => expect(sectionsOf([], [])).toEqual([]));
});
