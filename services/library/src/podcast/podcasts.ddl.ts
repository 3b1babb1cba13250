const tables = [
  // Catalogs of podcasts that are there: what arrives for one that went in the same moment must not stay behind.
  'create table podcast_catalog (id bigint primary key)',
  `create table podcast (
    id bigint primary key, catalog_id bigint not null, feed_url text not null, title text not null, title_sort text collate "C" not null,
    description text not null, language text not null, copyright text not null, generator text not null, author text not null,
    website_url text, image_url text, built_at_ms bigint, synced_at_ms bigint, feed_error text, etag text, last_modified text,
    episode_count int not null, added_at_ms bigint not null, updated_at_ms bigint not null)`,
  `create table podcast_episode (
    id bigint primary key, podcast_id bigint not null, catalog_id bigint not null, title text not null, title_sort text collate "C" not null,
    description text not null, author text not null, category text not null, website_url text, image_url text, published_at_ms bigint not null,
    duration_ms bigint, media_url text not null, mime text, size_bytes bigint, state text not null,
    path text, format text, codec text, bitrate_bps bigint, bitrate_mode text, lossless boolean, sample_rate_hz int, channels int, bit_depth int,
    downloaded_at_ms bigint, download_run int not null default 0, is_asked boolean not null default false, download_error text, state_at_ms bigint not null default 0,
    feed_duration_ms bigint, feed_mime text, feed_size_bytes bigint,
    added_at_ms bigint not null, updated_at_ms bigint not null)`,
  `create table deleted_podcast_episode (
    episode_id bigint primary key, podcast_id bigint not null, catalog_id bigint not null, title text not null, path text not null,
    added_at_ms bigint not null, deleted_at_ms bigint not null)`,
  `create table podcast_counter (
    kind text not null, catalog_id bigint not null, total int not null default 0, max_id bigint not null default 0, version bigint not null default 0,
    primary key (kind, catalog_id))`,
];

const indexes = [
  'create index podcast_by_title on podcast (title_sort, id)',
  'create index podcast_by_catalog on podcast (catalog_id, title_sort, id)',
  'create index podcast_by_visit on podcast (synced_at_ms, id)',
  'create index podcast_episode_by_podcast on podcast_episode (podcast_id, published_at_ms, id)',
  'create index podcast_episode_by_published on podcast_episode (published_at_ms, id)',
  'create index podcast_episode_by_catalog on podcast_episode (catalog_id, title_sort, id)',
  'create index podcast_episode_by_title on podcast_episode (title_sort, id)',
  // What is on its way, for those who look after it, and what is kept, for those who make room.
  `create index podcast_episode_on_its_way on podcast_episode (state_at_ms, id) where state in ('pending', 'downloading')`,
  `create index podcast_episode_kept on podcast_episode (podcast_id, published_at_ms, id) where path is not null`,
  'create index deleted_podcast_episode_by_catalog on deleted_podcast_episode (catalog_id, episode_id)',
];

/** Everything that makes an empty schema ready for podcasts. */
export const podcastsDdl: readonly string[] = [...tables, ...indexes];

/** Tables that readers see, under the same names. */
export const podcastsTables = ['podcast', 'podcast_episode', 'deleted_podcast_episode', 'podcast_counter'] as const;
