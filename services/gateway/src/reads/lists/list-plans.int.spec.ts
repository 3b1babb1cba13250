import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { by, listQuery } from '../../apis/native/paging.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { seedSyntheticLibrary } from '../../../test/library/synthetic-library.js';
import { listDefinitions, type ListKind } from '../../kinds/index.js';
import type { Condition } from './list-query.js';
import { idsStatement } from './list-statement.js';
import type { Viewer } from '../visibility/viewer.js';

const SONGS = 20_000;
let model: TestReadModel;
beforeAll(async () => {
  model = await testReadModel();
  await seedSyntheticLibrary(model.write as unknown as Kysely<unknown>, SONGS);
  await seedVideos();
}, 120_000);
afterAll(() => model.close());

const all: Viewer = { userId: 1, catalogs: 'all' };
const some: Viewer = { userId: 1, catalogs: [2] };

/** As many videos as songs, four to a folder. */
const seedVideos = async (): Promise<void> => {
  await sql`insert into library.video (id, catalog_id, folder_id, file_name, path, title, title_sort, format, mime, width_px, height_px, duration_ms, bitrate_bps,
      size_bytes, mtime_ms, added_at_ms, updated_at_ms, random_key, doc)
    select n, 1 + n % 2, 1 + n / 4, n || '.mp4', n || '.mp4', 'Video ' || md5(n::text), 'video ' || md5(n::text), 'mp4', 'video/mp4', 640, 480, 1000, 1, n, n,
      1700000000000 + n, 1700000000000 + n, n / ${SONGS}::float8, '{"genres":[]}' from generate_series(1, ${SONGS}) n`.execute(model.write);
  await sql`insert into library.video_genre select n, 1 + n % 50, 0 from generate_series(1, ${SONGS}) n`.execute(model.write);
  await sql`analyze`.execute(model.write);
};

/** The tables that a statement reads from end to end. */
const scanned = async (kind: ListKind, own: readonly Condition[], order: string, viewer: Viewer): Promise<string[]> => {
  const statement = idsStatement(listDefinitions[kind], listQuery(kind, { offset: 0, limit: 500 }, own, by(order)), viewer);
  const { rows } = await sql<Record<string, string>>`explain ${statement}`.execute(model.read);
  return rows.flatMap((row) => /Seq Scan on (\w+)/.exec(row['QUERY PLAN'] ?? '')?.[1] ?? []);
};

/** One list, with its default order, that must not read the large tables from end to end. */
interface Case {
  readonly method: string;
  readonly kind: ListKind;
  readonly own: readonly Condition[];
  readonly order: string;
}
const is = (name: string, value: string): Condition[] => [{ name, value }];
const cases: Case[] = [
  { method: 'songs', kind: 'song', own: [], order: 'title' },
  { method: 'songs by id', kind: 'song', own: [], order: 'id' },
  { method: 'songs of a catalog', kind: 'song', own: is('catalog', '2'), order: 'title' },
  { method: 'songs by name', kind: 'song', own: is('alpha_match', 'af31'), order: 'title' },
  { method: 'songs added since', kind: 'song', own: is('add_gt', String(Math.floor(1_700_000_000 + SONGS / 1000 - 1))), order: 'title' },
  {
    method: 'songs updated since',
    kind: 'song',
    own: is('update_gt', String(Math.floor(1_700_000_000 + SONGS / 1000 - 1))),
    order: 'title',
  },
  { method: 'artist_songs', kind: 'song', own: is('artist', '7'), order: 'name' },
  { method: 'album_songs', kind: 'song', own: is('album', '7'), order: 'album_disk' },
  { method: 'album_disk_songs', kind: 'song', own: is('album_disk', String(7 * 256 + 1)), order: 'track' },
  { method: 'genre_songs', kind: 'song', own: is('tag', '7'), order: 'name' },
  { method: 'license_songs', kind: 'song', own: is('license', '2'), order: 'name' },
  { method: 'albums', kind: 'album', own: [], order: 'name_year' },
  { method: 'albums by name', kind: 'album', own: is('alpha_match', 'af31'), order: 'name_year' },
  { method: 'albums of a name', kind: 'album', own: is('exact_match', 'Album af31'), order: 'name_year' },
  { method: 'artist_albums', kind: 'album', own: is('artist', '7'), order: 'name_year' },
  { method: 'artist_albums of an album artist', kind: 'album', own: is('album_artist', '7'), order: 'name_year' },
  { method: 'genre_albums', kind: 'album', own: is('tag', '7'), order: 'name_year' },
  { method: 'album_disks', kind: 'album_disk', own: is('album', '7'), order: 'disk' },
  { method: 'artists', kind: 'artist', own: [], order: 'name' },
  { method: 'folders', kind: 'folder', own: is('parent', '7'), order: 'name' },
  { method: 'videos', kind: 'video', own: [], order: 'title' },
  { method: 'videos by id', kind: 'video', own: [], order: 'id' },
  { method: 'videos of a catalog', kind: 'video', own: is('catalog', '2'), order: 'title' },
  { method: 'videos by name', kind: 'video', own: is('alpha_match', 'af31'), order: 'title' },
  { method: 'videos of a genre', kind: 'video', own: is('genre', '7'), order: 'title' },
  { method: 'videos added since', kind: 'video', own: is('add_gt', String(Math.floor(1_700_000_000 + SONGS / 1000 - 1))), order: 'title' },
];

describe('no list reads a large table from end to end', () => {
  it.each(cases)('$method', async ({ kind, own, order }) => {
    const large = ['song', 'album', 'artist', 'song_artist', 'song_genre', 'folder', 'video', 'video_genre'];
    expect((await scanned(kind, own, order, all)).filter((table) => large.includes(table))).toEqual([]);
  });
  it.each(cases.filter(({ kind }) => kind === 'song'))('$method, of some catalogs', async ({ kind, own, order }) => {
    expect(await scanned(kind, own, order, some)).toEqual([]);
  });
});
