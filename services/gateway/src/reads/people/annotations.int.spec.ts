import type { AnnotatedKind } from '@continuo/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AnnotationWriter, FIRST_FLAGGED_MS } from '../../../test/library/annotation-writer.js';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { fixtureSongs } from '../../../test/library/fixture-songs.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { firstAbsent } from '../../kinds/visible-objects.reads.js';
import { annotationsOf, UNANNOTATED } from './annotations.reads.js';
import { bestRatedAlbumIds, favouriteIds } from './favourites.reads.js';
import type { Viewer } from '../visibility/viewer.js';

let model: TestReadModel;
let writer: AnnotationWriter;
const everywhere: Viewer = { userId: 1, catalogs: 'all' };

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
  writer = new AnnotationWriter(model.write);
  await writer.seed();
});
afterAll(() => model.close());

describe('annotations of a page', () => {
  it('are the viewer’s own, with the mean of all', async () => {
    const mine = await annotationsOf(model.read, everywhere, 'song', [1, 2, 3, 4]);
    expect([1, 2, 3, 4].map(mine)).toEqual([
      { flaggedAtMs: FIRST_FLAGGED_MS, rating: 5, averageRating: 3.67, bookmarkMs: null },
      { flaggedAtMs: null, rating: null, averageRating: 4, bookmarkMs: null },
      { flaggedAtMs: FIRST_FLAGGED_MS + 60_000, rating: null, averageRating: null, bookmarkMs: null },
      UNANNOTATED,
    ]);
    const theirs = await annotationsOf(model.read, { ...everywhere, userId: 2 }, 'song', [1, 2]);
    expect([1, 2].map(theirs)).toEqual([
      { flaggedAtMs: null, rating: 3, averageRating: 3.67, bookmarkMs: null },
      { flaggedAtMs: FIRST_FLAGGED_MS, rating: 4, averageRating: 4, bookmarkMs: null },
    ]);
  });
  it('keep kinds apart', async () => {
    expect((await annotationsOf(model.read, everywhere, 'album_disk', [1]))(1)).toEqual(UNANNOTATED);
    expect((await annotationsOf(model.read, everywhere, 'song', []))(1)).toEqual(UNANNOTATED);
  });
});

describe('what can be annotated', () => {
  const absentOf = (viewer: Viewer, ...objects: readonly (readonly [AnnotatedKind, number])[]) =>
    firstAbsent(
      model.read,
      viewer,
      objects.map(([kind, objectId]) => ({ kind, objectId })),
    );
  it('is what is there', async () => {
    expect(
      await absentOf(everywhere, ['song', 1], ['album', 1], ['artist', 1], ['album_disk', 257], ['folder', 1], ['genre', 1]),
    ).toBeUndefined();
    expect(await absentOf(everywhere, ['song', 1], ['song', 999], ['album', 999])).toEqual({ kind: 'song', objectId: 999 });
    for (const kind of ['playlist', 'search', 'podcast', 'podcast_episode', 'video', 'live_stream'] as const)
      expect(await absentOf(everywhere, [kind, 1])).toEqual({ kind, objectId: 1 });
  });
  it('is in a catalog that the viewer may see', async () => {
    const second: Viewer = { userId: 1, catalogs: [2] };
    const { rows } = await sql<{ kind: AnnotatedKind; id: number; catalog: number }>`
      select 'song' as kind, id, catalog_id as catalog from library.song union all select 'album', id, catalog_id from library.album
      union all select 'album_disk', id, catalog_id from library.album_disk union all select 'folder', id, catalog_id from library.folder
      union all select 'artist', artist_id, min(catalog_id) from library.artist_catalog group by artist_id having count(*) = 1
      union all select 'catalog', id, id from library.catalog`.execute(model.read);
    expect(new Set(rows.map((row) => row.catalog))).toEqual(new Set([1, 2]));
    for (const { kind, id, catalog } of rows)
      expect(await absentOf(second, [kind, id])).toEqual(catalog === 2 ? undefined : { kind, objectId: id });
    expect(await absentOf({ userId: 1, catalogs: [] }, ['song', 1])).toEqual({ kind: 'song', objectId: 1 });
  });
  it('is no folder that has gone', async () => {
    await model.write.updateTable('library.folder').set({ present: false }).where('id', '=', 1).execute();
    expect(await absentOf(everywhere, ['folder', 1])).toEqual({ kind: 'folder', objectId: 1 });
    await model.write.updateTable('library.folder').set({ present: true }).where('id', '=', 1).execute();
  });
});

describe('favourites and best rated', () => {
  it('come newest first, of the catalogs asked for, and whole or in pages', async () => {
    const list = (scope: 'all' | number[], page?: { limit: number; offset: number }) =>
      favouriteIds(model.read, 1, { kind: 'song', scope }, page);
    expect(await list('all')).toEqual([3, 1]);
    expect(await list('all', { limit: 1, offset: 1 })).toEqual([1]);
    expect(await list([2])).toEqual([]);
    expect(await favouriteIds(model.read, 1, { kind: 'artist', scope: [1] })).toEqual([1]);
    expect(await favouriteIds(model.read, 1, { kind: 'artist', scope: [] })).toEqual([]);
    expect(await favouriteIds(model.read, 1, { kind: 'album', scope: 'all' })).toEqual([1]);
  });
  it('leave out what has gone from the library', async () => {
    await writer.flag({ userId: 1, kind: 'song', objectId: 998 }, FIRST_FLAGGED_MS);
    expect(await favouriteIds(model.read, 1, { kind: 'song', scope: 'all' })).toEqual([3, 1]);
    await writer.rate({ userId: 1, kind: 'album', objectId: 998 }, 5);
    expect(await bestRatedAlbumIds(model.read, 'all', { limit: 10, offset: 0 })).toEqual([2, 1]);
  });
  it('are found by their indexes among many', async () => {
    await sql`insert into social.user_flag select u, 'album', id, id from generate_series(50, 60) u, generate_series(1, 2000) id`.execute(
      model.write,
    );
    await sql`insert into social.rating_average select 'album', id, 2, 2 + id % 9 from generate_series(1000, 20000) id`.execute(
      model.write,
    );
    await sql`analyze`.execute(model.write);
    const plan = async (statement: string) => {
      const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${sql.raw(statement)}`.execute(model.read);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    };
    const newest = await plan(`select f.object_id from social.user_flag f where f.user_id = 55 and f.kind = 'album'
      order by f.flagged_at_ms desc, f.object_id desc limit 50`);
    expect(newest).toContain('user_flag_by_time');
    expect(newest).not.toContain('Sort');
    const best = await plan(`select r.object_id from social.rating_average r where r.kind = 'album'
      order by (r.rating_sum::float8 / nullif(r.rating_count, 0)) desc, r.rating_count desc, r.object_id limit 50`);
    expect(best).toContain('rating_average_by_value');
    expect(best).not.toContain('Sort');
  });
});
