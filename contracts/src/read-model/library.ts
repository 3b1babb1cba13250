import type { ExplicitStatus } from '../messages/track.js';

/**
 * Schema `library`: views that the library service publishes and alone writes. All times are epoch milliseconds, all durations milliseconds.
 * `*_sort` columns hold a folded form (lower case, no accents, no leading article) under collation "C", so that plain indexes give the order.
 * Things without songs stay as rows with zero counts, so that they keep id and name; lists show rows with `song_count > 0` or `album_count > 0`.
 */

export interface CatalogTable {
  id: number;
  name: string;
  type: string;
  gather_types: string;
  /** Absolute real path, or the address of other storage. */
  path: string;
  /** JSON of the connection to other storage, secrets sealed; null for a folder. */
  connection: string | null;
  enabled: boolean;
  rename_pattern: string | null;
  sort_pattern: string | null;
  /** Whether its folder is watched; null follows the setting. */
  watched: boolean | null;
  /** Cron expression by which it is scanned, empty for never; null follows the setting. */
  scan_schedule: string | null;
  added_at_ms: number;
  song_count: number;
}

export interface FolderTable {
  id: number;
  catalog_id: number;
  parent_id: number | null;
  /** Relative to the catalog's root, `/` between segments, empty for the root. */
  path: string;
  name: string;
  name_sort: string;
  art_hash: string | null;
  art_mime: string | null;
  present: boolean;
  /** Songs in this folder and below it, and how long they last. */
  song_count: number;
  duration_ms: number;
}

/** Every file that a scan looked at, in the state in which it was recorded: what the next scan compares with the disk. */
export interface FileTable {
  folder_id: number;
  name: string;
  kind: 'track' | 'skipped' | 'art' | 'lyrics';
  size_bytes: number;
  mtime_ms: number;
  song_id: number | null;
  skip_reason: string | null;
  skip_message: string | null;
}

export interface SongTable {
  id: number;
  catalog_id: number;
  folder_id: number;
  file_name: string;
  album_id: number;
  /** First credited artist. */
  artist_id: number | null;
  title: string;
  title_sort: string;
  disk: number;
  disk_subtitle: string | null;
  track: number;
  year: number;
  duration_ms: number;
  bitrate_bps: number;
  size_bytes: number;
  mtime_ms: number;
  added_at_ms: number;
  updated_at_ms: number;
  mbid: string | null;
  /** Names joined by `, `. */
  composer: string | null;
  comment: string | null;
  /** First record label of the album. */
  publisher: string | null;
  bpm: number | null;
  license_id: number | null;
  art_hash: string | null;
  explicit_status: ExplicitStatus | null;
  /** Fingerprint of the sound without the tags; null where the format gives none. */
  sound_print?: string | null;
  /** Evenly spread in [0, 1), fixed per id: random picks start at a random value. */
  random_key: number;
  /** A `SongDocument` as JSON text. */
  doc: string;
}

export interface SongArtistTable {
  song_id: number;
  artist_id: number;
  position: number;
}

/** Contributors of a song beside its artists: composers and others, once for each role. */
export interface SongContributorTable {
  song_id: number;
  artist_id: number;
  role: string;
  /** The song's. */
  catalog_id: number;
}

export interface SongGenreTable {
  song_id: number;
  genre_id: number;
  position: number;
}

export interface SongMoodTable {
  song_id: number;
  mood_id: number;
  position: number;
}

export interface AlbumTable {
  id: number;
  catalog_id: number;
  name: string;
  prefix: string | null;
  basename: string;
  name_sort: string;
  /** First album artist. */
  album_artist_id: number | null;
  artist_sort: string;
  year: number;
  original_year: number | null;
  song_count: number;
  disk_count: number;
  duration_ms: number;
  size_bytes: number;
  added_at_ms: number;
  updated_at_ms: number;
  release_type: string | null;
  mbid: string | null;
  mbid_group: string | null;
  version: string | null;
  barcode: string | null;
  catalog_number: string | null;
  release_status: string | null;
  art_hash: string | null;
  art_mime: string | null;
  random_key: number;
  /** An `AlbumDocument` as JSON text. */
  doc: string;
}

/** The disks of albums that have songs; `id` is `albumDiskIdOf(album_id, disk)`. */
export interface AlbumDiskTable {
  id: number;
  album_id: number;
  catalog_id: number;
  disk: number;
  subtitle: string | null;
  song_count: number;
  duration_ms: number;
  size_bytes: number;
  added_at_ms: number;
  updated_at_ms: number;
}

/** Record labels as tags name them. Lists show those with `album_count > 0`. */
export interface LabelTable {
  id: number;
  name: string;
  name_sort: string;
  album_count: number;
  /** Album artists of the label's albums. */
  artist_count: number;
}

export interface AlbumLabelTable {
  album_id: number;
  label_id: number;
  position: number;
}

export interface ArtistLabelTable {
  artist_id: number;
  label_id: number;
  album_count: number;
}

/** Licences as tags name them. Lists show those with `song_count > 0`. */
export interface LicenseTable {
  id: number;
  /** The tag's text, or the short name of a Creative Commons licence that it links to. */
  name: string;
  name_sort: string;
  /** The link in the tag; empty when it has none. */
  external_link: string;
  song_count: number;
}

/** Songs that were deleted. */
export interface DeletedSongTable {
  song_id: number;
  catalog_id: number;
  title: string;
  /** Absolute path under which the song last lay. */
  file: string;
  album_id: number;
  artist_id: number | null;
  added_at_ms: number;
  updated_at_ms: number;
  deleted_at_ms: number;
}

export interface AlbumArtistTable {
  album_id: number;
  artist_id: number;
  position: number;
}

export interface AlbumGenreTable {
  album_id: number;
  genre_id: number;
  song_count: number;
}

export interface ArtistTable {
  id: number;
  name: string;
  prefix: string | null;
  basename: string;
  name_sort: string;
  mbid: string | null;
  /** Albums on which this artist is an album artist. */
  album_count: number;
  /** Songs that credit this artist. */
  song_count: number;
  duration_ms: number;
  added_at_ms: number;
  art_hash: string | null;
  /** The album whose cover `art_hash` is; null for a picture of its own. */
  art_album_id: number | null;
  random_key: number;
  /** An `ArtistDocument` as JSON text. */
  doc: string;
}

/** In which catalogs an artist has songs or albums: what catalog visibility filters artists by. */
export interface ArtistCatalogTable {
  artist_id: number;
  catalog_id: number;
  song_count: number;
  /** Albums on which the artist is an album artist. */
  album_count: number;
}

export interface ArtistGenreTable {
  artist_id: number;
  genre_id: number;
  song_count: number;
}

export interface GenreTable {
  id: number;
  name: string;
  name_sort: string;
  song_count: number;
  album_count: number;
  artist_count: number;
  /** True for a genre that an administrator took out of the lists, and for one that was merged into others. */
  hidden: boolean;
}

/** Genres that were merged: songs that carry `genre_id` in their tags carry `into_id` instead. */
export interface GenreMergeTable {
  genre_id: number;
  into_id: number;
}

export interface MoodTable {
  id: number;
  name: string;
}

/** Structured lyrics of a song, `LyricsText[]` as JSON text. */
export interface SongLyricsTable {
  song_id: number;
  lyrics: string;
}

/** An image that the media store holds under its hash. */
export interface ArtTable {
  hash: string;
  mime: string;
  size_bytes: number;
  width_px: number | null;
  height_px: number | null;
}

/**
 * Maintained totals. Catalog 0 stands for the whole library; songs and albums are also counted per catalog. `max_id` is the highest id ever given.
 */
export interface CounterTable {
  kind: 'song' | 'album' | 'artist' | 'genre' | 'mood' | 'folder' | 'label' | 'license' | 'deleted_song';
  catalog_id: number;
  total: number;
  max_id: number;
  /** Log position of the last event that may have changed a list of the kind: equal versions mean equal lists. */
  version: number;
}
