/** Tables of the projection of videos, in a schema of its own per version and generation. Folded titles are under collation "C", as those of songs. */
const tables = [
  `create table video (
    id bigint primary key, catalog_id bigint not null, folder_id bigint not null, file_name text not null, path text not null,
    title text not null, title_sort text collate "C" not null, format text not null, mime text not null, video_codec text, audio_codec text,
    width_px int not null, height_px int not null, duration_ms bigint not null, bitrate_bps bigint not null, size_bytes bigint not null,
    mtime_ms bigint not null, release_date text, added_at_ms bigint not null, updated_at_ms bigint not null, random_key double precision not null, doc text not null)`,
  'create table video_genre (video_id bigint not null, genre_id bigint not null, position int not null, primary key (video_id, position))',
  'create table video_tag (id bigint primary key, name text not null)',
  `create table video_folder (
    id bigint primary key, catalog_id bigint not null, parent_id bigint, video_count bigint not null default 0, duration_ms bigint not null default 0)`,
  `create table deleted_video (
    video_id bigint primary key, catalog_id bigint not null, title text not null, file text not null, added_at_ms bigint not null, deleted_at_ms bigint not null)`,
  `create table video_counter (
    kind text not null, catalog_id bigint not null, total bigint not null default 0, max_id bigint not null default 0, version bigint not null default 0,
    primary key (kind, catalog_id))`,
  // Roots of the catalogs that gather videos: where deleted files lay.
  'create table video_catalog (id bigint primary key, path text not null)',
];

const indexes = [
  'create index video_by_title on video (title_sort, id)',
  'create index video_by_catalog on video (catalog_id, title_sort, id)',
  'create index video_by_folder on video (folder_id)',
  'create index video_by_added on video (added_at_ms, id)',
  'create index video_by_updated on video (updated_at_ms, id)',
  'create index video_by_file_state on video (size_bytes, mtime_ms)',
  'create index video_by_random on video (random_key)',
  'create index video_title_words on video using gin (title_sort gin_trgm_ops)',
  'create index video_genre_by_genre on video_genre (genre_id, video_id)',
  'create index video_folder_by_catalog on video_folder (catalog_id)',
  'create index deleted_video_by_catalog on deleted_video (catalog_id, video_id)',
];

/** Everything that makes an empty schema ready for videos. */
export const videosDdl: readonly string[] = [...tables, ...indexes];

/** Tables that readers see, under the same names. */
export const videosTables = ['video', 'video_genre', 'video_tag', 'video_folder', 'deleted_video', 'video_counter'] as const;
