import type { ExplicitStatus, LyricsText } from '../messages/track.js';

/** A named thing as objects refer to it; `prefix` is a leading article, `basename` the rest. */
export interface NameRef {
  id: number;
  name: string;
  prefix: string | null;
  basename: string;
  mbid?: string;
}

/** A genre or a mood as objects refer to it. */
export interface TagRef {
  id: number;
  name: string;
}

/**
 * Everything of a song that is the same for all users and sessions. Absent optional fields are unknown. When it was added and last changed are
 * columns of the song view, not part of the document.
 * Durations in milliseconds, rates in bits per second and hertz, gains in dB, R128 gains in 1/256 dB.
 */
export interface SongDocument {
  id: number;
  title: string;
  sortTitle?: string;
  artists: NameRef[];
  displayArtist?: string;
  album: NameRef;
  albumArtists: NameRef[];
  displayAlbumArtist?: string;
  disk: number;
  diskSubtitle?: string;
  track: number;
  year: number;
  originalYear?: number;
  releaseDate?: string;
  durationMs: number;
  /** Usual file suffix of the container. */
  format: string;
  codec?: string;
  mime: string;
  bitrateBps: number;
  bitrateMode?: string;
  lossless?: boolean;
  sampleRateHz: number;
  channels?: number;
  bitDepth?: number;
  sizeBytes: number;
  /** Relative to the catalog's root. */
  path: string;
  catalogId: number;
  folderId: number;
  genres: TagRef[];
  moods: TagRef[];
  bpm?: number;
  /** Rating of the song in its tags, of 100. */
  tagRating?: number;
  /** Where the song lies in a file that it shares with others; `path` names that file. */
  part?: { startMs: number; sourceMs: number };
  composers?: string[];
  /** The artists that the composers are, in their order; absent for songs recorded before composers had ids. */
  composerIds?: number[];
  /** Further credits; `id` is the artist's, absent for songs recorded before contributors had ids. */
  contributors?: { role: string; subRole?: string; name: string; id?: number }[];
  comment?: string;
  publisher?: string;
  language?: string;
  license?: string;
  /** Lines joined by `\n`; each begins with `[mm:ss.xx]` where its time is known. */
  lyrics?: string;
  isrcs?: string[];
  works?: { name: string; mbid?: string }[];
  movements?: { name: string; number?: number; count?: number }[];
  groupings?: string[];
  explicit?: ExplicitStatus;
  mbid?: string;
  mbTrackId?: string;
  trackGainDb?: number;
  trackPeak?: number;
  albumGainDb?: number;
  albumPeak?: number;
  r128TrackGain?: number;
  r128AlbumGain?: number;
  /** Gain that a decoder of the format applies by itself, dB. */
  baseGainDb?: number;
  /** Embedded picture, else the folder's is shown through the album. */
  artHash?: string;
  extraTags?: Record<string, string>;
}

/** The list-valued part of an album; its plain values are columns of the album view. */
export interface AlbumDocument {
  artists: NameRef[];
  /** Every artist credited on a song of the album. */
  songArtists: NameRef[];
  genres: TagRef[];
  moods: TagRef[];
  recordLabels: string[];
  releaseTypes: string[];
  diskTitles: { disk: number; title: string }[];
  displayArtist?: string;
  sortName?: string;
  version?: string;
  releaseDate?: string;
  originalDate?: string;
  releaseStatus?: string;
  barcode?: string;
  catalogNumber?: string;
  compilation: boolean;
  /** `explicit` when one of the songs is, else `clean` when one of them is. */
  explicit?: ExplicitStatus;
}

/** The list-valued part of an artist. */
export interface ArtistDocument {
  genres: TagRef[];
  sortName?: string;
  /** Roles of the artist on songs other than being their artist, with the catalogs of these songs. Absent for none. */
  roles?: Record<string, number[]>;
}

/** Structured lyrics as `SongLyricsTable.lyrics` holds them. */
export type LyricsDocument = LyricsText[];
