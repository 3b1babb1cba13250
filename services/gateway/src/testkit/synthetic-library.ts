import { sql, type Kysely } from 'kysely';

const SONGS_PER_ALBUM = 10;
const ALBUMS_PER_ARTIST = 5;
const GENRES = 40;

const named = (id: string): string =>
  `json_build_object('id', ${id}, 'name', 'Artist ' || ${id}, 'prefix', null, 'basename', 'Artist ' || ${id})`;

const songs = `insert into library.song
  select id, 1, (id + 9) / 10 + 1, 'track.flac', (id + 9) / 10, (id + 49) / 50, 'Song number ' || id || ' of many', 'song number ' || id || ' of many', 1,
    (id - 1) % 10 + 1, 1960 + (id % 60), 180000, 900000, 20000000, 1700000000000, 1700000000000 + id, 1700000000000 + id, null, null, random(),
    json_build_object('id', id, 'title', 'Song number ' || id || ' of many', 'artists', json_build_array(${named('(id + 49) / 50')}),
      'album', json_build_object('id', (id + 9) / 10, 'name', 'Album ' || (id + 9) / 10, 'prefix', null, 'basename', 'Album ' || (id + 9) / 10),
      'albumArtists', json_build_array(${named('(id + 49) / 50')}), 'disk', 1, 'track', (id - 1) % 10 + 1, 'year', 1960 + (id % 60), 'durationMs', 180000,
      'format', 'flac', 'codec', 'FLAC', 'mime', 'audio/flac', 'bitrateBps', 900000, 'lossless', true, 'sampleRateHz', 44100, 'channels', 2, 'bitDepth', 16,
      'sizeBytes', 20000000, 'path', 'Artist ' || (id + 49) / 50 || '/Album ' || (id + 9) / 10 || '/track.flac', 'catalogId', 1, 'folderId', (id + 9) / 10 + 1,
      'genres', json_build_array(json_build_object('id', id % ${GENRES} + 1, 'name', 'Genre ' || id % ${GENRES} + 1)), 'moods', json_build_array(),
      'comment', 'A comment of some length, as files have it', 'isrcs', json_build_array('XX0000000000'), 'mbid', md5(id::text)::uuid,
      'trackGainDb', -6.5, 'trackPeak', 0.98, 'albumGainDb', -7, 'albumPeak', 0.99)::text
  from generate_series(1, $N) id`;

const statements = (songCount: number): string[] => {
  const albums = Math.ceil(songCount / SONGS_PER_ALBUM);
  const artists = Math.ceil(albums / ALBUMS_PER_ARTIST);
  return [
    `insert into library.catalog (id, name, path, added_at_ms, song_count) values (1, 'Music', '/music', 1700000000000, ${songCount})`,
    `insert into library.folder (id, catalog_id, parent_id, path, name) select 1, 1, null, '', ''
     union all select id + 1, 1, 1, 'Folder ' || id, 'Folder ' || id from generate_series(1, ${albums}) id`,
    songs.replace('$N', String(songCount)),
    'insert into library.song_artist select id, artist_id, 0 from library.song',
    `insert into library.song_genre select id, id % ${GENRES} + 1, 0 from library.song`,
    `insert into library.album (id, catalog_id, name, basename, name_sort, album_artist_id, artist_sort, year, song_count, disk_count, duration_ms, added_at_ms,
       updated_at_ms, random_key, doc)
     select id, 1, 'Album ' || id, 'Album ' || id, 'album ' || id, (id + 4) / 5, 'artist ' || (id + 4) / 5, 1960 + id % 60, 10, 1, 1800000, 1700000000000 + id,
       1700000000000 + id, random(), json_build_object('artists', json_build_array(${named('(id + 4) / 5')}), 'songArtists', json_build_array(), 'genres',
       json_build_array(json_build_object('id', id % ${GENRES} + 1, 'name', 'Genre ' || id % ${GENRES} + 1)), 'moods', json_build_array(), 'recordLabels',
       json_build_array('Label'), 'releaseTypes', json_build_array('Album'), 'diskTitles', json_build_array(), 'compilation', false)::text
     from generate_series(1, ${albums}) id`,
    'insert into library.album_artist select id, album_artist_id, 0 from library.album',
    `insert into library.album_genre select id, id % ${GENRES} + 1, 10 from library.album`,
    `insert into library.artist (id, name, basename, name_sort, album_count, song_count, duration_ms, random_key)
     select id, 'Artist ' || id, 'Artist ' || id, 'artist ' || id, 5, 50, 9000000, random() from generate_series(1, ${artists}) id`,
    'insert into library.artist_catalog select id, 1, 50 from library.artist',
    `insert into library.genre select id, 'Genre ' || id, 'genre ' || id, ${songCount} / ${GENRES}, ${albums} / ${GENRES}, 0 from generate_series(1, ${GENRES}) id`,
    `insert into library.counter values ('song', 1, ${songCount}, ${songCount}, 1), ('song', 0, ${songCount}, ${songCount}, 1), ('album', 1, ${albums}, ${albums}, 1),
       ('album', 0, ${albums}, ${albums}, 1), ('artist', 0, ${artists}, ${artists}, 1), ('genre', 0, ${GENRES}, ${GENRES}, 1)`,
    `insert into playback.song_plays select id, id % 7 + 1, 1750000000000 + id from library.song where id % 20 = 0`,
    // As autovacuum leaves a table that is not being filled.
    'vacuum analyze',
  ];
};

/** Fills an empty read model with a library of the given size: ten songs to an album, five albums to an artist. */
export const seedSyntheticLibrary = async (db: Kysely<unknown>, songCount: number): Promise<void> => {
  for (const statement of statements(songCount)) await sql.raw(statement).execute(db);
};
