import type { ProjectedQuery } from '@continuo/chassis';
import { sql } from 'kysely';
import type { BatchChanges, SongChange } from './batch-changes.js';
import { overIds, overRows, raiseMaxId, type Handle } from './handle.js';

/** Rows that hang on songs. */
export const songRelations = ['song_artist', 'song_genre', 'song_tag_genre', 'song_mood', 'song_lyrics'] as const;

/** The rows of songs and of what hangs on them. */
export const songQueries = (changes: BatchChanges, db: Handle): ProjectedQuery[] => {
  const ids = [...changes.songs.keys()].toSorted((a, b) => a - b);
  const known = changes.knownSongs();
  const present = changes.presentSongs().toSorted((a, b) => a.row.id - b.row.id);
  const gone = known.filter((id) => changes.songs.get(id) === null);
  return [
    ...deletions(changes, db),
    ...songRelations.flatMap((table) => overIds(known, (list) => sql`delete from ${sql.table(table)} where song_id = any(${list})`, db)),
    ...overIds(gone, (list) => sql`delete from song where id = any(${list})`, db),
    ...overRows(
      present.map((song) => song.row),
      (json) => sql`insert into song select * from json_populate_recordset(null::song, ${json})
        on conflict (id) do update set folder_id = excluded.folder_id, catalog_id = excluded.catalog_id, file_name = excluded.file_name, album_id = excluded.album_id,
          artist_id = excluded.artist_id, title = excluded.title, title_sort = excluded.title_sort, disk = excluded.disk, disk_subtitle = excluded.disk_subtitle,
          track = excluded.track, year = excluded.year, duration_ms = excluded.duration_ms, bitrate_bps = excluded.bitrate_bps, size_bytes = excluded.size_bytes,
          mtime_ms = excluded.mtime_ms, updated_at_ms = excluded.updated_at_ms, mbid = excluded.mbid, composer = excluded.composer,
          comment = excluded.comment, publisher = excluded.publisher, bpm = excluded.bpm, license_id = excluded.license_id, art_hash = excluded.art_hash,
          doc = excluded.doc`,
      db,
    ),
    // Also for songs that came and went within the batch: their ids were given.
    ...overRows(
      ids.map((id) => ({ id })),
      (json) => raiseMaxId('song', json),
      db,
    ),
    ...relationQueries(present, db),
  ];
};

const relationQueries = (songs: readonly SongChange[], db: Handle): ProjectedQuery[] => {
  const relation = (column: string, of: (song: SongChange) => readonly number[]) =>
    songs.flatMap((song) => of(song).map((id, position) => ({ song_id: song.row.id, [column]: id, position })));
  const lyrics = songs.flatMap(({ row, track }) =>
    track.lyrics.length > 0 ? [{ song_id: row.id, lyrics: JSON.stringify(track.lyrics) }] : [],
  );
  const insert = (table: string, rows: readonly object[]): ProjectedQuery[] =>
    overRows(
      rows,
      (json) => sql`insert into ${sql.table(table)} select * from json_populate_recordset(null::${sql.table(table)}, ${json})`,
      db,
    );
  return [
    ...insert(
      'song_artist',
      relation('artist_id', (song) => song.track.artistIds),
    ),
    ...insert(
      'song_genre',
      relation('genre_id', (song) => song.track.genreIds),
    ),
    ...insert(
      'song_mood',
      relation('mood_id', (song) => song.track.moodIds),
    ),
    ...insert('song_lyrics', lyrics),
  ];
};

/**
 * What is remembered of the songs that a batch takes away: as the batch last had them, else as the table still has them. A song that came and went
 * within the batch is only in the former.
 */
const deletions = (changes: BatchChanges, db: Handle): ProjectedQuery[] =>
  overRows(
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
