import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asking } from '../../../test/servers/compat-asking.js';
import { compatServer, NOW_MS, type CallParams, type CompatServer } from '../../../test/servers/compat-server.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { seedSyntheticLibrary } from '../../../test/library/synthetic-library.js';

const SONGS = 30_000;
const ALBUMS = SONGS / 10;
const ARTISTS = ALBUMS / 5;
/** No divisor of any length, so that pages end within ties. */
const PAGE = 237;

let model: TestReadModel;
let server: CompatServer;
let folder: string;
const { ask } = asking(() => server);

const run = (statement: string) => sql.raw(statement).execute(model.write);

beforeAll(async () => {
  model = await testReadModel();
  await seedSyntheticLibrary(model.write as unknown as Kysely<unknown>, SONGS);
  // Many albums of equal names, years, times and ratings: what decides is the id alone.
  await run(`update library.album set name_sort = 'album ' || id % 7, added_at_ms = 1700000000000 + id % 5`);
  await run(
    `insert into social.rating_average select 'album', id, 1 + id % 2, (1 + id % 2) * (1 + id % 4) from library.album where id % 3 > 0`,
  );
  await run(
    `insert into social.user_flag (user_id, kind, object_id, flagged_at_ms) select 1, 'album', id, 1750000000000 + id % 6 from library.album where id % 2 = 0`,
  );
  folder = await mkdtemp(join(tmpdir(), 'continuo-walks-'));
  server = await compatServer(model.read, folder);
});
afterAll(async () => {
  await server.app.close();
  await model.close();
  await rm(folder, { recursive: true });
});

const ids = (items: readonly { readonly id: string }[]): string[] => items.map(({ id }) => id);
const sorted = (all: readonly string[]): string[] => all.toSorted((a, b) => Number(a.slice(3)) - Number(b.slice(3)));
const everyId = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, n) => `${prefix}-${n + 1}`);
const idsOf = async (table: string, where: string, order = 'id'): Promise<string[]> =>
  (
    await sql<{ id: number }>`select id from ${sql.table(table)} where ${sql.raw(where)} order by ${sql.raw(order)}`.execute(model.write)
  ).rows.map(({ id }) => `al-${id}`);

/** Reads a list page by page, until a short page arrives, as clients do. `between` happens after each page. */
const walk = async (
  page: (offset: number) => Promise<readonly { id: string }[]>,
  between?: (n: number) => Promise<unknown>,
): Promise<string[]> => {
  const all: string[] = [];
  for (let n = 0; ; n++) {
    const items = await page(n * PAGE);
    all.push(...ids(items));
    if (items.length < PAGE) return all;
    await between?.(n);
  }
};
const walkAlbums = (params: CallParams, between?: (n: number) => Promise<unknown>): Promise<string[]> =>
  walk(async (offset) => (await ask('getAlbumList2', { ...params, size: PAGE, offset })).albumList2.album, between);

/** Somebody plays, rates and likes while somebody else reads. */
const life = (n: number): Promise<unknown> =>
  Promise.all([
    run(`insert into playback.song_plays (song_id, play_count, skip_count, last_played_at_ms) values (${n * 10 + 1}, 1, 0, ${NOW_MS})
      on conflict (song_id) do update set play_count = playback.song_plays.play_count + 1, last_played_at_ms = ${NOW_MS}`),
    run(
      `insert into social.user_flag (user_id, kind, object_id, flagged_at_ms) values (7, 'album', ${n + 1}, ${NOW_MS}) on conflict do nothing`,
    ),
    run(
      `insert into social.rating (user_id, kind, object_id, rating, rated_at_ms) values (7, 'album', ${n + 1}, 3, ${NOW_MS}) on conflict do nothing`,
    ),
  ]);

describe('lists of thousands of albums, page by page', () => {
  const years = 'year between 1970 and 1990';
  it.each<[params: CallParams, where: string, order: string]>([
    [{ type: 'alphabeticalByName' }, 'true', 'name_sort, id'],
    [{ type: 'alphabeticalByArtist' }, 'true', 'artist_sort, name_sort, id'],
    [{ type: 'newest' }, 'true', 'added_at_ms desc, id desc'],
    [{ type: 'byYear', fromYear: 1970, toYear: 1990 }, years, 'year, name_sort, id'],
    [{ type: 'byYear', fromYear: 1990, toYear: 1970 }, years, 'year desc, name_sort desc, id desc'],
    [{ type: 'byGenre', genre: 'genre 3' }, 'id in (select album_id from library.album_genre where genre_id = 3)', 'name_sort, id'],
    [{ type: 'newest', musicFolderId: 2 }, 'catalog_id = 2', 'added_at_ms desc, id desc'],
  ])('%j has each album once, in order, while others play and like', async (params, where, order) => {
    expect(await walkAlbums(params, life)).toEqual(await idsOf('library.album', where, order));
  });

  it.each<[params: CallParams, where: string]>([
    [{ type: 'highest' }, `id in (select object_id from social.rating_average where kind = 'album')`],
    [{ type: 'starred' }, `id in (select object_id from social.user_flag where kind = 'album' and user_id = 1)`],
    [{ type: 'recent' }, 'id in (select album_id from library.song s join playback.song_plays p on p.song_id = s.id where play_count > 0)'],
    [
      { type: 'frequent' },
      'id in (select album_id from library.song s join playback.song_plays p on p.song_id = s.id where play_count > 0)',
    ],
  ])('%j has each album once', async (params, where) => {
    const all = await walkAlbums(params);
    expect(sorted(all)).toEqual(await idsOf('library.album', where));
    expect(await walkAlbums(params)).toEqual(all);
  });

  it('are the same in both ways of browsing', async () => {
    const page = { type: 'alphabeticalByArtist', size: 500, offset: 1234 };
    expect(ids((await ask('getAlbumList', page)).albumList.album)).toEqual(ids((await ask('getAlbumList2', page)).albumList2.album));
  });

  it('by chance are another page each time, without doubles', async () => {
    const [one, other] = await Promise.all(
      [0, 1].map(async () => ids((await ask('getAlbumList2', { type: 'random', size: 500 })).albumList2.album)),
    );
    expect([new Set(one).size, new Set(other).size]).toEqual([500, 500]);
    expect(one).not.toEqual(other);
  });

  it('are no longer than 500, and end at their end', async () => {
    const list = async (params: CallParams) => (await ask('getAlbumList2', { type: 'newest', ...params })).albumList2.album;
    expect(await list({ size: 100_000 })).toHaveLength(500);
    expect(await list({ size: 500, offset: ALBUMS - 3 })).toHaveLength(3);
    expect(await list({ size: 500, offset: ALBUMS })).toHaveLength(0);
  });
});

describe('a whole library', () => {
  it('is found by searching for nothing, each thing once, while others play and like', async () => {
    const search = async (params: CallParams) =>
      (await ask('search3', { query: '""', artistCount: 0, albumCount: 0, songCount: 0, ...params })).searchResult3;
    expect(sorted(await walk(async (artistOffset) => (await search({ artistCount: PAGE, artistOffset })).artist, life))).toEqual(
      everyId('ar', ARTISTS),
    );
    expect(sorted(await walk(async (albumOffset) => (await search({ albumCount: PAGE, albumOffset })).album, life))).toEqual(
      everyId('al', ALBUMS),
    );
    const songs: string[] = [];
    for (let songOffset = 0; songOffset <= SONGS; songOffset += 5000)
      songs.push(...ids((await search({ songCount: 5000, songOffset })).song));
    expect(sorted(songs)).toEqual(everyId('so', SONGS));
  });

  it('hangs together from artists to albums to songs', async () => {
    const { artists } = await ask('getArtists');
    const listed = ids(artists.index.flatMap((group: { artist: [] }) => group.artist));
    expect(sorted(listed)).toEqual(everyId('ar', ARTISTS));
    const { artist } = await ask('getArtist', { id: 'ar-17' });
    expect(sorted(ids(artist.album))).toEqual(everyId('al', 85).slice(80));
    const { album } = await ask('getAlbum', { id: 'al-85' });
    expect(ids(album.song)).toEqual(everyId('so', 850).slice(840));
  });

  it('hangs together from folders to songs, each once', async () => {
    const { indexes } = await ask('getIndexes');
    const folders = ids(indexes.index.flatMap((group: { artist: [] }) => group.artist));
    expect(new Set(folders).size).toBe(ALBUMS);
    const some = folders.filter((_, n) => n % 100 === 0);
    for (const id of some) {
      const { directory } = await ask('getMusicDirectory', { id });
      expect(directory).toMatchObject({ id });
      expect(directory.child).toHaveLength(10);
      expect(directory.child.every((child: { parent: string; isDir: boolean }) => child.parent === id && !child.isDir)).toBe(true);
    }
    const unchanged = (await ask('getIndexes', { ifModifiedSince: indexes.lastModified })).indexes;
    expect(unchanged).toEqual({ lastModified: indexes.lastModified, ignoredArticles: indexes.ignoredArticles, index: [], child: [] });
    expect((await ask('getIndexes', { ifModifiedSince: indexes.lastModified - 1 })).indexes.index).toEqual(indexes.index);
  });
});
