/** Views of schema `library` about podcasts. All times are epoch milliseconds. */

/** Podcasts. Texts are empty where nothing is said. */
export interface PodcastTable {
  id: number;
  catalog_id: number;
  feed_url: string;
  title: string;
  /** Folded title without leading article, under collation "C". */
  title_sort: string;
  description: string;
  language: string;
  copyright: string;
  generator: string;
  author: string;
  website_url: string | null;
  image_url: string | null;
  built_at_ms: number | null;
  /** When the feed was last visited and could be read; null: not since it was subscribed to. */
  synced_at_ms: number | null;
  /** Why the feed could not be read the last time; null when it could. */
  feed_error: string | null;
  etag: string | null;
  last_modified: string | null;
  episode_count: number;
  added_at_ms: number;
  updated_at_ms: number;
}

/**
 * Whether the file of an episode is kept: never wanted, on its way, being fetched, here; it could not be had (`download_error` says why), or it was here and went.
 */
export type EpisodeState = 'skipped' | 'pending' | 'downloading' | 'completed' | 'error' | 'deleted';

/** Episodes of podcasts. */
export interface PodcastEpisodeTable {
  id: number;
  podcast_id: number;
  catalog_id: number;
  title: string;
  title_sort: string;
  description: string;
  author: string;
  category: string;
  website_url: string | null;
  image_url: string | null;
  /** When it was published, or else when it was found. */
  published_at_ms: number;
  /** Of the kept file, else as the feed says; so are type and size. */
  duration_ms: number | null;
  /** Where the file is to be had. */
  media_url: string;
  mime: string | null;
  size_bytes: number | null;
  state: EpisodeState;
  /** The kept file, relative to the catalog's root; null, like what follows, where none is kept. */
  path: string | null;
  /** Container by its usual file suffix. */
  format: string | null;
  codec: string | null;
  bitrate_bps: number | null;
  bitrate_mode: 'cbr' | 'vbr' | 'abr' | null;
  lossless: boolean | null;
  /** 0 when unknown, like the two below. */
  sample_rate_hz: number | null;
  channels: number | null;
  bit_depth: number | null;
  downloaded_at_ms: number | null;
  /** Number of downloads requested so far; the number of the last one. */
  download_run: number;
  /** True when somebody asked for the file that is kept or on its way: newer episodes do not take its place. */
  is_asked: boolean;
  /** Why the last download failed; null unless the state is `error`. */
  download_error: string | null;
  /** When the state last changed. */
  state_at_ms: number;
  /** Length, type and size according to the feed. */
  feed_duration_ms: number | null;
  feed_mime: string | null;
  feed_size_bytes: number | null;
  added_at_ms: number;
  updated_at_ms: number;
}

/** Pictures of podcasts, from where their feeds say. Podcasts that are gone may still have a row. */
export interface PodcastArtTable {
  podcast_id: number;
  /** Where the picture was fetched. */
  image_url: string;
  art_hash: string;
  art_mime: string;
}

/** Episodes that are gone. */
export interface DeletedPodcastEpisodeTable {
  episode_id: number;
  podcast_id: number;
  catalog_id: number;
  title: string;
  /** The file that was kept; empty: none was. */
  path: string;
  added_at_ms: number;
  deleted_at_ms: number;
}

/** Sums by kind (`podcast`, `podcast_episode`, `deleted_podcast_episode`) and catalog; catalog 0 stands for all, and has the highest id ever and the position of the last change. */
export interface PodcastCounterTable {
  kind: string;
  catalog_id: number;
  total: number;
  max_id: number;
  version: number;
}
