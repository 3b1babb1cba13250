import { rawQuery, type ProjectedQuery } from '@continuo/chassis';
import { sortKey } from '@continuo/contracts';
import { sql, type RawBuilder } from 'kysely';
import type { BatchChanges, FileChange, FolderChange } from './batch-changes.js';
import type { Sign } from './contributions.js';
import { overIds, rowBatches, type Handle } from './handle.js';
import { unnested, type Column } from './pg-array.js';

/** The rows of folders and of the files in them. */
export const folderQueries = (changes: BatchChanges, db: Handle): ProjectedQuery[] => {
  const folders = [...changes.folders.values()].toSorted((a, b) => a.id - b.id);
  const created = folders.filter((folder) => folder.path !== undefined).map(folderRow);
  const withArt = folders
    .filter((folder) => folder.art !== undefined)
    .map((folder) => ({ id: folder.id, art_hash: folder.art?.hash ?? null, art_mime: folder.art?.mime ?? null }));
  const gone = folders.filter((folder) => folder.present === false && folder.path === undefined).map((folder) => folder.id);
  const moved = sql`select unnest(${folders.filter((folder) => folder.present !== undefined).map(({ id }) => id)}::bigint[])`;
  const counted = (sign: Sign) => (created.length + gone.length === 0 ? [] : [countFolders(sign, moved, db)]);
  return [
    ...counted(-1),
    ...rowBatches(
      created,
      (json) => sql`insert into folder (id, catalog_id, parent_id, path, name, name_sort, present)
        select id, catalog_id, parent_id, path, name, name_sort, present from json_populate_recordset(null::folder, ${json})
        on conflict (id) do update set present = excluded.present`,
      db,
    ),
    ...rowBatches(
      withArt,
      (json) =>
        sql`update folder f set art_hash = r.art_hash, art_mime = r.art_mime from json_populate_recordset(null::folder, ${json}) r where f.id = r.id`,
      db,
    ),
    ...overIds(gone, (ids) => sql`update folder set present = false where id = any(${ids})`, db),
    ...counted(1),
    ...fileQueries(changes, db),
  ];
};

const folderRow = (folder: FolderChange) => ({
  id: folder.id,
  catalog_id: folder.catalog_id,
  parent_id: folder.parent_id ?? null,
  path: folder.path,
  name: folder.name,
  name_sort: sortKey(folder.name ?? ''),
  present: folder.present ?? true,
});

/**
 * Takes folders that are there off the totals, or adds them.
 * @param folders a query that gives the ids of the folders concerned
 */
export const countFolders = (sign: Sign, folders: RawBuilder<unknown>, db: Handle): ProjectedQuery =>
  rawQuery(
    sql`insert into counter as t (kind, catalog_id, total)
      select 'folder', c.catalog_id, ${sign}::int * count(*) from (${folders}) n(id) join folder f on f.id = n.id and f.present,
        lateral (values (f.catalog_id), (0)) as c(catalog_id) group by c.catalog_id order by c.catalog_id
      on conflict (kind, catalog_id) do update set total = t.total + excluded.total`,
    db,
  );

const fileQueries = (changes: BatchChanges, db: Handle): ProjectedQuery[] => {
  const files = [...changes.files.values()];
  const written = files.filter((file) => file.kind !== null);
  return [
    ...overIds([...changes.clearedFolders], (ids) => sql`delete from file where folder_id = any(${ids})`, db),
    ...overIds(
      [...changes.clearedSidecars],
      (ids) => sql`delete from file where folder_id = any(${ids}) and kind in ('art', 'lyrics')`,
      db,
    ),
    ...rowBatches(
      files.filter((file) => file.kind === null),
      (json) =>
        sql`delete from file f using json_populate_recordset(null::file, ${json}) r where f.folder_id = r.folder_id and f.name = r.name`,
      db,
    ),
    ...(written.length === 0
      ? []
      : [rawQuery(sql`insert into file select * from ${unnested(fileColumns(written))} ${replacingFiles}`, db)]),
  ];
};

type WrittenFile = Exclude<FileChange, { readonly kind: null }>;

/** In the order of the table. */
const fileColumns = (files: readonly WrittenFile[]): Column[] => [
  ['bigint', files.map(({ folder_id }) => folder_id)],
  ['text', files.map(({ name }) => name)],
  ['text', files.map(({ kind }) => kind)],
  ['bigint', files.map(({ size_bytes }) => size_bytes)],
  ['bigint', files.map(({ mtime_ms }) => mtime_ms)],
  ['bigint', files.map(({ song_id }) => song_id)],
  ['text', files.map(({ skip_reason }) => skip_reason)],
  ['text', files.map(({ skip_message }) => skip_message)],
];

const replacingFiles = sql`on conflict (folder_id, name) do update set kind = excluded.kind, size_bytes = excluded.size_bytes, mtime_ms = excluded.mtime_ms,
  song_id = excluded.song_id, skip_reason = excluded.skip_reason, skip_message = excluded.skip_message`;

/** Notes what the songs that a batch changes have counted in their folders so far; comes before the changes themselves. */
export const folderSongsBefore = (changes: BatchChanges, db: Handle): ProjectedQuery[] =>
  overIds(
    changes.knownSongs(),
    (ids) => sql`insert into touched_folder
      select folder_id, -count(*), -sum(duration_ms) from song where id = any(${ids}) group by folder_id`,
    db,
  );

/** Adds the difference that a batch makes to its folders and to all folders above them. */
export const folderSongsAfter = (changes: BatchChanges, db: Handle): ProjectedQuery => {
  const sums = new Map<number, { folder_id: number; song_count: number; duration_ms: number }>();
  for (const { row } of changes.presentSongs()) {
    const sum = sums.get(row.folder_id) ?? { folder_id: row.folder_id, song_count: 0, duration_ms: 0 };
    sums.set(row.folder_id, { ...sum, song_count: sum.song_count + 1, duration_ms: sum.duration_ms + row.duration_ms });
  }
  return spreadUpwards(
    sql`select * from touched_folder union all select * from json_populate_recordset(null::touched_folder, ${JSON.stringify([...sums.values()])}::json)`,
    db,
  );
};

/** Adds all songs to their folders and to all folders above them. */
export const folderSongsOfAll = (db: Handle): ProjectedQuery =>
  spreadUpwards(sql`select folder_id, count(*) as song_count, sum(duration_ms) as duration_ms from song group by folder_id`, db);

/** @param differences a query that gives folders, and the songs and durations that they gain */
const spreadUpwards = (differences: RawBuilder<unknown>, db: Handle): ProjectedQuery =>
  rawQuery(
    sql`with recursive difference as (
          select folder_id, sum(song_count) as song_count, sum(duration_ms) as duration_ms from (${differences}) as n group by folder_id),
        spread as (
          select * from difference where song_count <> 0 or duration_ms <> 0
          union all select f.parent_id, s.song_count, s.duration_ms from spread s join folder f on f.id = s.folder_id where f.parent_id is not null)
        update folder f set song_count = f.song_count + n.song_count, duration_ms = f.duration_ms + n.duration_ms
        from (select folder_id, sum(song_count) as song_count, sum(duration_ms) as duration_ms from spread group by folder_id) as n
        where f.id = n.folder_id`,
    db,
  );
