import { openDatabase } from '@continuo/chassis';
import type { CatalogId, PodcastId, ReadModel } from '@continuo/contracts';
import { testPostgres, type TestPostgres } from '@continuo/local-servers';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { duePodcasts, pictureKeptFrom, podcastReads, podcastsAfter } from './podcasts.reads.js';

let postgres: TestPostgres;
let db: Kysely<ReadModel>;

beforeAll(async () => {
  postgres = await testPostgres();
  db = openDatabase<ReadModel>({ url: (await postgres.createDatabase()).url, poolSize: 2, applicationName: 'podcast-reads' });
  for (const statement of [
    'create schema library',
    'create table library.catalog (id bigint primary key, gather_types text, enabled boolean)',
    `insert into library.catalog values (1, 'podcast', true), (2, 'podcast', false), (3, 'music', true)`,
    'create table library.podcast (id bigint primary key, catalog_id bigint, feed_url text, etag text, last_modified text, synced_at_ms bigint, image_url text)',
    `insert into library.podcast values (1, 1, 'a', '"1"', null, 500, 'p'), (2, 1, 'b', null, null, 100, null), (3, 1, 'c', null, null, null, null),
      (4, 2, 'd', null, null, 1, null),
      (5, 1, 'e', null, null, 900, null)`,
    'create table library.podcast_art (podcast_id bigint primary key, image_url text)',
    `insert into library.podcast_art values (1, 'q')`,
  ])
    await sql.raw(statement).execute(db);
});
afterAll(async () => {
  await db.destroy();
  await postgres.stop();
});

it('lists due podcasts of enabled catalogs, the longest unvisited first', async () => {
  expect(await duePodcasts(db, 600, 10)).toEqual([3, 2, 1]);
  expect(await duePodcasts(db, 600, 2)).toEqual([3, 2]);
});

it('lists podcasts by id, of all enabled catalogs or of some', async () => {
  const [all, one] = [
    { id: 0, catalogIds: null },
    { id: 1, catalogIds: [1, 2] as CatalogId[] },
  ];
  expect([await podcastsAfter(db, all, 10), await podcastsAfter(db, one, 2)]).toEqual([
    [1, 2, 3, 5],
    [2, 3],
  ]);
  expect(await podcastsAfter(db, { id: 0, catalogIds: [] }, 10)).toEqual([]);
});

it('reads the source address of a picture', async () => {
  expect([await pictureKeptFrom(db, 1 as PodcastId), await pictureKeptFrom(db, 2 as PodcastId)]).toEqual(['q', undefined]);
});

it('reads the podcast that a refresh needs', async () => {
  const reads = podcastReads(db);
  expect(await reads.podcast(1 as PodcastId)).toEqual({ feedUrl: 'a', memory: { etag: '"1"', lastModified: null }, imageUrl: 'p' });
  expect(await reads.podcast(9 as PodcastId)).toBeUndefined();
  expect(await Promise.all([1, 3, 9].map((id) => reads.gathersPodcasts(id as CatalogId)))).toEqual([true, false, false]);
});
