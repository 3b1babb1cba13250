import type { ProjectedQuery } from '@continuo/chassis';
import { sortKey, splitName, type AlbumRef } from '@continuo/contracts';
import { sql } from 'kysely';
import type { BatchChanges, FolderChange, SongChange } from './batch-changes.js';
import { overIds, overRows, type Handle } from './handle.js';
import { randomKey } from './names.js';

const byId = (a: { id: number }, b: { id: number }): number => a.id - b.id;

/** Notes every album whose songs, picture or credits a batch changes; comes before the changes themselves. */
export const touchAlbums = (changes: BatchChanges, db: Handle): ProjectedQuery[] => {
  const touch = (ids: readonly number[], albums: (ids: ReturnType<typeof sql>) => ReturnType<typeof sql>): ProjectedQuery[] =>
    overIds(ids, (list) => sql`insert into touched_album ${albums(list)} on conflict do nothing`, db);
  const withArt = [...changes.folders.values()].filter((folder) => folder.art !== undefined).map(({ id }) => id);
  return [
    ...touch([...changes.albums.keys()], (ids) => sql`select * from unnest(${ids})`),
    ...touch([...changes.songs.keys()], (ids) => sql`select distinct album_id from song where id = any(${ids})`),
    ...touch(withArt, (ids) => sql`select distinct album_id from song where folder_id = any(${ids})`),
  ];
};

/** Writes the rows that a batch of folder events leads to. */
export const changeQueries = (changes: BatchChanges, db: Handle): ProjectedQuery[] => [
  ...folderQueries(changes, db),
  ...fileQueries(changes, db),
  ...artQueries(changes, db),
  ...nameQueries(changes, db),
  ...songQueries(changes, db),
];

const folderQueries = (changes: BatchChanges, db: Handle): ProjectedQuery[] => {
  const folders = [...changes.folders.values()].toSorted(byId);
  const created = folders.filter((folder) => folder.path !== undefined).map(folderRow);
  const withArt = folders
    .filter((folder) => folder.art !== undefined)
    .map((folder) => ({ id: folder.id, art_hash: folder.art?.hash ?? null, art_mime: folder.art?.mime ?? null }));
  const gone = folders.filter((folder) => folder.present === false && folder.path === undefined).map((folder) => folder.id);
  return [
    ...overRows(
      created,
      (json) => sql`insert into folder (id, catalog_id, parent_id, path, name, name_sort, present)
        select id, catalog_id, parent_id, path, name, name_sort, present from json_populate_recordset(null::folder, ${json})
        on conflict (id) do update set present = excluded.present`,
      db,
    ),
    ...overRows(
      created.map(({ id }) => ({ id })),
      (json) => raiseMaxId('folder', json),
      db,
    ),
    ...overRows(
      withArt,
      (json) =>
        sql`update folder f set art_hash = r.art_hash, art_mime = r.art_mime from json_populate_recordset(null::folder, ${json}) r where f.id = r.id`,
      db,
    ),
    ...overIds(gone, (ids) => sql`update folder set present = false where id = any(${ids})`, db),
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

const fileQueries = (changes: BatchChanges, db: Handle): ProjectedQuery[] => {
  const files = [...changes.files.values()];
  return [
    ...overIds([...changes.clearedFolders], (ids) => sql`delete from file where folder_id = any(${ids})`, db),
    ...overIds(
      [...changes.clearedSidecars],
      (ids) => sql`delete from file where folder_id = any(${ids}) and kind in ('art', 'lyrics')`,
      db,
    ),
    ...overRows(
      files.filter((file) => file.kind === null),
      (json) =>
        sql`delete from file f using json_populate_recordset(null::file, ${json}) r where f.folder_id = r.folder_id and f.name = r.name`,
      db,
    ),
    ...overRows(
      files.filter((file) => file.kind !== null),
      (json) => sql`insert into file select * from json_populate_recordset(null::file, ${json})
        on conflict (folder_id, name) do update set kind = excluded.kind, size_bytes = excluded.size_bytes, mtime_ms = excluded.mtime_ms,
          song_id = excluded.song_id, skip_reason = excluded.skip_reason, skip_message = excluded.skip_message`,
      db,
    ),
  ];
};

const artQueries = (changes: BatchChanges, db: Handle): ProjectedQuery[] =>
  overRows(
    [...changes.art.values()].map((art) => ({
      hash: art.hash,
      mime: art.mime,
      size_bytes: art.sizeBytes,
      width_px: art.widthPx ?? null,
      height_px: art.heightPx ?? null,
    })),
    (json) => sql`insert into art select * from json_populate_recordset(null::art, ${json}) on conflict (hash) do nothing`,
    db,
  );

const raiseMaxId = (kind: string, json: ReturnType<typeof sql>) => sql`
  insert into counter as t (kind, catalog_id, max_id) select ${kind}, 0, max(id) from json_to_recordset(${json}) as r(id bigint)
  on conflict (kind, catalog_id) do update set max_id = greatest(t.max_id, excluded.max_id)`;

/** Artists, albums, genres and moods under the names that the log gives them; what a later event says of them counts. */
const nameQueries = (changes: BatchChanges, db: Handle): ProjectedQuery[] => {
  const artists = [...changes.artists.values()].toSorted(byId).map((artist) => ({
    id: artist.id,
    name: artist.name,
    ...splitName(artist.name),
    name_sort: sortKey(artist.name),
    mbid: artist.mbid ?? null,
    sort_name: artist.sortName ?? null,
    added_at_ms: artist.firstSeenAtMs,
    random_key: randomKey(artist.id),
  }));
  const genres = [...changes.genres].map(([id, name]) => ({ id, name, name_sort: sortKey(name) })).toSorted(byId);
  const moods = [...changes.moods].map(([id, name]) => ({ id, name })).toSorted(byId);
  return [
    ...overRows(
      artists,
      (json) => sql`insert into artist as t (id, name, prefix, basename, name_sort, mbid, sort_name, added_at_ms, random_key)
        select id, name, prefix, basename, name_sort, mbid, sort_name, added_at_ms, random_key from json_populate_recordset(null::artist, ${json})
        on conflict (id) do update set mbid = coalesce(excluded.mbid, t.mbid), sort_name = coalesce(excluded.sort_name, t.sort_name)
        where coalesce(excluded.mbid, t.mbid) is distinct from t.mbid or coalesce(excluded.sort_name, t.sort_name) is distinct from t.sort_name`,
      db,
    ),
    ...overRows(
      genres,
      (json) =>
        sql`insert into genre (id, name, name_sort) select id, name, name_sort from json_populate_recordset(null::genre, ${json}) on conflict do nothing`,
      db,
    ),
    ...overRows(
      moods,
      (json) => sql`insert into mood select * from json_populate_recordset(null::mood, ${json}) on conflict do nothing`,
      db,
    ),
    ...albumQueries(changes, db),
    ...(['artist', 'genre', 'mood'] as const).flatMap((kind) =>
      overRows(
        { artist: artists, genre: genres, mood: moods }[kind].map(({ id }) => ({ id })),
        (json) => raiseMaxId(kind, json),
        db,
      ),
    ),
  ];
};

const albumQueries = (changes: BatchChanges, db: Handle): ProjectedQuery[] => {
  const albums = [...changes.albums.values()].map(albumRow).toSorted(byId);
  const credits = [...changes.albums.values()].flatMap(({ ref }) =>
    ref.artistIds.map((artist_id, position) => ({ album_id: ref.id, artist_id, position })),
  );
  const ids = albums.map(({ id }) => id);
  return [
    ...overRows(
      albums,
      (
        json,
      ) => sql`insert into album (id, catalog_id, name, prefix, basename, name_sort, album_artist_id, original_year, release_type, mbid, mbid_group,
          version, barcode, catalog_number, release_status, random_key, tags)
        select id, catalog_id, name, prefix, basename, name_sort, album_artist_id, original_year, release_type, mbid, mbid_group,
          version, barcode, catalog_number, release_status, random_key, tags
        from json_populate_recordset(null::album, ${json})
        on conflict (id) do update set original_year = excluded.original_year, release_type = excluded.release_type, mbid = excluded.mbid,
          mbid_group = excluded.mbid_group, version = excluded.version, barcode = excluded.barcode, catalog_number = excluded.catalog_number,
          release_status = excluded.release_status, album_artist_id = excluded.album_artist_id, tags = excluded.tags`,
      db,
    ),
    ...overRows(
      ids.map((id) => ({ id })),
      (json) => raiseMaxId('album', json),
      db,
    ),
    ...overIds(ids, (list) => sql`delete from album_artist where album_id = any(${list})`, db),
    ...overRows(
      credits,
      (json) => sql`insert into album_artist select * from json_populate_recordset(null::album_artist, ${json}) on conflict do nothing`,
      db,
    ),
  ];
};

const albumRow = ({ ref, catalogId }: { ref: AlbumRef; catalogId: number }) => ({
  id: ref.id as number,
  catalog_id: catalogId,
  name: ref.name,
  ...splitName(ref.name),
  name_sort: sortKey(ref.name),
  album_artist_id: ref.artistIds[0] ?? null,
  original_year: ref.originalYear ?? null,
  release_type: ref.releaseTypes[0] ?? null,
  mbid: ref.mbAlbumId ?? null,
  mbid_group: ref.mbReleaseGroupId ?? null,
  version: ref.version ?? null,
  barcode: ref.barcode ?? null,
  catalog_number: ref.catalogNumber ?? null,
  release_status: ref.releaseStatus ?? null,
  random_key: randomKey(ref.id),
  tags: {
    recordLabels: ref.recordLabels,
    releaseTypes: ref.releaseTypes,
    sortName: ref.sortName,
    version: ref.version,
    releaseDate: ref.releaseDate,
    originalDate: ref.originalDate,
    releaseStatus: ref.releaseStatus,
    barcode: ref.barcode,
    catalogNumber: ref.catalogNumber,
    compilation: ref.compilation,
    year: ref.year ?? ref.originalYear,
  },
});

const songQueries = (changes: BatchChanges, db: Handle): ProjectedQuery[] => {
  const ids = [...changes.songs.keys()].toSorted((a, b) => a - b);
  const present = [...changes.songs.values()].filter((song): song is SongChange => song !== null).toSorted((a, b) => byId(a.row, b.row));
  const gone = ids.filter((id) => changes.songs.get(id) === null);
  return [
    ...['song_artist', 'song_genre', 'song_mood', 'song_lyrics'].flatMap((table) =>
      overIds(ids, (list) => sql`delete from ${sql.table(table)} where song_id = any(${list})`, db),
    ),
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
