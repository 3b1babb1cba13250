import { rawQuery, type ProjectedQuery } from '@continuo/chassis';
import type { CatalogEvent, RecordedEvent } from '@continuo/contracts';
import { sql, type RawBuilder } from 'kysely';
import { overIds, rowBatches, type Handle } from '../catalogue/handle.js';
import type { VideoChanges } from './video-changes.js';

type Statement = RawBuilder<unknown>;

/** Columns that the first row of a video settles. */
const changing = [
  'catalog_id',
  'folder_id',
  'file_name',
  'path',
  'title',
  'title_sort',
  'format',
  'mime',
  'video_codec',
  'audio_codec',
  'width_px',
  'height_px',
  'duration_ms',
  'bitrate_bps',
  'size_bytes',
  'mtime_ms',
  'release_date',
  'updated_at_ms',
  'doc',
];

/**
 * Takes videos off the totals and off what their folders and those above them hold, or adds them.
 * @param videos a query that gives the ids
 */
const counted = (sign: 1 | -1, videos: Statement): Statement[] => [
  sql`insert into video_counter as t (kind, catalog_id, total)
    select 'video', c.catalog_id, ${sign}::int * count(*) from video v, lateral (values (v.catalog_id), (0)) as c(catalog_id)
      where v.id in (${videos}) group by c.catalog_id order by c.catalog_id
    on conflict (kind, catalog_id) do update set total = t.total + excluded.total`,
  sql`with recursive spread as (
      select folder_id, ${sign}::int * count(*) as videos, ${sign}::int * sum(duration_ms) as duration_ms from video where id in (${videos}) group by folder_id
      union all select f.parent_id, s.videos, s.duration_ms from spread s join video_folder f on f.id = s.folder_id where f.parent_id is not null)
    update video_folder f set video_count = f.video_count + n.videos, duration_ms = f.duration_ms + n.duration_ms
      from (select folder_id, sum(videos) as videos, sum(duration_ms) as duration_ms from spread group by folder_id) as n where f.id = n.folder_id`,
];

/** Remembers videos that go, then takes them away. `gone` gives their ids (`id`) and when they went (`at_ms`). */
const removals = (gone: Statement): Statement[] => [
  sql`insert into deleted_video
    select v.id, v.catalog_id, v.title, c.path || '/' || v.path, v.added_at_ms, g.at_ms
    from (${gone}) as g join video v on v.id = g.id join video_catalog c on c.id = v.catalog_id`,
  sql`insert into video_counter as t (kind, catalog_id, total)
    select 'deleted_video', c.catalog_id, count(*) from (${gone}) as g join video v on v.id = g.id, lateral (values (v.catalog_id), (0)) as c(catalog_id)
      group by c.catalog_id order by c.catalog_id
    on conflict (kind, catalog_id) do update set total = t.total + excluded.total`,
  sql`delete from video_genre where video_id in (select g.id from (${gone}) as g)`,
  sql`delete from video where id in (select g.id from (${gone}) as g)`,
];

/** Raises the versions of lists that changed; position 0 stands for no change. Whether a catalog was ever counted depends on how the log was cut. */
const listsChanged = (positions: Record<'video' | 'deleted_video', number>): Statement[] => {
  const changed = Object.entries(positions).filter(([, position]) => position > 0);
  if (changed.length === 0) return [];
  return [
    sql`insert into video_counter as t (kind, catalog_id, version)
      select n.kind, 0, n.version from unnest(${changed.map(([kind]) => kind)}::text[], ${changed.map(([, position]) => position)}::bigint[]) as n(kind, version)
      on conflict (kind, catalog_id) do update set version = greatest(t.version, excluded.version)`,
    sql`delete from video_counter where catalog_id <> 0 and total = 0`,
  ];
};

const queries = (statements: readonly Statement[], db: Handle): ProjectedQuery[] => statements.map((statement) => rawQuery(statement, db));

/** The statements for a run of events about folders and their videos. */
export const videoRun = (changes: VideoChanges, db: Handle): ProjectedQuery[] => {
  const folders = rowBatches(
    [...changes.folders.values()],
    (json) => sql`insert into video_folder (id, catalog_id, parent_id)
      select r.id, r.catalog_id, r.parent_id from json_populate_recordset(null::video_folder, ${json}) r join video_catalog c on c.id = r.catalog_id
      on conflict (id) do nothing`,
    db,
  );
  const ids = changes.ids();
  if (ids.length === 0) return folders;
  const touched = sql`select unnest(${ids}::bigint[])`;
  const gone = sql`select * from unnest(${[...changes.removed.keys()]}::bigint[], ${[...changes.removed.values()]}::bigint[]) as r(id, at_ms)`;
  return [
    ...folders,
    ...queries(counted(-1, touched), db),
    ...rowQueries(changes, db),
    ...highestIds(changes, db),
    ...(changes.removed.size > 0 ? queries(removals(gone), db) : []),
    ...queries(counted(1, touched), db),
    ...queries(listsChanged({ video: changes.listPosition, deleted_video: changes.deletedPosition }), db),
  ];
};

const rowQueries = (changes: VideoChanges, db: Handle): ProjectedQuery[] => {
  const genres = [...changes.genresOf].flatMap(([video_id, ids]) => ids.map((genre_id, position) => ({ video_id, genre_id, position })));
  const set = sql.raw(changing.map((column) => `${column} = excluded.${column}`).join(', '));
  return [
    ...rowBatches(
      [...changes.genres].map(([id, name]) => ({ id, name })),
      (json) => sql`insert into video_tag select * from json_populate_recordset(null::video_tag, ${json}) on conflict (id) do nothing`,
      db,
    ),
    ...rowBatches(
      [...changes.rows.values()],
      (json) => sql`insert into video select * from json_populate_recordset(null::video, ${json}) on conflict (id) do update set ${set}`,
      db,
    ),
    ...overIds([...changes.genresOf.keys()], (list) => sql`delete from video_genre where video_id = any(${list})`, db),
    ...rowBatches(genres, (json) => sql`insert into video_genre select * from json_populate_recordset(null::video_genre, ${json})`, db),
  ];
};

/** Notes the highest ids that were given, also to what came and went within the run. */
const highestIds = (changes: VideoChanges, db: Handle): ProjectedQuery[] => {
  const highest = { video: changes.rows.keys(), video_tag: changes.genres.keys() };
  const rows = Object.entries(highest).flatMap(([kind, ids]) => {
    const max_id = [...ids].reduce((max, id) => Math.max(max, id), 0);
    return max_id > 0 ? [{ kind, catalog_id: 0, total: 0, max_id, version: 0 }] : [];
  });
  return rowBatches(
    rows,
    (json) => sql`insert into video_counter as t select * from json_populate_recordset(null::video_counter, ${json})
      on conflict (kind, catalog_id) do update set max_id = greatest(t.max_id, excluded.max_id)`,
    db,
  );
};

/** A new catalog, if it gathers videos. */
export const videoCatalogAdded = (event: RecordedEvent<Extract<CatalogEvent, { type: 'CatalogAdded' }>>, db: Handle): ProjectedQuery[] =>
  event.data.gatherTypes === 'video'
    ? queries([sql`insert into video_catalog values (${event.data.catalogId}, ${event.data.path})`], db)
    : [];

/** The end of a catalog: its videos are remembered as deleted. */
export const videoCatalogRemoved = (
  event: RecordedEvent<Extract<CatalogEvent, { type: 'CatalogRemoved' }>>,
  db: Handle,
): ProjectedQuery[] => {
  const { catalogId } = event.data;
  const videos = sql`select id from video where catalog_id = ${catalogId}`;
  const gone = sql`select id, ${event.at}::bigint as at_ms from video where catalog_id = ${catalogId}`;
  const positions = { video: event.position, deleted_video: event.position };
  return queries(
    [
      ...counted(-1, videos),
      ...removals(gone),
      sql`delete from video_folder where catalog_id = ${catalogId}`,
      sql`delete from video_catalog where id = ${catalogId}`,
      ...listsChanged(positions),
    ],
    db,
  );
};
