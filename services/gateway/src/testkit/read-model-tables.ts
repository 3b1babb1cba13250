import { createReadModel as createRealTables } from '@continuo/read-model';
import { sql, type Kysely } from 'kysely';

/**
 * The published read model as plain tables, for tests of what reads it: names, types and indexes as their owners publish them. The owners' own tests prove
 * that they do; the whole-stack tests prove that both fit together.
 */
const library = [
  `create table library.catalog (id bigint primary key, name text not null, type text not null default 'local', gather_types text not null default 'music',
    path text not null, enabled boolean not null default true, rename_pattern text, sort_pattern text, added_at_ms bigint not null, song_count bigint not null default 0)`,
  `create table library.folder (id bigint primary key, catalog_id bigint not null, parent_id bigint, path text not null, name text not null,
    name_sort text collate "C" not null default '', art_hash text, art_mime text, present boolean not null default true, song_count bigint not null default 0,
    duration_ms bigint not null default 0)`,
  `create table library.song (id bigint primary key, catalog_id bigint not null, folder_id bigint not null, file_name text not null, album_id bigint not null,
    artist_id bigint, title text not null, title_sort text collate "C" not null, disk int not null, track int not null, year int not null,
    duration_ms bigint not null, bitrate_bps bigint not null, size_bytes bigint not null, mtime_ms bigint not null, added_at_ms bigint not null,
    updated_at_ms bigint not null, mbid text, composer text, comment text, publisher text, bpm double precision, license_id bigint, art_hash text,
    random_key double precision not null, doc text not null)`,
  'create table library.song_artist (song_id bigint not null, artist_id bigint not null, position int not null, primary key (song_id, position))',
  'create table library.song_genre (song_id bigint not null, genre_id bigint not null, position int not null, primary key (song_id, position))',
  'create table library.song_mood (song_id bigint not null, mood_id bigint not null, position int not null, primary key (song_id, position))',
  'create table library.song_lyrics (song_id bigint primary key, lyrics text not null)',
  `create table library.album (id bigint primary key, catalog_id bigint not null, name text not null, prefix text, basename text not null,
    name_sort text collate "C" not null, album_artist_id bigint, artist_sort text collate "C" not null default '', year int not null default 0,
    original_year int, song_count int not null default 0, disk_count int not null default 0, duration_ms bigint not null default 0,
    size_bytes bigint not null default 0, added_at_ms bigint not null default 0, updated_at_ms bigint not null default 0, release_type text, mbid text,
    mbid_group text, version text, barcode text, catalog_number text, release_status text, art_hash text, art_mime text, random_key double precision not null, doc text not null default '{}')`,
  'create table library.album_artist (album_id bigint not null, artist_id bigint not null, position int not null, primary key (album_id, position))',
  'create table library.album_genre (album_id bigint not null, genre_id bigint not null, song_count int not null, primary key (album_id, genre_id))',
  `create table library.artist (id bigint primary key, name text not null, prefix text, basename text not null, name_sort text collate "C" not null, mbid text,
    album_count int not null default 0, song_count int not null default 0, duration_ms bigint not null default 0, added_at_ms bigint not null default 0,
    art_hash text, random_key double precision not null, doc text not null default '{}')`,
  'create table library.artist_catalog (artist_id bigint not null, catalog_id bigint not null, song_count int not null, album_count int not null default 0, primary key (artist_id, catalog_id))',
  'create table library.artist_genre (artist_id bigint not null, genre_id bigint not null, song_count int not null, primary key (artist_id, genre_id))',
  `create table library.genre (id bigint primary key, name text not null, name_sort text collate "C" not null, song_count int not null default 0,
    album_count int not null default 0, artist_count int not null default 0, hidden boolean not null default false)`,
  `create table library.album_disk (id bigint primary key, album_id bigint not null, catalog_id bigint not null, disk int not null, subtitle text,
    song_count int not null, duration_ms bigint not null, size_bytes bigint not null, added_at_ms bigint not null, updated_at_ms bigint not null)`,
  `create table library.label (id bigint primary key, name text not null, name_sort text collate "C" not null, album_count int not null default 0,
    artist_count int not null default 0)`,
  'create table library.album_label (album_id bigint not null, label_id bigint not null, position int not null, primary key (album_id, position))',
  'create table library.artist_label (artist_id bigint not null, label_id bigint not null, album_count int not null, primary key (artist_id, label_id))',
  `create table library.license (id bigint primary key, name text not null, name_sort text collate "C" not null, external_link text not null,
    song_count int not null default 0)`,
  `create table library.deleted_song (song_id bigint primary key, catalog_id bigint not null, title text not null, file text not null, album_id bigint not null,
    artist_id bigint, added_at_ms bigint not null, updated_at_ms bigint not null, deleted_at_ms bigint not null)`,
  'create table library.genre_merge (genre_id bigint not null, into_id bigint not null, primary key (genre_id, into_id))',
  'create table library.mood (id bigint primary key, name text not null)',
  'create table library.art (hash text primary key, mime text not null, size_bytes bigint not null, width_px int, height_px int)',
  `create table library.counter (kind text not null, catalog_id bigint not null, total bigint not null default 0, max_id bigint not null default 0,
    version bigint not null default 0, primary key (kind, catalog_id))`,
];

const indexes = [
  'create index on library.folder (catalog_id, path)',
  'create index on library.folder (parent_id)',
  'create index on library.song (album_id, disk, track, id)',
  'create index on library.song (folder_id)',
  'create index on library.song (title_sort, id)',
  'create index on library.song (added_at_ms, id)',
  'create index on library.song (updated_at_ms, id)',
  'create index on library.song (catalog_id, title_sort, id)',
  'create index on library.song (random_key)',
  'create index on library.song (year, id)',
  'create index on library.song using gin (title_sort gin_trgm_ops)',
  'create index on library.song_artist (artist_id, song_id)',
  'create index on library.song_genre (genre_id, song_id)',
  'create index on library.song_mood (mood_id, song_id)',
  'create index on library.album (name_sort, id) where song_count > 0',
  'create index on library.album (artist_sort, name_sort, id) where song_count > 0',
  'create index on library.album (added_at_ms, id) where song_count > 0',
  'create index on library.album (year, name_sort, id) where song_count > 0',
  'create index on library.album (random_key) where song_count > 0',
  'create index on library.album (catalog_id, name_sort, id) where song_count > 0',
  'create index on library.album using gin (name_sort gin_trgm_ops)',
  'create index on library.album_artist (artist_id, album_id)',
  'create index on library.album_genre (genre_id, album_id)',
  'create index on library.artist (name_sort, id) where song_count > 0 or album_count > 0',
  'create index on library.artist (random_key) where song_count > 0 or album_count > 0',
  'create index on library.artist using gin (name_sort gin_trgm_ops)',
  'create index on library.artist_catalog (catalog_id, artist_id)',
  'create index on library.artist_genre (genre_id, artist_id)',
  'create index on library.genre (name_sort, id)',
];

const others = [
  `create table ingestion.scan (id text primary key, catalog_id bigint not null, mode text not null default 'changes', state text not null, requested_at_ms bigint not null, started_at_ms bigint,
    updated_at_ms bigint not null, finished_at_ms bigint, folders_seen int not null default 0, files_seen int not null default 0, songs_added int not null default 0,
    songs_changed int not null default 0, songs_moved int not null default 0, songs_removed int not null default 0, files_skipped int not null default 0, message text)`,
  'create table playback.song_plays (song_id bigint primary key, play_count bigint not null, skip_count bigint not null default 0, last_played_at_ms bigint, last_skipped_at_ms bigint)',
  'create index on playback.song_plays (play_count desc, song_id)',
  'create index on playback.song_plays (last_played_at_ms desc, song_id)',
  `create table playback.user_song_plays (user_id bigint not null, song_id bigint not null, play_count bigint not null, skip_count bigint not null default 0,
    last_played_at_ms bigint, last_skipped_at_ms bigint, primary key (user_id, song_id))`,
  `create table playback.play (id bigint primary key, user_id bigint not null, song_id bigint not null, at_ms bigint not null, skipped boolean not null,
    client text not null)`,
  `create table playback.now_playing (user_id bigint not null, client text not null, object_type text not null, object_id bigint not null,
    started_at_ms bigint not null, expires_at_ms bigint not null, primary key (user_id, client))`,
  `create table social.rating (user_id bigint not null, kind text not null, object_id bigint not null, rating int not null, rated_at_ms bigint not null,
    primary key (user_id, kind, object_id))`,
  `create table social.rating_average (kind text not null, object_id bigint not null, rating_count int not null, rating_sum int not null,
    primary key (kind, object_id))`,
  `create table social.user_flag (user_id bigint not null, kind text not null, object_id bigint not null, flagged_at_ms bigint not null,
    primary key (user_id, kind, object_id))`,
  `create table social."user" (id bigint primary key, username text not null, username_key text not null unique, full_name text, full_name_public boolean not null default false,
    email text, website text, city text, state text, access int not null, disabled boolean not null default false, created_at_ms bigint not null,
    sealed_password_sha256 text, sealed_password_argon2id text, sealed_compat_password text)`,
  `create table social.api_key (key_id text primary key, user_id bigint not null, name text not null, sha256 text not null, sealed_key text not null,
    issued_at_ms bigint not null)`,
];

/** `schema.table` that a statement creates or indexes. */
const tableOf = (statement: string): string => /(?:create table|index on) ([a-z_."]+)/.exec(statement)?.[1]?.replaceAll('"', '') ?? '';

/** Creates the tables of the read model in an empty database: the real ones, and by hand those whose owners do not have them yet. */
export const createReadModel = async (db: Kysely<unknown>): Promise<void> => {
  await createRealTables(db);
  const found = await sql<{ name: string }>`select table_schema || '.' || table_name as name from information_schema.tables`.execute(db);
  const real = new Set(found.rows.map(({ name }) => name));
  for (const statement of [...library, ...indexes, ...others]) if (!real.has(tableOf(statement))) await sql.raw(statement).execute(db);
};
