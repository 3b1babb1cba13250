import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asking } from '../../servers/compat-asking.js';
import { compatServer, queryOf, type CallParams, type CompatServer } from '../../servers/compat-server.js';
import { seedFixtureLibrary } from '../../library/fixture-library.js';
import { fixtureSongs } from '../../library/fixture-songs.js';
import { insertBookmark } from '../../library/places-fixture.js';
import { insertPlaylist } from '../../library/playlist-fixture.js';
import { testReadModel, type TestReadModel } from '../../servers/read-model-database.js';
import { seedTestAccounts } from '../../servers/test-gateway.js';
import { operationNames } from '../../../src/apis/compat/registry/names.js';

/*
 * One test for each quirk of a client in `quirk-table.ts` that no other spec covers.
 */

const LONG = 3000;
const firstSong = Buffer.from('0123456789'.repeat(100));

let model: TestReadModel;
let server: CompatServer;
let folder: string;
const { ask, codeOf } = asking(() => server);

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
  await seedTestAccounts(model.write);
  await insertPlaylist(
    model.write,
    { id: 1, name: 'Long', owner_id: 1 },
    Array.from({ length: LONG }, (_, n) => 1 + (n % 3)),
  );
  await insertBookmark(model.write, { id: 1, object_id: 1 });
  await insertBookmark(model.write, { id: 2, object_id: 2, label: 'phone', slot: 'x' });
  await model.write
    .updateTable('library.artist')
    .set({ art_hash: 'a'.repeat(64) })
    .where('id', '=', 1)
    .execute();
  folder = await mkdtemp(join(tmpdir(), 'continuo-quirks-'));
  const album = join(folder, 'music/Harbour Lights/The Long Night');
  await mkdir(album, { recursive: true });
  await writeFile(join(album, '01 Opening.flac'), firstSong);
  await model.write
    .updateTable('library.catalog')
    .set({ path: join(folder, 'music') })
    .where('id', '=', 1)
    .execute();
  server = await compatServer(model.read, join(folder, 'art'));
});
afterAll(async () => {
  await server.app.close();
  await model.close();
  await rm(folder, { recursive: true });
});

const login = { u: 'ada', p: 'secret' };
const xml = async (operation: string, params: CallParams = {}): Promise<string> => (await server.call(operation, params)).body;
const idsIn = (answer: unknown): string[] =>
  [...JSON.stringify(answer).matchAll(/"id":"(?<id>(?:so|al|ar)-\d+)"/g)].flatMap(({ groups }) => groups?.['id'] ?? []);

describe('a client', () => {
  it('finds a name in every genre, and its bookmarks', async () => {
    const { genres } = await ask('getGenres');
    expect(genres.genre.length).toBeGreaterThan(0);
    for (const genre of genres.genre)
      expect(genre).toMatchObject({ value: expect.stringMatching(/./), songCount: expect.any(Number), albumCount: expect.any(Number) });
    expect((await ask('getBookmarks')).bookmarks.bookmark).toHaveLength(2);
  });

  it('takes a music folder back as it was given, prefixed or not, and knows no other one', async () => {
    const { musicFolders } = await ask('getMusicFolders');
    const [{ id }] = musicFolders.musicFolder;
    for (const operation of ['getIndexes', 'getArtists', 'getAlbumList2', 'getAlbumList', 'getStarred2', 'search3', 'getRandomSongs']) {
      const params = (musicFolderId: string | number): CallParams => ({ musicFolderId, type: 'alphabeticalByName', query: '', size: 500 });
      const inFolder = idsIn(await ask(operation, params(id))).toSorted();
      expect([operation, idsIn(await ask(operation, params(`mf-${id}`))).toSorted()]).toEqual([operation, inFolder]);
      for (const unknown of ['mf-99', '99', 'none'])
        expect([operation, unknown, idsIn(await ask(operation, params(unknown)))]).toEqual([operation, unknown, []]);
      // Nothing is starred here.
      expect([operation, inFolder.length > 0]).toEqual([operation, operation !== 'getStarred2']);
    }
  });

  it('finds pictures of artists and the words of songs', async () => {
    const { artists } = await ask('getArtists');
    const all = artists.index.flatMap(({ artist }: { artist: unknown[] }) => artist);
    expect(all.some((artist: { coverArt?: string }) => artist.coverArt !== undefined)).toBe(true);
    const { lyricsList } = await ask('getLyricsBySongId', { id: 'so-1' });
    expect(lyricsList.structuredLyrics[0].line[0]).toHaveProperty('value');
    expect((await ask('getLyricsBySongId', { id: 'so-4' })).lyricsList).toEqual({ structuredLyrics: [] });
  });

  it('may have its address fetched by anything, as often as that likes', async () => {
    const url = `/rest/stream.view?${queryOf({ ...login, v: '1.16.1', c: 'phone', id: 'so-1' })}`;
    const before = server.commands.sent.filter(({ subject }) => subject === 'cmd.playback.record-plays').length;
    for (const agent of ['DLNADOC/1.50', 'Platinum/1.0', '', 'Lavf/60.3']) {
      const answer = await server.app.inject({ url, headers: { 'user-agent': agent } });
      expect([agent, answer.statusCode, answer.rawPayload.equals(firstSong)]).toEqual([agent, 200, true]);
      expect((await server.app.inject({ url, headers: { 'user-agent': agent, range: 'bytes=10-19' } })).statusCode).toBe(206);
    }
    expect(server.commands.sent.filter(({ subject }) => subject === 'cmd.playback.record-plays')).toHaveLength(before);
  });

  it('may say that it speaks an old version and use what is newer', async () => {
    for (const v of ['1.2.0', '1.7.0', '1.13.0', '1.15.0'])
      for (const [operation, params] of [
        ['getBookmarks', {}],
        ['getPlayQueueByIndex', {}],
        ['getAlbumList2', { type: 'newest' }],
        ['getLyricsBySongId', { id: 'so-1' }],
        ['search3', { query: '' }],
      ] as const)
        expect([v, operation, (await ask(operation, { ...params, v })).status]).toEqual([v, operation, 'ok']);
  });

  it('may post with everything in the address', async () => {
    const url = `/rest/getAlbum.view?${queryOf({ ...login, v: '1.2.0', c: 'DSub', id: 'al-1' })}`;
    for (const headers of [{}, { 'content-type': 'application/x-www-form-urlencoded' }]) {
      const answer = await server.app.inject({ method: 'POST', url, headers });
      expect([answer.statusCode, answer.body.includes('<album id="al-1"')]).toEqual([200, true]);
    }
  });

  it('opens with its user, its bookmarks and its picture', async () => {
    expect((await ask('getUser', { username: 'ada' })).user).toMatchObject({ username: 'ada', streamRole: true });
    expect((await ask('getBookmarks')).status).toBe('ok');
    expect(await codeOf('getAvatar', { username: 'ada' })).toBe(70);
  });

  it.each(['DSub', 'SubMusic', 'Clementine', 'dsub'])('gets no nested elements when it is one that stumbles over them: %s', async (c) => {
    const told = await xml('getAlbum', { id: 'al-1', c });
    expect(told).toContain('<song ');
    expect(told).not.toMatch(/<(?:contributors|artists|albumArtists|genres|moods|replayGain|isrc|discTitles)/);
    expect(told).not.toContain('openSubsonic');
    expect((await xml('getAlbum', { id: 'al-1', c: 'other' })).length).toBeGreaterThan(told.length);
  });

  it('may name years in either order', async () => {
    const byYear = async (fromYear: number, toYear: number) =>
      idsIn((await ask('getAlbumList2', { type: 'byYear', fromYear, toYear, size: 500 })).albumList2);
    const [up, down] = [await byYear(1900, 2100), await byYear(2100, 1900)];
    expect(up.length).toBeGreaterThan(0);
    expect(down.toSorted()).toEqual(up.toSorted());
  });

  it('may ask for an artist by the bare number', async () => {
    expect((await ask('getArtist', { id: '1' })).artist.id).toBe('ar-1');
    expect(await xml('getArtist', { id: '1' })).toBe(await xml('getArtist', { id: 'ar-1' }));
  });

  it('may make up the picture of a playlist', async () => {
    const { playlists } = await ask('getPlaylists');
    const [{ coverArt }] = playlists.playlist;
    for (const id of ['pl-1', 'pl-pl-1', coverArt ?? 'pl-1']) {
      const answer = await server.call('getCoverArt', { id });
      // Here no picture was ever stored; what matters is that all spellings are the same picture.
      expect([id, answer.status, answer.body]).toEqual([id, 200, (await server.call('getCoverArt', { id: 'pl-1' })).body]);
    }
    expect((await server.call('getCoverArt', { id: 'pl-1' })).type).toBe('image/png');
  });

  it('is told in an envelope that an operation does not exist', async () => {
    for (const operation of ['getNothing', 'getNothing.view', 'index.php']) {
      const answer = await server.call(operation);
      expect([operation, answer.status, /<subsonic-response [^>]*status="failed"/.test(answer.body)]).toEqual([operation, 200, true]);
    }
  });

  it('finds one thing in each bookmark', async () => {
    for (const { entry } of (await ask('getBookmarks')).bookmarks.bookmark)
      expect(entry).toMatchObject({ id: expect.stringMatching(/^so-/), title: expect.any(String) });
    expect(await xml('getBookmarks')).toMatch(/<bookmark [^>]*><entry [^>]*>/);
  });

  it('gets a long playlist', async () => {
    const { playlist } = await ask('getPlaylist', { id: 'pl-1' });
    expect([playlist.songCount, playlist.entry.length]).toEqual([LONG, LONG]);
  });

  it('is licensed', async () => {
    expect((await ask('getLicense')).license).toMatchObject({ valid: true });
  });

  it('may look at the state of scans, whoever it is', async () => {
    for (const as of ['ada', 'bob', 'gus'] as const)
      expect((await ask('getScanStatus', {}, as)).scanStatus).toMatchObject({ scanning: expect.any(Boolean), count: expect.any(Number) });
  });

  it('may limit artists, playlists and genres to a music folder', async () => {
    for (const [operation, params] of [
      ['getArtist', { id: 'ar-1' }],
      ['getPlaylist', { id: 'pl-1' }],
      ['getGenres', {}],
    ] as const) {
      const shown = async (more: CallParams): Promise<string> => JSON.stringify(await ask(operation, { ...params, ...more }));
      const [all, none] = [await shown({}), await shown({ musicFolderId: '99' })];
      expect([operation, none.length < all.length]).toEqual([operation, true]);
      expect([operation, /"(?:al|so)-\d|"value":"Folk"/.test(none)]).toEqual([operation, false]);
    }
  });

  it('finds each directory under the id that it asked for, up to the one that has no parent', async () => {
    const { indexes } = await ask('getIndexes');
    const above = async (id: string): Promise<string[]> => {
      const { directory } = await ask('getMusicDirectory', { id });
      return [directory.id, ...(directory.parent === undefined ? [] : await above(directory.parent))];
    };
    const [{ id: top }] = indexes.index[0].artist;
    const path = await above(top);
    expect(path).toEqual([top, expect.stringMatching(/^fo-\d+$/)]);
    const { directory } = await ask('getMusicDirectory', { id: path[1] ?? '' });
    expect(directory.child).toContainEqual(expect.objectContaining({ id: top, parent: path[1] }));
  });

  it('gets XML and nothing else from whoever answers', async () => {
    const told = await server.call('getArtists', { v: '1.13.0' });
    expect(told.type).toMatch(/^text\/xml/);
    expect(told.body).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\s*<subsonic-response xmlns="http:\/\/subsonic.org\/restapi" /);
    for (const params of [{ u: 'nobody' }, { p: 'wrong' }, { v: '' }] as readonly CallParams[])
      expect((await server.call('getArtists', params)).body).toMatch(/^<\?xml/);
  });

  it('finds the same ids from artists to songs', async () => {
    const { artist } = await ask('getArtist', { id: 'ar-1' });
    for (const { id } of artist.album) {
      const { album } = await ask('getAlbum', { id });
      expect(album.id).toBe(id);
      for (const song of album.song) {
        expect(song.albumId).toBe(id);
        expect((await ask('getSong', { id: song.id })).song).toMatchObject({ id: song.id, albumId: id, artistId: song.artistId });
      }
    }
  });

  it('gets plain words from the older call for lyrics', async () => {
    const { song } = await ask('getSong', { id: 'so-1' });
    expect(song.artist).toBe('The Harbour Lights, Zoë Quill');
    for (const artist of ['The Harbour Lights', song.artist]) {
      const { lyrics } = await ask('getLyrics', { artist, title: 'Opening Æther' });
      expect(lyrics.value).toMatch(/\w/);
      expect(lyrics.value).not.toMatch(/\[\d+:\d\d/);
    }
    expect((await ask('getLyrics', { artist: 'The Harbour Lights, Nobody', title: 'Opening Æther' })).lyrics.value).toBe('');
  });

  it('gets the times of words when it asks for them', async () => {
    const textsOf = async (params: CallParams) => (await ask('getLyricsBySongId', { id: 'so-1', ...params })).lyricsList.structuredLyrics;
    expect(JSON.stringify(await textsOf({}))).not.toMatch(/cue|"kind"|"agents"/i);
    const [text] = await textsOf({ enhanced: true });
    const [line] = text.cueLine;
    expect([line.index, line.value]).toEqual([1, text.line[1].value]);
    const bytes = Buffer.from(line.value);
    for (const cue of line.cue) expect(bytes.subarray(cue.byteStart, cue.byteEnd + 1).toString()).toBe(cue.value);
    expect(line.cue.map(({ start, end, value }: { start: number; end: number; value: string }) => [start, end, value])).toEqual([
      [5400, 5900, 'over'],
      [5900, 6100, '&'],
      [6100, 6800, 'under'],
      [6800, 7700, 'ætherlight'],
    ]);
  });

  it('needs no music folder for lists of albums', async () => {
    for (const type of ['random', 'newest', 'frequent', 'recent', 'highest', 'starred', 'alphabeticalByName', 'alphabeticalByArtist'])
      expect([type, (await ask('getAlbumList2', { type })).status]).toEqual([type, 'ok']);
  });

  it('is never sent elsewhere', async () => {
    for (const operation of operationNames) {
      const { status } = await server.call(operation, { id: 'so-1', type: 'newest', query: 'a', username: 'ada' });
      expect([operation, status >= 300 && status < 400]).toEqual([operation, false]);
    }
  });

  it('finds the extensions under their name, without saying who it is', async () => {
    const { body } = await server.app.inject({ url: '/rest/getOpenSubsonicExtensions?f=json' });
    const { openSubsonicExtensions } =
      (JSON.parse(body) as Record<string, { openSubsonicExtensions: unknown[] }>)['subsonic-response'] ?? {};
    expect(openSubsonicExtensions).toContainEqual({ name: 'indexBasedQueue', versions: [1] });
  });

  it('gets pages of five hundred albums, and songs one by one', async () => {
    const { albumList2 } = await ask('getAlbumList2', { type: 'alphabeticalByName', size: 500, offset: 0 });
    expect(albumList2.album.length).toBeGreaterThan(0);
    expect((await ask('getAlbumList2', { type: 'alphabeticalByName', size: 500, offset: 500 })).albumList2.album).toEqual([]);
    expect((await ask('getSong', { id: 'so-1' })).song.id).toBe('so-1');
  });

  it('is refused in JSON when it may not scan', async () => {
    const answer = await server.call('startScan', { f: 'json' }, 'bob');
    expect([answer.status, answer.type.startsWith('application/json')]).toEqual([200, true]);
    expect(await codeOf('startScan', {}, 'bob')).toBe(50);
  });
});
