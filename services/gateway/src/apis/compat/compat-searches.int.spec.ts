import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallParams } from '../../../test/servers/compat-server.js';
import { CompatWorld, names } from '../../../test/servers/compat-world.js';

let world: CompatWorld;

beforeAll(async () => {
  world = await CompatWorld.start();
});
afterAll(() => world.stop());

const sorted = (texts: readonly (string | undefined)[]): (string | undefined)[] => texts.toSorted((a = '', b = '') => a.localeCompare(b));

describe('searches', () => {
  const search = async (query: string, params: CallParams = {}) => {
    const { artist, album, song } = (await world.ask('search3', { query, ...params })).searchResult3;
    return { artist: names(artist), album: names(album), song: names(song) };
  };

  it('match beginnings of words without regard to case and accents, best first', async () => {
    expect(await search('harb')).toEqual({ artist: ['The Harbour Lights'], album: [], song: ['Harbour Song'] });
    expect((await search('zoe')).artist).toEqual(['Zoë Quill']);
    expect((await search('ÉTÉ')).artist).toEqual(['Anna Été']);
    expect((await search('один')).song).toEqual(['Ещё один день']);
    expect((await search('watch*')).song).toEqual(['Second Watch']);
    expect((await search('atch')).song).toEqual([]);
    expect((await search('ta')).song).toEqual(['untitled take']);
  });

  it('want all words, and any of them only when nothing holds all', async () => {
    expect((await search('second watch')).song).toEqual(['Second Watch']);
    expect((await search('watch second')).song).toEqual(['Second Watch']);
    expect(sorted((await search('second song')).song)).toEqual(['Harbour Song', 'Second Watch']);
  });

  it('take quoted and joined groups as they stand', async () => {
    expect((await search('"second watch"')).song).toEqual(['Second Watch']);
    expect((await search('"watch second"')).song).toEqual([]);
    expect((await search('second+watch')).song).toEqual(['Second Watch']);
    expect((await search('"The Harbour Lights"')).artist).toEqual(['The Harbour Lights']);
    expect((await search('"harb"')).artist).toEqual([]);
  });

  it('of the oldest kind want all that is asked for, and tell how many songs there are', async () => {
    const matches = async (params: CallParams) => {
      const { totalHits, offset, match } = (await world.ask('search', params)).searchResult;
      return { totalHits, offset, songs: names(match) };
    };
    expect(await matches({ title: 'watch' })).toEqual({ totalHits: 1, offset: 0, songs: ['Second Watch'] });
    expect(await matches({ title: 'watch', artist: 'nobody' })).toEqual({ totalHits: 0, offset: 0, songs: [] });
    const any = await matches({ any: 'o', count: 1, offset: 1 });
    expect(any).toMatchObject({ offset: 1, songs: { length: 1 } });
    expect(any.totalHits).toBeGreaterThan(1);
    expect(await matches({ newerThan: 0 })).toMatchObject({ totalHits: 5 });
    expect(await matches({ newerThan: Number.MAX_SAFE_INTEGER })).toMatchObject({ totalHits: 0 });
    expect(await matches({})).toEqual({ totalHits: 0, offset: 0, songs: [] });
    expect(await matches({ title: '   ', any: '' })).toMatchObject({ totalHits: 0 });
  });

  it('survive what could be taken for a pattern', async () => {
    for (const query of ['%', '_', '\\', "'", '[', '(((', '.*', '$1', 'a\\', '!!!', '%%%'])
      expect({ query, status: (await world.ask('search3', { query })).status }).toEqual({ query, status: 'ok' });
    expect((await search('[unknown')).album).toEqual(['[Unknown Album]']);
  });

  it('for nothing give everything, in pages that fit together', async () => {
    for (const query of ['', '""', '*']) expect((await search(query)).song).toHaveLength(5);
    const pages = await Promise.all(
      [0, 2, 4].map(async (songOffset) => (await search('""', { songCount: 2, songOffset, artistCount: 0, albumCount: 0 })).song),
    );
    expect(pages.flat()).toEqual((await search('""', { songCount: 500 })).song);
    expect(await search('', { artistCount: 0, albumCount: 0, songCount: 500, musicFolderId: 2 })).toEqual({
      artist: [],
      album: [],
      song: ['Harbour Song'],
    });
    expect((await search('', { musicFolderId: 2 })).artist).toEqual(['Anna Été']);
  });

  it('without a query mean everything too, and a count of zero nothing', async () => {
    const { searchResult3 } = await world.ask('search3', { songCount: 0 });
    expect(searchResult3).toMatchObject({ song: [], album: expect.objectContaining({ length: 4 }) });
  });
});
