import { findLyrics, requestExternalMetadata, refreshArtistInfo, Rejection, type ArtistInfoTable } from '@continuo/contracts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { artistIdsNamed, songIdsNamed, songIdsOfArtistNamed } from '../../reads/library/external-metadata.reads.js';
import { CompatWorld, names } from '../../../test/servers/compat-world.js';
import { NOW_MS } from '../../../test/servers/compat-server.js';

let world: CompatWorld;
beforeAll(async () => {
  world = await CompatWorld.start();
});
afterAll(() => world.stop());
afterEach(async () => {
  world.server.plugins.clear();
  await world.model.write.deleteFrom('library.artist_info').execute();
  await world.model.write.deleteFrom('library.found_art').execute();
});

const row = (more: Partial<ArtistInfoTable> = {}): ArtistInfoTable => ({
  artist_id: 1,
  mbid: '11111111-1111-4111-8111-111111111111',
  summary: 'They began & went on.',
  attribution: 'Last.fm. Under a licence.',
  place_formed: 'Whitby',
  year_formed: 1998,
  url: 'https://www.last.fm/music/x',
  similar: JSON.stringify([
    { name: 'Nobody Here', mbid: null },
    { name: 'anna ete', mbid: null },
  ]),
  top_songs: JSON.stringify([
    { title: 'Not Here', mbid: null },
    { title: 'SECOND WATCH', mbid: null },
    { title: 'Opening Æther', mbid: null },
  ]),
  found_at_ms: NOW_MS,
  is_complete: true,
  ...more,
});
const knows = (more: Partial<ArtistInfoTable> = {}) => world.model.write.insertInto('library.artist_info').values(row(more)).execute();
const asked = (subject: string) => world.server.commands.sent.filter((one) => one.subject === subject).length;

describe('artists', () => {
  it('are shown with what is known, whether plug-ins are on or not', async () => {
    await knows();
    const { artistInfo2: info } = await world.ask('getArtistInfo2', { id: 'ar-1' });
    expect(info).toMatchObject({
      biography: 'They began & went on.\n\n(Last.fm. Under a licence.)',
      musicBrainzId: expect.any(String),
      lastFmUrl: 'https://www.last.fm/music/x',
    });
    // Those that are said to be like it come first, those with the same tags after them, and none that is not in the library.
    expect(names(info.similarArtist)).toEqual(['Anna Été', 'Zoë Quill']);
    expect((await world.ask('getArtistInfo', { id: 'so-1', count: 1 })).artistInfo.similarArtist).toMatchObject([{ name: 'Anna Été' }]);
  });

  it('that are said to be like one, and are not in the library, are told of where they are wanted', async () => {
    await knows();
    const { artistInfo2: info } = await world.ask('getArtistInfo2', { id: 'ar-1', includeNotPresent: 'true' });
    expect(info.similarArtist.map(({ id, name }: { id: string; name: string }) => [id, name])).toEqual([
      [expect.stringMatching(/^ar-\d+$/), 'Anna Été'],
      [expect.stringMatching(/^ar-\d+$/), 'Zoë Quill'],
      ['-1', 'Nobody Here'],
    ]);
    expect(info.similarArtist.at(-1)).toMatchObject({ albumCount: 0 });
    const { artistInfo } = await world.ask('getArtistInfo', { id: 'ar-1', includeNotPresent: 'true' });
    expect(artistInfo.similarArtist.at(-1)).toMatchObject({ id: '-1', name: 'Nobody Here' });
    expect(
      names((await world.ask('getArtistInfo2', { id: 'ar-1', includeNotPresent: 'true', count: '2' })).artistInfo2.similarArtist),
    ).toEqual(['Anna Été', 'Zoë Quill']);
  });

  it('are asked about when nobody has been, and shown at once', async () => {
    world.server.plugins.add('metadata.artist');
    world.server.commands.handle(refreshArtistInfo, async ({ data }) => {
      await knows({ artist_id: data.artistId });
      return { result: { isEnabled: true, isKnown: true }, positions: [] };
    });
    expect((await world.ask('getArtistInfo2', { id: 'ar-5' })).artistInfo2).toMatchObject({ biography: expect.stringContaining('began') });
    const before = asked(refreshArtistInfo.subject);
    await world.ask('getArtistInfo2', { id: 'ar-5' });
    expect(asked(refreshArtistInfo.subject)).toBe(before);
  });

  it('are shown from the library alone while plug-ins fail or hang', async () => {
    world.server.plugins.add('metadata.artist');
    world.server.commands.handle(refreshArtistInfo, () => Promise.reject(new Rejection('unavailable')));
    expect(names((await world.ask('getArtistInfo2', { id: 'ar-1' })).artistInfo2.similarArtist)).toEqual(['Zoë Quill', 'Anna Été']);
    world.server.commands.handle(refreshArtistInfo, () => Promise.withResolvers<never>().promise);
    expect(names((await world.ask('getArtistInfo2', { id: 'ar-1' })).artistInfo2.similarArtist)).toEqual(['Zoë Quill', 'Anna Été']);
  });

  it('are asked about again when that is long ago, without anybody waiting', async () => {
    world.server.plugins.add('metadata.artist');
    await knows({ found_at_ms: 1 });
    const before = asked(refreshArtistInfo.subject);
    world.server.commands.handle(refreshArtistInfo, () => Promise.withResolvers<never>().promise);
    expect((await world.ask('getArtistInfo2', { id: 'ar-1' })).artistInfo2).toMatchObject({ lastFmUrl: expect.any(String) });
    expect(asked(refreshArtistInfo.subject)).toBe(before + 1);
  });

  it('have pictures that were found, before covers of their albums', async () => {
    const hash = await world.server.artStore.put(Buffer.from('not really a picture'));
    await world.model.write
      .insertInto('library.found_art')
      .values(
        ['artist', 'album'].map((kind) => ({ kind: kind as 'artist', object_id: 5, art_hash: hash, art_mime: 'image/png', source: 's' })),
      )
      .execute();
    const index = await world.ask('getArtists', {});
    const anna = index.artists.index
      .flatMap(({ artist }: { artist: { id: string }[] }) => artist)
      .find(({ id }: { id: string }) => id === 'ar-5');
    expect(anna).toMatchObject({ coverArt: 'ar-5' });
    expect((await world.server.call('getCoverArt', { id: 'ar-5' })).body).toBe('not really a picture');
  });
});

describe('songs', () => {
  it('that are played elsewhere follow those that are played here', async () => {
    await knows();
    expect(names((await world.ask('getTopSongs', { id: 'ar-1' })).topSongs.song)).toEqual(['Opening Æther', 'Second Watch']);
    expect(names((await world.ask('getTopSongs', { id: 'ar-1', count: 1 })).topSongs.song)).toEqual(['Opening Æther']);
  });

  it('that plug-ins say are alike come first, if they are here', async () => {
    world.server.plugins.add('metadata.song');
    const similar: Record<string, string | number>[] = [
      { title: 'Not Here', artist: 'Anna Été' },
      { title: 'harbour song', artist: 'ANNA ÉTÉ', score: 1 },
      { title: 'Harbour Song', artist: 'Nobody' },
    ];
    world.server.commands.handle(requestExternalMetadata, async () => ({
      result: { answers: [{ plugin: 'lastfm', title: 'Last.fm', facts: { similar } }] },
      positions: [],
    }));
    expect(names((await world.ask('getSimilarSongs', { id: 'so-1' })).similarSongs.song)).toEqual(['Harbour Song', 'Second Watch']);
  });

  it('without words have those of plug-ins', async () => {
    expect((await world.ask('getLyricsBySongId', { id: 'so-2' })).lyricsList.structuredLyrics).toEqual([]);
    world.server.plugins.add('lyrics.find');
    const texts = [
      { language: 'eng', synced: false, source: 'file' as const, lines: [{ text: 'over' }, { text: 'under' }] },
      { language: 'eng', synced: true, source: 'file' as const, lines: [{ startMs: 1000, text: 'over' }] },
    ];
    world.server.commands.handle(findLyrics, async () => ({
      result: { found: [{ plugin: 'lrclib', title: 'LRCLIB', texts }] },
      positions: [],
    }));
    const found = (await world.ask('getLyricsBySongId', { id: 'so-2' })).lyricsList.structuredLyrics;
    expect(found).toMatchObject([
      { lang: 'eng', synced: false, line: [{ value: 'over' }, { value: 'under' }] },
      { synced: true, line: [{ start: 1000, value: 'over' }] },
    ]);
    const named = { artist: 'The Harbour Lights', title: 'Second Watch' };
    expect((await world.ask('getLyrics', named)).lyrics).toMatchObject({ value: 'over\nunder' });
    const before = asked(findLyrics.subject);
    await world.ask('getLyricsBySongId', { id: 'so-1' });
    await world.ask('getLyrics', { title: 'Second Watch' });
    expect(asked(findLyrics.subject)).toBe(before);
  });
});

describe('albums', () => {
  it('are shown with what plug-ins say', async () => {
    world.server.plugins.add('metadata.album');
    const facts = { summary: 'An album.', attribution: 'Wikipedia', url: 'https://www.last.fm/music/x/y' };
    world.server.commands.handle(requestExternalMetadata, async () => ({
      result: { answers: [{ plugin: 'w', title: 'W', facts }] },
      positions: [],
    }));
    expect((await world.ask('getAlbumInfo2', { id: 'al-4' })).albumInfo).toMatchObject({
      notes: 'An album.\n\n(Wikipedia)',
      lastFmUrl: facts.url,
    });
    world.server.commands.handle(requestExternalMetadata, () => Promise.reject(new Rejection('unavailable')));
    expect((await world.ask('getAlbumInfo2', { id: 'al-4' })).albumInfo).toEqual({});
  });
});

describe('names', () => {
  const everything = { userId: 1, catalogs: 'all' } as const;
  const nothing = { userId: 1, catalogs: [] } as const;

  it('find only what may be seen', async () => {
    const artists = [{ name: 'Anna Été', mbid: null }];
    const songs = [{ title: 'Harbour Song', artist: 'Anna Été', mbid: null }];
    expect(await artistIdsNamed(world.model.read, artists, everything)).toEqual([5]);
    expect(await artistIdsNamed(world.model.read, artists, nothing)).toEqual([]);
    expect(await songIdsNamed(world.model.read, songs, everything)).toEqual([5]);
    expect(await songIdsNamed(world.model.read, songs, nothing)).toEqual([]);
    expect(await songIdsOfArtistNamed(world.model.read, 5, songs, everything)).toEqual([5]);
    expect(await songIdsOfArtistNamed(world.model.read, 5, songs, nothing)).toEqual([]);
  });

  it('of two artists are told apart by their ids, where both are known', async () => {
    const [harbour] = (await sql<{ mbid: string | null }>`select mbid from library.artist where id = 1`.execute(world.model.read)).rows;
    const own = harbour?.mbid ?? null;
    const other = '99999999-9999-4999-8999-999999999999';
    expect(await artistIdsNamed(world.model.read, [{ name: 'Harbour Lights', mbid: own }], everything)).toEqual([1]);
    expect(await artistIdsNamed(world.model.read, [{ name: 'Harbour Lights', mbid: other }], everything)).toEqual(own === null ? [1] : []);
  });
});
