import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FixtureSong } from '../../../test/library/fixture-library.js';
import { fixtureSongs } from '../../../test/library/fixture-songs.js';
import type { CallParams } from '../../../test/servers/compat-server.js';
import { CompatWorld, names } from '../../../test/servers/compat-world.js';

const dotted: FixtureSong = {
  title: 'P·U·L·S·E',
  artists: ['ビリー・アイリッシュ'],
  albumArtists: ['ビリー・アイリッシュ'],
  album: 'Wall•E',
  folder: 'Dotted',
  fileName: '01 Pulse.flac',
  doc: { mbid: 'AAAAAAAA-2222-4333-8444-000000000001', mbTrackId: 'aaaaaaaa-2222-4333-8444-000000000002' },
};
const ids = {
  release: 'aaaaaaaa-2222-4333-8444-000000000003',
  releaseGroup: 'aaaaaaaa-2222-4333-8444-000000000004',
  artist: 'aaaaaaaa-2222-4333-8444-000000000005',
};

let world: CompatWorld;

beforeAll(async () => {
  world = await CompatWorld.start([...fixtureSongs, dotted]);
  const { write } = world.model;
  await write.updateTable('library.album').set({ mbid: ids.release, mbid_group: ids.releaseGroup }).where('name', '=', 'Wall•E').execute();
  await write.updateTable('library.artist').set({ mbid: ids.artist }).where('name', '=', 'ビリー・アイリッシュ').execute();
});
afterAll(() => world.stop());

describe.each(['search2', 'search3'] as const)('%s', (method) => {
  const search = async (query: string, params: CallParams = {}) => {
    const answer = await world.ask(method, { query, ...params });
    const { artist, album, song } = method === 'search2' ? answer.searchResult2 : answer.searchResult3;
    return { artist: names(artist), album: names(album), song: names(song) };
  };
  const nothing = { artist: [], album: [], song: [] };

  it.each([
    ['a recording', 'aaaaaaaa-2222-4333-8444-000000000001', { ...nothing, song: ['P·U·L·S·E'] }],
    ['a recording in capitals', 'AAAAAAAA-2222-4333-8444-000000000001', { ...nothing, song: ['P·U·L·S·E'] }],
    ['a track of a release', 'aaaaaaaa-2222-4333-8444-000000000002', { ...nothing, song: ['P·U·L·S·E'] }],
    ['a release', ids.release, { ...nothing, album: ['Wall•E'] }],
    ['a release group', ids.releaseGroup, { ...nothing, album: ['Wall•E'] }],
    ['an artist', `"${ids.artist}"`, { ...nothing, artist: ['ビリー・アイリッシュ'] }],
    ['nothing', 'aaaaaaaa-2222-4333-8444-00000000000f', nothing],
  ])('finds the MusicBrainz id of %s', async (_, query, found) => {
    expect(await search(query)).toEqual(found);
  });

  it('finds an id in the chosen music folder only, page by page', async () => {
    expect(await search(ids.release, { musicFolderId: 1 })).toEqual({ ...nothing, album: ['Wall•E'] });
    expect(await search(ids.release, { musicFolderId: 2 })).toEqual(nothing);
    expect(await search(ids.artist, { musicFolderId: 2 })).toEqual(nothing);
    expect(await search(ids.release, { albumOffset: 1 })).toEqual(nothing);
    expect(await search(ids.release, { albumCount: 0 })).toEqual(nothing);
  });

  it.each(['pulse', 'P·U·L·S·E', 'p•u•l•s•e', '"pulse"', '"P‧U‧L‧S‧E"'])('ignores the middle dots of %s', async (query) => {
    expect((await search(query)).song).toEqual(['P·U·L·S·E']);
  });

  it.each(['ビリーアイリッシュ', 'ビリー・アイリッシュ', 'ﾋﾞﾘｰ･ｱｲﾘｯｼｭ'])('ignores the middle dot in %s', async (query) => {
    expect((await search(query)).artist).toEqual(['ビリー・アイリッシュ']);
  });
});

describe('search', () => {
  const matches = async (params: CallParams) => names((await world.ask('search', params)).searchResult.match);

  it.each<CallParams>([
    { title: 'pulse' },
    { any: 'pu·lse' },
    { album: 'walle' },
    { artist: 'ビリーアイ' },
    { any: 'aaaaaaaa-2222-4333-8444-000000000001' },
    { title: 'aaaaaaaa-2222-4333-8444-000000000001' },
    { album: ids.release },
    { artist: ids.artist },
  ])('with %o finds the song', async (params) => {
    expect(await matches(params)).toEqual(['P·U·L·S·E']);
  });
});
