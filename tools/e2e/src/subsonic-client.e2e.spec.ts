import { SubsonicAPI, type Child } from 'subsonic-api';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { formatNames, generateFiles, type Manifest } from '@continuo/media-fixtures';
import { administrator, Journey } from './journey.js';

const FILES = 40;
/** The index of words follows the scan; how soon depends on the machine. */
const INDEXED = { timeout: 60_000, interval: 100 };

let journey: Journey;
let manifest: Manifest;

beforeAll(async () => {
  journey = await Journey.prepare();
  manifest = await generateFiles({ out: journey.music, count: FILES, formats: formatNames, seed: 11, flat: false });
  await journey.start();
  await journey.scan();
});

afterAll(async () => {
  await journey.end();
});

const { name: username, password, apiKey } = administrator;

/** The ways in which clients of the protocol log in and send their parameters. */
const logins = [
  { login: 'by token', auth: { username, password }, post: false },
  { login: 'by token, with forms', auth: { username, password }, post: true },
  { login: 'by API key as password', auth: { username, password: apiKey }, post: false },
  { login: 'by API key', auth: { apiKey }, post: false },
] as const;

describe.each(logins)('a client library of the Subsonic protocol, logged in $login', (login) => {
  const { auth, post } = login;
  const client = (): SubsonicAPI => new SubsonicAPI({ url: journey.server.url, auth, post });
  let songs: Child[];

  it('meets the server', async () => {
    expect(await client().ping()).toMatchObject({ status: 'ok', openSubsonic: true, type: 'continuo' });
    const { openSubsonicExtensions } = await client().getOpenSubsonicExtensions();
    expect(openSubsonicExtensions.map((extension) => extension.name)).toContain('formPost');
    expect((await client().getUser({ username })).user).toMatchObject({ username, adminRole: true, streamRole: true });
  });

  it('browses from artists to albums to songs', async () => {
    const { artists } = await client().getArtists();
    const all = artists.index?.flatMap((index) => index.artist ?? []) ?? [];
    expect(all).toHaveLength(manifest.artists);
    const { albumList2 } = await client().getAlbumList2({ type: 'alphabeticalByName', size: 500 });
    expect(albumList2.album).toHaveLength(manifest.albums);
    const albums = await Promise.all((albumList2.album ?? []).map(async ({ id }) => (await client().getAlbum({ id })).album));
    songs = albums.flatMap((album) => album.song ?? []);
    expect(new Set(songs.map((song) => song.id)).size).toBe(FILES);
    expect(songs.every((song) => song.created instanceof Date && !Number.isNaN(song.created.getTime()))).toBe(true);
  });

  it('copies the library page by page', async () => {
    const copied: string[] = [];
    for (let songOffset = 0; ; songOffset += 7) {
      const { searchResult3 } = await client().search3({ query: '""', songCount: 7, songOffset, albumCount: 0, artistCount: 0 });
      copied.push(...(searchResult3.song ?? []).map((song) => song.id));
      if ((searchResult3.song?.length ?? 0) < 7) break;
    }
    expect(copied).toHaveLength(FILES);
    expect(new Set(copied)).toEqual(new Set(songs.map((song) => song.id)));
  });

  it('finds, plays, and says what it played', async () => {
    // What one client says again within a song's length is one play, however it logs in: another song for each.
    const song = songs[logins.indexOf(login)];
    if (!song) throw new Error('there are too few songs');
    const idsFor = async (query: string): Promise<string[]> =>
      ((await client().search3({ query, songCount: 100 })).searchResult3.song ?? []).map((found) => found.id);
    const lost = async (): Promise<string[]> => {
      const titles: string[] = [];
      for (const { id, title } of songs) if (!(await idsFor(title)).includes(id)) titles.push(title);
      return titles;
    };
    // The index of words follows the scan; some of what a title finds may be there before the rest.
    await vi.waitFor(async () => expect(await lost()).toEqual([]), INDEXED);
    expect((await (await client().stream({ id: song.id, format: 'raw' })).arrayBuffer()).byteLength).toBe(song.size);
    const before = (await client().getSong({ id: song.id })).song.playCount ?? 0;
    await client().scrobble({ id: song.id });
    await client().scrobble({ id: song.id });
    expect((await client().getSong({ id: song.id })).song.playCount).toBe(before + 1);
    const { albumList2 } = await client().getAlbumList2({ type: 'recent' });
    expect(albumList2.album?.[0]?.id).toBe(song.albumId);
  });

  it('stars and rates, and sees it at once', async () => {
    const [song] = songs;
    if (!song?.albumId) throw new Error('there are no songs');
    await client().star({ id: song.id, albumId: song.albumId });
    await client().setRating({ id: song.id, rating: 4 });
    const { starred2 } = await client().getStarred2();
    expect([starred2.song?.map(({ id }) => id), starred2.album?.map(({ id }) => id)]).toEqual([[song.id], [song.albumId]]);
    const rated = (await client().getSong({ id: song.id })).song;
    expect(rated).toMatchObject({ userRating: 4, averageRating: 4 });
    expect(rated.starred).toBeInstanceOf(Date);
    expect((await client().getAlbumList2({ type: 'starred' })).albumList2.album?.map(({ id }) => id)).toEqual([song.albumId]);
    await client().unstar({ id: song.id, albumId: song.albumId });
    await client().setRating({ id: song.id, rating: 0 });
    expect((await client().getStarred2()).starred2.song ?? []).toEqual([]);
    const plain = (await client().getSong({ id: song.id })).song;
    expect([plain.starred, plain.userRating]).toEqual([undefined, undefined]);
  });
});

it('refuses a client with a wrong password in a way that it understands', async () => {
  const client = new SubsonicAPI({ url: journey.server.url, auth: { username, password: 'wrong' } });
  expect(await client.ping()).toMatchObject({ status: 'failed', type: 'continuo', error: { code: 40 } });
});
