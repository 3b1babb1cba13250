import { openDatabase } from '@continuo/chassis';
import type { RecordedEvent } from '@continuo/contracts';
import { testPostgres, type TestPostgres } from '@continuo/local-servers';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dice } from '../../test/history.js';
import { videoHistory } from '../../test/videos.js';
import { videosProjection } from './videos.projection.js';

let postgres: TestPostgres;
let db: Kysely<unknown>;

beforeAll(async () => {
  postgres = await testPostgres();
  db = openDatabase({ url: postgres.url, poolSize: 4, applicationName: 'spec' });
  await sql`create extension if not exists pg_trgm`.execute(db);
});

afterAll(async () => {
  await db.destroy();
  await postgres.stop();
});

/** Projects a history cut into batches of the given sizes, and answers every table's rows as text. */
const projectInBatches = async (schema: string, events: readonly RecordedEvent[], nextSize: () => number) => {
  const inSchema = (work: (tx: Kysely<unknown>) => Promise<void>) =>
    db.transaction().execute(async (tx) => {
      await sql`set local search_path to ${sql.id(schema)}, public`.execute(tx);
      await work(tx);
    });
  await sql`create schema ${sql.id(schema)}`.execute(db);
  await inSchema(async (tx) => {
    for (const statement of videosProjection.ddl) await sql.raw(statement).execute(tx);
  });
  for (let start = 0; start < events.length;) {
    const batch = events.slice(start, start + nextSize());
    start += batch.length;
    await inSchema(async (tx) => {
      for (const query of videosProjection.project(batch, tx)) await tx.executeQuery(query.compile());
    });
  }
  const tables: Record<string, string[]> = {};
  for (const table of [...videosProjection.publishes, 'video_catalog']) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.id(schema)}.${sql.id(table)} as t order by 1`.execute(db);
    tables[table] = rows.map(({ row }) => row);
  }
  return tables;
};

describe('the projection of videos', () => {
  it.each([1, 2, 3, 4])('gives the same rows however the log is cut (history %i)', async (seed) => {
    const events = videoHistory(seed, 150);
    const roll = dice(seed + 100);
    const single = await projectInBatches(`one_${seed}`, events, () => 1);
    expect(await projectInBatches(`whole_${seed}`, events, () => events.length)).toEqual(single);
    expect(await projectInBatches(`mixed_${seed}`, events, () => 1 + roll(30))).toEqual(single);
    expect(single['video']?.length).toBeGreaterThan(0);
    expect(single['deleted_video']?.length).toBeGreaterThan(0);
  });

  it.each([5, 6])('keeps sums equal to what the tables hold (history %i)', async (seed) => {
    const schema = `sums_${seed}`;
    await projectInBatches(schema, videoHistory(seed, 300), () => 20);
    const table = (name: string) => sql`${sql.id(schema)}.${sql.id(name)}`;
    const wrong = await sql`
      select c.kind, c.catalog_id from ${table('video_counter')} c where c.total <> case c.kind
        when 'video' then (select count(*) from ${table('video')} where c.catalog_id in (0, catalog_id))
        when 'deleted_video' then (select count(*) from ${table('deleted_video')} where c.catalog_id in (0, catalog_id)) else 0 end
      union all
      select 'folder', f.id from ${table('video_folder')} f cross join lateral (
        with recursive below(id) as (select f.id union all select o.id from below b join ${table('video_folder')} o on o.parent_id = b.id)
        select count(*) as videos, coalesce(sum(v.duration_ms), 0) as duration_ms from below b join ${table('video')} v on v.folder_id = b.id) n
        where f.video_count <> n.videos or f.duration_ms <> n.duration_ms
      union all
      select 'genre', g.video_id from ${table('video_genre')} g where not exists (select from ${table('video')} v where v.id = g.video_id)`.execute(
      db,
    );
    expect(wrong.rows).toEqual([]);
  });

  it('tells where deleted videos lay, also after the end of their catalog', async () => {
    await projectInBatches('deletions', videoHistory(7, 120), () => 9);
    const { rows } = await sql<{ file: string }>`select file from deletions.deleted_video`.execute(db);
    for (const { file } of rows) expect(file).toMatch(/^\/films\/[12]\/(?:a\/|a\/b\/|d\/)?\d+\.mp4$/);
    expect(await sql`select 1 from deletions.video where catalog_id = 1`.execute(db)).toMatchObject({ rows: [] });
  });
});
