import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallParams } from '../../../test/servers/compat-server.js';
import { CompatWorld, names } from '../../../test/servers/compat-world.js';

let world: CompatWorld;

beforeAll(async () => {
  world = await CompatWorld.start([
    { title: 'One', album: 'First', artists: ['Ada', 'Guest'], albumArtists: ['Ada'], folder: 'a', fileName: '1.mp3' },
    { title: 'Two', album: 'First', artists: ['Ada'], folder: 'a', fileName: '2.mp3' },
    { title: 'Three', album: 'Second', artists: ['Guest'], folder: 'b', fileName: '3.mp3', catalogId: 2 },
    { title: 'Four', album: 'Third', artists: ['Bea', 'Visitor'], albumArtists: ['Bea'], folder: 'c', fileName: '4.mp3', catalogId: 2 },
    { title: 'Five', album: 'Fourth', artists: ['Ada'], folder: 'd', fileName: '5.mp3', catalogId: 2 },
  ]);
});
afterAll(() => world.stop());

interface Counted {
  readonly id: string;
  readonly name: string;
  readonly albumCount: number;
}

const counts = (artists: readonly Counted[]): string[] =>
  artists.map(({ name, albumCount }) => `${name} ${albumCount}`).toSorted((a, b) => a.localeCompare(b));

describe('the number of an artist’s albums', () => {
  it.each<[CallParams, string[]]>([
    [{}, ['Ada 2', 'Bea 1', 'Guest 1', 'Visitor 1']],
    [{ musicFolderId: 1 }, ['Ada 1', 'Guest 1']],
    [{ musicFolderId: 2 }, ['Ada 1', 'Bea 1', 'Guest 1', 'Visitor 1']],
    [{ musicFolderId: 9 }, []],
  ])('is the same in every answer, with %o', async (params, wanted) => {
    const { index } = (await world.ask('getArtists', params)).artists;
    const listed: Counted[] = index.flatMap(({ artist }: { artist: Counted[] }) => artist);
    expect(counts(listed)).toEqual(wanted);
    expect(counts((await world.ask('search3', { query: '', ...params })).searchResult3.artist)).toEqual(wanted);
    const opened = await Promise.all(listed.map(async ({ id }) => (await world.ask('getArtist', { id, ...params })).artist));
    expect(counts(opened)).toEqual(wanted);
    for (const { albumCount, album } of opened) expect(names(album)).toHaveLength(albumCount);
  });

  it('is the same among favourites', async () => {
    const flags = [1, 2, 3, 4].map((object_id) => ({ user_id: 1, kind: 'artist' as const, object_id, flagged_at_ms: 1 }));
    await world.model.write.insertInto('social.user_flag').values(flags).execute();
    expect(counts((await world.ask('getStarred2', { musicFolderId: 1 })).starred2.artist)).toEqual(['Ada 1', 'Guest 1']);
    expect(counts((await world.ask('getStarred2')).starred2.artist)).toEqual(['Ada 2', 'Bea 1', 'Guest 1', 'Visitor 1']);
  });
});
