import type { VideoStream } from '../messages/video.js';

/** Views of schema `library` about videos. All times are epoch milliseconds, all durations milliseconds. */

/** The videos that are there. */
export interface VideoTable {
  id: number;
  catalog_id: number;
  folder_id: number;
  file_name: string;
  /** Of the file, relative to the catalog's root, `/` between segments. */
  path: string;
  title: string;
  /** Folded title without leading article, under collation "C". */
  title_sort: string;
  format: string;
  mime: string;
  video_codec: string | null;
  audio_codec: string | null;
  width_px: number;
  height_px: number;
  duration_ms: number;
  bitrate_bps: number;
  size_bytes: number;
  mtime_ms: number;
  /** ISO 8601, possibly only year or year and month. */
  release_date: string | null;
  added_at_ms: number;
  updated_at_ms: number;
  /** Evenly spread in [0, 1), fixed per id: random picks start at a random value. */
  random_key: number;
  /** A `VideoDocument` as JSON text. */
  doc: string;
}

/** Document of a video for every viewer; no query filters by it. */
export interface VideoDocument {
  readonly comment?: string;
  readonly framesPerSecond?: number;
  readonly videoBitrateBps?: number;
  readonly channels?: number;
  readonly sampleRateHz?: number;
  /** Embedded subtitles. */
  readonly captions?: readonly VideoStream[];
  readonly audioTracks?: readonly VideoStream[];
  readonly genres: readonly { readonly id: number; readonly name: string }[];
}

export interface VideoGenreTable {
  video_id: number;
  genre_id: number;
  position: number;
}

/** Every genre that a video ever named, under its canonical name; not all of them are genres of songs. */
export interface VideoTagTable {
  id: number;
  name: string;
}

/** Folders of catalogs of videos, with the videos in them and below them. */
export interface VideoFolderTable {
  id: number;
  catalog_id: number;
  parent_id: number | null;
  video_count: number;
  duration_ms: number;
}

/** Videos that were deleted. */
export interface DeletedVideoTable {
  video_id: number;
  catalog_id: number;
  title: string;
  /** Absolute path under which the video last lay. */
  file: string;
  added_at_ms: number;
  deleted_at_ms: number;
}

/** Maintained totals, as those of songs: catalog 0 stands for the whole library, `max_id` is the highest id ever given. */
export interface VideoCounterTable {
  kind: 'video' | 'deleted_video' | 'video_tag';
  catalog_id: number;
  total: number;
  max_id: number;
  /** Log position of the last event that may have changed a list of the kind. */
  version: number;
}
