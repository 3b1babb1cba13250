import { sql, type Kysely } from 'kysely';
import { fileNameOf, type MediaFile } from '../disk/music.js';
import type { LibraryLog } from '../log/library-log.js';
import { equal, noneOf, type Finding } from './finding.js';

/** A song as the published tables show it. */
export interface SongSeen {
  readonly id: number;
  readonly folderId: number;
  readonly fileName: string;
  /** Relative to the catalog's root. */
  readonly path: string;
  readonly title: string;
  readonly sizeBytes: number;
}

/** All songs of a catalog. */
export const songsOf = async (db: Kysely<unknown>, catalogId: number): Promise<SongSeen[]> => {
  const found = await sql<SongSeen>`
    select s.id, s.folder_id as "folderId", s.file_name as "fileName", case f.path when '' then '' else f.path || '/' end || s.file_name as path,
      s.title, s.size_bytes as "sizeBytes"
    from library.song s join library.folder f on f.id = s.folder_id where s.catalog_id = ${catalogId} order by s.id`.execute(db);
  return found.rows;
};

/** Whether every file of a folder is exactly one song under its title, and every song such a file. */
export const checkAgainstDisk = (name: string, songs: readonly SongSeen[], files: readonly MediaFile[]): Finding[] => {
  const byPath = Map.groupBy(songs, (song) => song.path);
  const onDisk = new Map(files.map((file) => [file.path, file]));
  const wrong = songs.flatMap((song) => {
    const file = onDisk.get(song.path);
    return file && (fileNameOf(song.title) !== file.title || song.sizeBytes !== file.sizeBytes) ? [`${song.path} is "${song.title}"`] : [];
  });
  return [
    equal(`${name}: songs = files`, songs.length, files.length),
    noneOf(
      `${name}: lost`,
      files.filter((file) => !byPath.has(file.path)).map((file) => file.path),
    ),
    noneOf(
      `${name}: doubled`,
      [...byPath].filter(([, same]) => same.length > 1).map(([path, same]) => `${path} ×${same.length}`),
    ),
    noneOf(
      `${name}: songs without a file`,
      songs.filter((song) => !onDisk.has(song.path)).map((song) => song.path),
    ),
    noneOf(`${name}: wrong title or size`, wrong),
  ];
};

/** Whether songs that lie elsewhere than before are still the same songs. `origins` names the old path by the new one. */
export const checkMoves = (
  name: string,
  before: readonly SongSeen[],
  after: readonly SongSeen[],
  origins: ReadonlyMap<string, string>,
): Finding => {
  const idBefore = new Map(before.map((song) => [song.path, song.id]));
  const renumbered = after.filter((song) => {
    const origin = origins.get(song.path);
    return origin !== undefined && idBefore.get(origin) !== song.id;
  });
  return noneOf(
    `${name}: moved songs under another id`,
    renumbered.map((song) => `${song.path} is ${song.id}, was ${idBefore.get(origins.get(song.path) ?? '')}`),
    `none of ${origins.size}`,
  );
};

/** Rules that hold inside the tables whatever was scanned. */
export const checkTables = async (db: Kysely<unknown>): Promise<Finding[]> => {
  const offenders = async (check: string, query: ReturnType<typeof sql<{ what: string }>>): Promise<Finding> =>
    noneOf(
      check,
      (await query.execute(db)).rows.map((row) => row.what),
    );
  return [
    await offenders(
      'one song per file',
      sql`select folder_id || '/' || file_name as what from library.song group by folder_id, file_name having count(*) > 1`,
    ),
    await offenders(
      'one folder per catalog and path',
      sql`select catalog_id || ':' || path as what from library.folder group by catalog_id, path having count(*) > 1`,
    ),
    await offenders(
      'one file row per folder and name',
      sql`select folder_id || '/' || name as what from library.file group by folder_id, name having count(*) > 1`,
    ),
    await offenders(
      'songs and track files belong together',
      sql`select coalesce(s.id, f.song_id)::text as what
          from library.song s full join (select * from library.file where kind = 'track') f on f.song_id = s.id and f.folder_id = s.folder_id and f.name = s.file_name
          where s.id is null or f.song_id is null`,
    ),
    await offenders(
      'counters = rows',
      sql`select c.kind || ' ' || c.catalog_id || ': ' || c.total || ' for ' || n.rows as what
          from library.counter c join (select catalog_id, count(*) as rows from library.song group by catalog_id union all select 0, count(*) from library.song) n
            on n.catalog_id = c.catalog_id where c.kind = 'song' and c.total <> n.rows`,
    ),
    await offenders(
      'albums are sums of their songs',
      sql`select a.id::text as what from library.album a left join (select album_id, count(*) as n from library.song group by album_id) s on s.album_id = a.id
          where a.song_count <> coalesce(s.n, 0)`,
    ),
  ];
};

/** Whether the tables show the songs that the log leaves, and the log keeps its own rules. */
export const checkAgainstLog = async (db: Kysely<unknown>, log: LibraryLog): Promise<Finding[]> => {
  const found = await sql<{
    id: number;
    folderId: number;
    fileName: string;
    title: string;
  }>`select id, folder_id as "folderId", file_name as "fileName", title from library.song`.execute(db);
  const differing = found.rows.filter((row) => {
    const logged = log.songs.get(row.id);
    return !logged || logged.folderId !== row.folderId || logged.fileName !== row.fileName || logged.title !== row.title;
  });
  return [
    noneOf('log: song ids given twice', log.idsGivenTwice.map(String)),
    noneOf('log: files with two songs', log.filesWithTwoSongs),
    noneOf('log: batches that are there in part', log.brokenBatches, `none of ${log.batches} batches, ${log.events} events`),
    equal('log: added - removed = songs', log.songsAdded - log.songsRemoved, found.rows.length),
    noneOf(
      'tables = log, song by song',
      differing.map((row) => `song ${row.id} ${row.fileName}`),
    ),
  ];
};
