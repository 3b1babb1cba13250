import { rawQuery, type ProjectedQuery } from '@continuo/chassis';
import { sql, type RawBuilder } from 'kysely';
import type { BatchChanges, SongChange } from './batch-changes.js';
import { overIds, rowBatches, type Handle } from './handle.js';
import { unnested, type Column, type ColumnKind } from './pg-array.js';
import { partsIn, type SongRow } from './song-row.js';

/**
 * Takes away what hangs on songs.
 * @param songs a query that gives the ids of the songs concerned
 */
export const deleteRelations = (songs: RawBuilder<unknown>) => sql`
  with artists as (delete from song_artist where song_id in (${songs})), contributors as (delete from song_contributor where song_id in (${songs})),
    moods as (delete from song_mood where song_id in (${songs})),
    tags as (delete from song_tag_genre where song_id in (${songs})), lyrics as (delete from song_lyrics where song_id in (${songs}))
  delete from song_genre where song_id in (${songs})`;

/** The rows of songs and of what hangs on them. */
export const songQueries = (changes: BatchChanges, db: Handle): ProjectedQuery[] => {
  const known = changes.knownSongs();
  const present = changes.presentSongs().toSorted((a, b) => a.row.id - b.row.id);
  const gone = known.filter((id) => changes.songs.get(id) === null);
  return [
    ...deletions(changes, db),
    ...overIds(known, (list) => deleteRelations(sql`select unnest(${list})`), db),
    ...overIds(gone, (list) => sql`delete from song where id = any(${list})`, db),
    ...songRows(present, db),
    ...relationQueries(present, db),
  ];
};

/** Columns of the song table that a row brings, and what they hold. */
const songColumns: Record<keyof SongRow, ColumnKind> = {
  id: 'bigint',
  catalog_id: 'bigint',
  folder_id: 'bigint',
  file_name: 'text',
  album_id: 'bigint',
  artist_id: 'bigint',
  title: 'text',
  title_sort: 'text',
  disk: 'int',
  disk_subtitle: 'text',
  track: 'int',
  year: 'int',
  duration_ms: 'bigint',
  bitrate_bps: 'bigint',
  size_bytes: 'bigint',
  mtime_ms: 'bigint',
  added_at_ms: 'bigint',
  updated_at_ms: 'bigint',
  mbid: 'text',
  composer: 'text',
  comment: 'text',
  publisher: 'text',
  bpm: 'float',
  license_id: 'bigint',
  art_hash: 'text',
  explicit_status: 'text',
  sound_print: 'text',
  random_key: 'float',
  doc: 'json',
};
const songColumnNames = Object.keys(songColumns) as (keyof SongRow)[];
/** Fixed for an id, or told by its first row alone. */
const unchanging: readonly (keyof SongRow)[] = ['id', 'added_at_ms', 'random_key'];
const list = (columns: readonly string[], form: (column: string) => string = (column) => column) => sql.raw(columns.map(form).join(', '));

const songRows = (songs: readonly SongChange[], db: Handle): ProjectedQuery[] => {
  if (songs.length === 0) return [];
  const columns = songColumnNames.map((column): Column => [
    songColumns[column],
    songs.map(({ row }) => (column === 'doc' ? JSON.stringify(row.doc) : row[column])),
  ]);
  const changing = songColumnNames.filter((column) => !unchanging.includes(column));
  const statement = sql`insert into song (${list(songColumnNames)}) select * from ${unnested(columns)}
    on conflict (id) do update set ${list(changing, (column) => `${column} = excluded.${column}`)}`;
  return [rawQuery(statement, db)];
};

const relationQueries = (songs: readonly SongChange[], db: Handle): ProjectedQuery[] => {
  const lyrics = songs.flatMap(({ row, track }) => (track.lyrics.length > 0 ? [{ song_id: row.id, lyrics: track.lyrics }] : []));
  return [
    ...relation('song_artist', songs, (song) => song.track.artistIds, db),
    ...contributorQueries(songs, db),
    ...relation('song_genre', songs, (song) => song.track.genreIds, db),
    ...relation('song_mood', songs, (song) => song.track.moodIds, db),
    ...rowBatches(lyrics, (json) => sql`insert into song_lyrics select * from json_populate_recordset(null::song_lyrics, ${json})`, db),
  ];
};

const contributorQueries = (songs: readonly SongChange[], db: Handle): ProjectedQuery[] => {
  const rows = songs.flatMap(({ row, track }) =>
    partsIn(track).map(({ artistId, role }) => ({ song_id: row.id, artist_id: artistId as number, role, catalog_id: row.catalog_id })),
  );
  return rowBatches(
    rows,
    (json) =>
      sql`insert into song_contributor select * from json_populate_recordset(null::song_contributor, ${json}) on conflict do nothing`,
    db,
  );
};

/** Rows of a song, another id and a position. */
const relation = (
  table: string,
  songs: readonly SongChange[],
  idsOf: (song: SongChange) => readonly number[],
  db: Handle,
): ProjectedQuery[] => {
  const [songIds, otherIds, positions]: [number[], number[], number[]] = [[], [], []];
  for (const song of songs)
    for (const [position, id] of idsOf(song).entries()) {
      songIds.push(song.row.id);
      otherIds.push(id);
      positions.push(position);
    }
  if (songIds.length === 0) return [];
  const rows = unnested([
    ['bigint', songIds],
    ['bigint', otherIds],
    ['int', positions],
  ]);
  return [rawQuery(sql`insert into ${sql.table(table)} select * from ${rows}`, db)];
};

/**
 * Records the songs that a batch deletes: as the batch last had them, else as the table still has them. A song that came and went
 * within the batch is only in the former.
 */
const deletions = (changes: BatchChanges, db: Handle): ProjectedQuery[] =>
  rowBatches(
    [...changes.deleted].map(([song_id, { last, atMs }]) => ({
      song_id,
      catalog_id: last?.row.catalog_id ?? null,
      title: last?.row.title ?? null,
      file: last?.path ?? null,
      album_id: last?.row.album_id ?? null,
      artist_id: last?.row.artist_id ?? null,
      added_at_ms: last?.row.added_at_ms ?? null,
      updated_at_ms: last?.row.updated_at_ms ?? null,
      deleted_at_ms: atMs,
    })),
    (json) => sql`insert into deleted_song
      select r.song_id, coalesce(r.catalog_id, s.catalog_id), coalesce(r.title, s.title),
        rtrim(coalesce(c.path, ''), '/') || '/' || coalesce(r.file, ${pathOf}),
        coalesce(r.album_id, s.album_id), case when r.title is null then s.artist_id else r.artist_id end,
        coalesce(s.added_at_ms, r.added_at_ms), coalesce(r.updated_at_ms, s.updated_at_ms), r.deleted_at_ms
      from json_populate_recordset(null::deleted_song, ${json}) r left join song s on s.id = r.song_id left join folder f on f.id = s.folder_id
        left join catalog c on c.id = coalesce(r.catalog_id, s.catalog_id)
      where coalesce(r.title, s.title) is not null
      on conflict (song_id) do nothing`,
    db,
  );

/** Path of the song `s` in the folder `f`, relative to its catalog. */
const pathOf = sql`case coalesce(f.path, '') when '' then s.file_name else f.path || '/' || s.file_name end`;

/** Remembers every song of a catalog as deleted at a time. */
export const deleteSongsOf = (catalogId: number, atMs: number) => sql`insert into deleted_song
  select s.id, s.catalog_id, s.title, rtrim(coalesce(c.path, ''), '/') || '/' || ${pathOf}, s.album_id, s.artist_id, s.added_at_ms, s.updated_at_ms, ${atMs}::bigint
  from song s left join folder f on f.id = s.folder_id left join catalog c on c.id = s.catalog_id where s.catalog_id = ${catalogId}
  on conflict (song_id) do nothing`;
