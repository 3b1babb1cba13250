import { openDatabase, type ProjectedQuery, type Projection } from '@continuo/chassis';
import {
  genreMerged,
  genreUnmerged,
  tracksRemoved,
  type DomainEvent,
  type GenreId,
  type RecordedEvent,
  type tracksAdded,
} from '@continuo/contracts';
import { testPostgres, type TestPostgres } from '@continuo/local-servers';
import { someOf } from '@continuo/local-servers/test-form';
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dice, history } from '../../test/history.js';
import { catalogueProjection } from './catalogue.projection.js';

/** Tables that no reader sees: what a batch notes for itself, and what later batches rest on. */
const notes = ['touched_album', 'touched_artist', 'touched_song', 'touched_folder'];
const hidden = ['song_tag_genre', 'genre_target'];

let postgres: TestPostgres;
let db: Kysely<unknown>;

const { filling } = catalogueProjection as Required<Projection>;

/** Projects a history cut into batches of the given sizes, and answers every table's rows as text. Of the first events only rows are written, which are summed up after them. */
const projectInBatches = async (
  schema: string,
  events: readonly RecordedEvent[],
  nextSize: () => number,
  filled = 0,
): Promise<Record<string, string[]>> => {
  const write = (statements: (tx: Transaction<unknown>) => readonly ProjectedQuery[]): Promise<void> =>
    db.transaction().execute(async (tx) => {
      await sql`set local search_path to ${sql.id(schema)}, public`.execute(tx);
      for (const query of statements(tx)) await tx.executeQuery(query.compile());
    });
  const inBatches = async (part: readonly RecordedEvent[], { project }: Pick<Projection, 'project'>): Promise<void> => {
    for (let start = 0; start < part.length;) {
      const batch = part.slice(start, start + nextSize());
      start += batch.length;
      await write((tx) => project(batch, tx));
    }
  };
  await sql`create schema ${sql.id(schema)}`.execute(db);
  await write((tx) => catalogueProjection.ddl.map((statement) => ({ compile: () => sql.raw(statement).compile(tx) })));
  await inBatches(events.slice(0, filled), filling);
  await write((tx) => filling.derive(tx));
  await inBatches(events.slice(filled), catalogueProjection);
  const tables: Record<string, string[]> = {};
  for (const table of [...catalogueProjection.publishes, ...notes, ...hidden]) {
    const found = await sql<{ row: string }>`select t::text as row from ${sql.id(schema)}.${sql.id(table)} as t order by 1`.execute(db);
    tables[table] = found.rows.map((row) => row.row);
  }
  return tables;
};

beforeAll(async () => {
  postgres = await testPostgres();
  db = openDatabase({ url: postgres.url, poolSize: 4, applicationName: 'spec' });
  await sql`create extension if not exists pg_trgm`.execute(db);
});

afterAll(async () => {
  await db.destroy();
  await postgres.stop();
});

describe('the catalogue projection', () => {
  it.each(someOf([1, 2, 3, 4, 5, 6], 2))(
    'gives the same rows however the log is cut, and when they are summed up (history %i)',
    async (seed) => {
      const events = history(seed, 160);
      const roll = dice(seed + 100);
      const single = await projectInBatches(`one_${seed}`, events, () => 1);
      const whole = await projectInBatches(`whole_${seed}`, events, () => events.length);
      const mixed = await projectInBatches(`mixed_${seed}`, events, () => 1 + roll(40));
      expect(whole).toEqual(single);
      expect(mixed).toEqual(single);
      const half = Math.trunc(events.length / 2);
      for (const [name, filled] of Object.entries({ all: events.length, half, some: roll(events.length) }))
        expect(await projectInBatches(`filled_${name}_${seed}`, events, () => 1 + roll(40), filled)).toEqual(single);
      for (const table of notes) expect(single[table]).toEqual([]);
    },
  );

  it('remembers the highest id of a song that came and went within one batch', async () => {
    const added = history(2, 40).filter((event) => event.type !== 'TracksRemoved' && event.type !== 'CatalogRemoved');
    const last = added.findLast((event) => event.type === 'TracksAdded') as RecordedEvent<ReturnType<typeof tracksAdded>>;
    const { folderId, catalogId, tracks } = last.data;
    const songs = tracks.map(({ songId, fileName }) => ({ songId, fileName }));
    const gone = tracksRemoved({ folderId, catalogId, songs });
    const events = [...added, { ...last, ...gone, position: 1000, at: 9999 }];
    expect(await projectInBatches('came_whole', events, () => events.length)).toEqual(
      await projectInBatches('came_single', events, () => 1),
    );
    const { rows } = await sql<{ max_id: number }>`select max_id from came_whole.counter where kind = 'song' and catalog_id = 0`.execute(
      db,
    );
    expect(rows[0]?.max_id).toBe(Math.max(...songs.map((song) => song.songId)));
  });

  it.each(someOf([7, 9, 12], 1))('keeps sums equal to what the tables hold (history %i)', async (seed) => {
    const schema = `totals_${seed}`;
    await projectInBatches(schema, history(seed, 400), () => 25);
    const faults = (query: RawBuilder<unknown>) =>
      db.transaction().execute(async (tx) => {
        await sql`set local search_path to ${sql.id(schema)}, public`.execute(tx);
        return (await query.execute(tx)).rows;
      });
    expect(await faults(wrongTotals)).toEqual([]);
    for (const query of wrongSums) expect(await faults(query)).toEqual([]);
  });

  it.each(someOf([3, 8], 1))(
    'keeps what people do on songs, and whether albums are explicit, as the songs say (history %i)',
    async (seed) => {
      const schema = `parts_${seed}`;
      await projectInBatches(schema, history(seed, 300), () => 9);
      const wrongRoles = sql`
      select a.id, a.doc::jsonb -> 'roles' as kept, x.roles from artist a left join (
        select artist_id, jsonb_object_agg(role, catalogs) as roles
        from (select c.artist_id, c.role, jsonb_agg(distinct s.catalog_id) as catalogs from song_contributor c join song s on s.id = c.song_id group by 1, 2) y
        group by artist_id) x on x.artist_id = a.id
      where (a.doc::jsonb -> 'roles') is distinct from x.roles`;
      const wrongStatus = sql`
      select a.id from album a where a.song_count > 0 and (a.doc::jsonb ->> 'explicit') is distinct from
        (select case when bool_or(s.doc::jsonb ->> 'explicit' = 'explicit') then 'explicit' when bool_or(s.doc::jsonb ->> 'explicit' = 'clean') then 'clean' end
         from song s where s.album_id = a.id)`;
      const orphans = sql`select c.* from song_contributor c left join song s on s.id = c.song_id and s.catalog_id = c.catalog_id where s.id is null`;
      const parts = sql`select distinct artist_id from song_contributor`;
      await db.transaction().execute(async (tx) => {
        await sql`set local search_path to ${sql.id(schema)}, public`.execute(tx);
        for (const query of [wrongRoles, wrongStatus, orphans]) expect((await query.execute(tx)).rows).toEqual([]);
        expect((await parts.execute(tx)).rows.length).toBeGreaterThan(2);
      });
    },
  );

  it('remembers what it took away as the log last had it', async () => {
    const events = history(5, 300);
    const tables = await projectInBatches('deletions', events, () => 7);
    const gone = events.flatMap((event) =>
      event.type === 'TracksRemoved' ? (event as Removed).data.songs.map(({ songId }) => songId) : [],
    );
    expect(tables['deleted_song']?.map((row) => Number(/\d+/.exec(row)?.[0])).toSorted((a, b) => a - b)).toEqual(
      gone.toSorted((a, b) => a - b),
    );
    const { rows } = await sql<{
      file: string;
    }>`select distinct regexp_replace(file, '[0-9]+[.]mp3$', '') as file from deletions.deleted_song order by 1`.execute(db);
    expect(rows.map(({ file }) => file)).toEqual(['/music/1/', '/music/1/a/', '/music/1/a/b/', '/music/1/c/', '/music/2/', '/music/2/d/']);
  });

  it('gives songs what their genres were merged into, and their own again afterwards', async () => {
    const events = history(1, 80).filter((event) => !event.type.startsWith('Genre'));
    const genreId = 1 as GenreId;
    const decided = (data: DomainEvent, position: number): RecordedEvent => ({
      ...(events[0] as RecordedEvent),
      ...data,
      at: 5000,
      position,
    });
    const merge = [
      decided(genreMerged({ genreId, intoIds: [2 as GenreId] }), 900),
      decided(genreMerged({ genreId: 2 as GenreId, intoIds: [3 as GenreId] }), 901),
    ];
    const undo = [decided(genreUnmerged({ genreId }), 902), decided(genreUnmerged({ genreId: 2 as GenreId }), 903)];
    const before = await projectInBatches('unmerged', events, () => 20);
    const merged = await projectInBatches('merged', [...events, ...merge], () => 20);
    const after = await projectInBatches('undone', [...events, ...merge, ...undo], () => 20);
    expect(merged['song_genre']?.filter((row) => /,[12],\d+\)$/.test(row))).toEqual([]);
    const shown = sql`select id from merged.song where doc::jsonb -> 'genres' @> '[{"id": 1}]' or doc::jsonb -> 'genres' @> '[{"id": 2}]'`;
    expect((await shown.execute(db)).rows).toEqual([]);
    expect({ ...after, counter: [] }).toEqual({ ...before, counter: [] });
  });
});

type Removed = RecordedEvent<ReturnType<typeof tracksRemoved>>;

const wrongTotals = sql`
  select c.kind, c.catalog_id, c.total, n.real from counter c join lateral (select case c.kind
    when 'song' then (select count(*) from song where c.catalog_id in (0, catalog_id))
    when 'album' then (select count(*) from album where song_count > 0 and c.catalog_id in (0, catalog_id))
    when 'artist' then (select count(*) from artist where song_count > 0 or album_count > 0)
    when 'genre' then (select count(*) from genre where song_count > 0 and not hidden)
    when 'label' then (select count(*) from label where album_count > 0) when 'license' then (select count(*) from license where song_count > 0)
    when 'folder' then (select count(*) from folder where present and c.catalog_id in (0, catalog_id))
    when 'deleted_song' then (select count(*) from deleted_song where c.catalog_id in (0, catalog_id)) else c.total end as real) n on true
  where c.total <> n.real`;

const wrongSums = [
  sql`select id from song where title is distinct from doc::json ->> 'title' or id <> (doc::json ->> 'id')::bigint`,
  sql`select g.id from genre g where g.song_count <> (select count(*) from song_genre x where x.genre_id = g.id)
    or g.album_count <> (select count(*) from album_genre x where x.genre_id = g.id)
    or g.artist_count <> (select count(*) from artist_genre x where x.genre_id = g.id)`,
  sql`select artist_id, genre_id, song_count from artist_genre except
    select a.artist_id, g.genre_id, count(*)::int from song_artist a join song_genre g using (song_id) group by 1, 2`,
  sql`select g.song_id from song_genre g join genre_merge m using (genre_id)`,
  sql`select l.id from label l where l.artist_count <> (select count(*) from artist_label x where x.label_id = l.id)
    or l.album_count <> (select count(*) from album_label x join album a on a.id = x.album_id where x.label_id = l.id and a.song_count > 0)`,
  sql`select artist_id, label_id, album_count from artist_label except
    select aa.artist_id, x.label_id, count(*)::int from album_label x join album a on a.id = x.album_id and a.song_count > 0 join album_artist aa using (album_id)
    group by 1, 2`,
  sql`select l.id from license l where l.song_count <> (select count(*) from song s where s.license_id = l.id)`,
  sql`with recursive below(top, id) as (select id, id from folder union all select b.top, f.id from below b join folder f on f.parent_id = b.id)
    select f.id from folder f cross join lateral (select count(*) as songs, coalesce(sum(s.duration_ms), 0) as duration_ms
      from below b join song s on s.folder_id = b.id where b.top = f.id) n
    where f.song_count <> n.songs or f.duration_ms <> n.duration_ms`,
  sql`(select album_id, least(disk, 255), count(*)::int, sum(duration_ms)::bigint, sum(size_bytes)::bigint, album_id * 256 + least(disk, 255) from song group by 1, 2)
    except select album_id, disk, song_count, duration_ms, size_bytes, id from album_disk`,
  sql`select d.id from album_disk d where not exists (select 1 from song s where s.album_id = d.album_id and least(s.disk, 255) = d.disk)`,
];
