import { sql, type Kysely } from 'kysely';

const SONGS_PER_ALBUM = 10;
const ALBUMS_PER_ARTIST = 5;
const GENRES = 40;
const LABELS = 20;

const named = (id: string): string =>
  `json_build_object('id', ${id}, 'name', 'Artist ' || ${id}, 'prefix', null, 'basename', 'Artist ' || ${id})`;

/** Every fourth album lies in the second catalog. */
const catalogOf = (album: string): string => `(1 + (${album} % 4 = 0)::int)`;
const albumOf = (song: string): string => `((${song} + 9) / 10)`;

const songs = `insert into library.song (id, catalog_id, folder_id, file_name, album_id, artist_id, title, title_sort, disk, track, year, duration_ms, bitrate_bps,
    size_bytes, mtime_ms, added_at_ms, updated_at_ms, license_id, random_key, doc)
  select id, ${catalogOf(albumOf('id'))}, ${albumOf('id')} + 2, 'track ' || id || '.flac', ${albumOf('id')}, (id + 49) / 50, 'Song number ' || md5(id::text) || ' of many',
    'song number ' || md5(id::text) || ' of many', 1, (id - 1) % 10 + 1, 1960 + (id % 60), 180000, 900000, 20000000, 1700000000000, 1700000000000 + id,
    1700000000000 + id, case when id % 50 = 0 then id / 50 % 4 + 1 end, random(),
    json_build_object('id', id, 'title', 'Song number ' || md5(id::text) || ' of many', 'artists', json_build_array(${named('(id + 49) / 50')}),
      'album', json_build_object('id', (id + 9) / 10, 'name', 'Album ' || (id + 9) / 10, 'prefix', null, 'basename', 'Album ' || (id + 9) / 10),
      'albumArtists', json_build_array(${named('(id + 49) / 50')}), 'disk', 1, 'track', (id - 1) % 10 + 1, 'year', 1960 + (id % 60), 'durationMs', 180000,
      'format', 'flac', 'codec', 'FLAC', 'mime', 'audio/flac', 'bitrateBps', 900000, 'lossless', true, 'sampleRateHz', 44100, 'channels', 2, 'bitDepth', 16,
      'sizeBytes', 20000000, 'path', 'Artist ' || (id + 49) / 50 || '/Album ' || (id + 9) / 10 || '/track.flac', 'catalogId', 1, 'folderId', (id + 9) / 10 + 2,
      'genres', json_build_array(json_build_object('id', id % ${GENRES} + 1, 'name', 'Genre ' || id % ${GENRES} + 1)), 'moods', json_build_array(),
      'comment', 'A comment of some length, as files have it', 'isrcs', json_build_array('XX0000000000'), 'mbid', md5(id::text)::uuid,
      'trackGainDb', -6.5, 'trackPeak', 0.98, 'albumGainDb', -7, 'albumPeak', 0.99)::text
  from generate_series(1, $N) id`;

const places = (songCount: number, albums: number): string[] => [
  `insert into library.catalog (id, name, type, gather_types, path, enabled, added_at_ms, song_count)
   select id, 'Music ' || id, 'local', 'music', '/music/' || id, true, 1700000000000, ${songCount} / 2 from generate_series(1, 2) id`,
  `insert into library.folder (id, catalog_id, parent_id, path, name, name_sort, present, song_count, duration_ms)
   select id, id, null, '', '', '', true, ${songCount} / 2, 0 from generate_series(1, 2) id
   union all select id + 2, ${catalogOf('id')}, ${catalogOf('id')}, 'Folder ' || id, 'Folder ' || id, 'folder ' || id, true, 10, 1800000 from generate_series(1, ${albums}) id`,
];

const albumRows = (albums: number): string[] => [
  `insert into library.album (id, catalog_id, name, basename, name_sort, album_artist_id, artist_sort, year, song_count, disk_count, duration_ms, size_bytes,
     added_at_ms, updated_at_ms, random_key, tags, doc)
   select id, ${catalogOf('id')}, 'Album ' || md5(id::text), 'Album ' || md5(id::text), 'album ' || md5(id::text), (id + 4) / 5, 'artist ' || (id + 4) / 5, 1960 + id % 60,
     10, 1, 1800000, 200000000, 1700000000000 + id, 1700000000000 + id, random(), '{}', json_build_object('artists', json_build_array(${named('(id + 4) / 5')}),
     'songArtists', json_build_array(), 'genres', json_build_array(json_build_object('id', id % ${GENRES} + 1, 'name', 'Genre ' || id % ${GENRES} + 1)), 'moods',
     json_build_array(), 'recordLabels', json_build_array('Label'), 'releaseTypes', json_build_array('Album'), 'diskTitles', json_build_array(), 'compilation',
     false)::text
   from generate_series(1, ${albums}) id`,
  `insert into library.album_disk select id * 256 + 1, id, catalog_id, 1, null, 10, 1800000, 200000000, added_at_ms, updated_at_ms from library.album`,
  'insert into library.album_artist select id, album_artist_id, 0 from library.album',
  `insert into library.album_genre select id, id % ${GENRES} + 1, 10 from library.album`,
  `insert into library.album_label select id, id % ${LABELS} + 1, 0 from library.album where id % 2 = 0`,
];

const artistRows = (artists: number): string[] => [
  `insert into library.artist (id, name, basename, name_sort, album_count, song_count, duration_ms, added_at_ms, random_key, doc)
   select id, 'Artist ' || md5(id::text), 'Artist ' || md5(id::text), 'artist ' || md5(id::text), 5, 50, 9000000, 1700000000000, random(), '{}'
   from generate_series(1, ${artists}) id`,
  `insert into library.artist_catalog select artist_id, catalog_id, count(*) * 10, count(*) from library.album_artist aa join library.album a on a.id = aa.album_id
   group by artist_id, catalog_id`,
  `insert into library.artist_genre select artist_id, genre_id, count(*) from library.song_artist join library.song_genre using (song_id) group by 1, 2`,
  `insert into library.artist_label select artist_id, label_id, count(*) from library.album_artist join library.album_label using (album_id) group by 1, 2`,
];

const statements = (songCount: number): string[] => {
  const albums = Math.ceil(songCount / SONGS_PER_ALBUM);
  const artists = Math.ceil(albums / ALBUMS_PER_ARTIST);
  return [
    ...places(songCount, albums),
    songs.replace('$N', String(songCount)),
    'insert into library.song_artist select id, artist_id, 0 from library.song',
    `insert into library.song_genre select id, id % ${GENRES} + 1, 0 from library.song`,
    ...albumRows(albums),
    ...artistRows(artists),
    `insert into library.genre (id, name, name_sort, song_count, album_count, artist_count, hidden)
     select id, 'Genre ' || id, 'genre ' || id, ${songCount} / ${GENRES}, ${albums} / ${GENRES}, ${artists}, false from generate_series(1, ${GENRES}) id`,
    `insert into library.label (id, name, name_sort, album_count, artist_count) select id, 'Label ' || id, 'label ' || id, ${albums} / ${LABELS} / 2, 1
     from generate_series(1, ${LABELS}) id`,
    `insert into library.license (id, name, name_sort, external_link, song_count) select id, 'License ' || id, 'license ' || id, '', ${songCount} / 200
     from generate_series(1, 4) id`,
    'delete from library.counter',
    `insert into library.counter values ('song', 1, ${songCount}, ${songCount}, 1), ('song', 0, ${songCount}, ${songCount}, 1), ('album', 1, ${albums}, ${albums}, 1),
       ('album', 0, ${albums}, ${albums}, 1), ('artist', 0, ${artists}, ${artists}, 1), ('genre', 0, ${GENRES}, ${GENRES}, 1)`,
    `insert into playback.song_plays (song_id, play_count, skip_count, last_played_at_ms)
     select id, id % 7 + 1, 0, 1750000000000 + id from library.song where id % 20 = 0`,
    `insert into social.rating (user_id, kind, object_id, rating, rated_at_ms) select 1, 'song', id, id % 5 + 1, 1750000000000 + id from library.song where id % 100 = 0`,
    `insert into social.user_flag (user_id, kind, object_id, flagged_at_ms) select 1, 'song', id, 1750000000000 + id from library.song where id % 200 = 0`,
    // As autovacuum leaves a table that is not being filled.
    'vacuum analyze',
  ];
};

/** Fills an empty read model with a library of the given size: ten songs to an album, five albums to an artist, a twentieth of it played. */
export const seedSyntheticLibrary = async (db: Kysely<unknown>, songCount: number): Promise<void> => {
  for (const statement of statements(songCount)) await sql.raw(statement).execute(db);
};
