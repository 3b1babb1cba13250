import { z } from 'zod';
import { albumId, artistId, genreId, labelId, licenseId, moodId, songId } from './ids.js';

/** Epoch milliseconds. */
export const epochMs = z.int().nonnegative();
const text = z.string();
const mbid = z.string().max(64);

/** An image kept by content: `hash` is the lower-case hex SHA-256 of its bytes. */
export const artRef = z.object({
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  mime: text,
  sizeBytes: z.int().nonnegative(),
  widthPx: z.int().nonnegative().optional(),
  heightPx: z.int().nonnegative().optional(),
});
export type ArtRef = z.infer<typeof artRef>;

/** When words of a line are sung: from a time in milliseconds on what begins at an index of its text, in UTF-16 units, and ends where the next one begins. */
const lyricsCue = z.tuple([z.int().nonnegative(), z.int().nonnegative()]);

/** One line of lyrics. Only lines whose words have times have `cues`, in their order; `endMs` is when the last of them is over, where that is known. */
const lyricsLine = z.object({
  startMs: z.int().nonnegative().optional(),
  text,
  cues: z.array(lyricsCue).optional(),
  endMs: z.int().nonnegative().optional(),
});

/** One text of lyrics. `lines` carry start times in milliseconds when `synced`. */
export const lyricsText = z.object({
  language: text.default('xxx'),
  synced: z.boolean(),
  source: z.enum(['tag', 'file']),
  lines: z.array(lyricsLine),
});
export type LyricsText = z.infer<typeof lyricsText>;

/**
 * Loudness correction in dB (gains) and linear full-scale (peaks); R128 gains in Q7.8 steps of 1/256 dB as the tag has them. `baseGainDb` is what a decoder of the
 * format applies by itself (the output gain of an Opus header); absent when that is nothing.
 */
export const loudness = z.object({
  trackGainDb: z.number().optional(),
  trackPeak: z.number().optional(),
  albumGainDb: z.number().optional(),
  albumPeak: z.number().optional(),
  r128TrackGain: z.int().optional(),
  r128AlbumGain: z.int().optional(),
  baseGainDb: z.number().optional(),
});

/** A piece of music that a track is a recording of. */
const work = z.object({ name: text.min(1), mbid: mbid.optional() });
/** A part of such a piece; `number` is its place among `count`. */
const movement = z.object({ name: text.min(1), number: z.int().positive().optional(), count: z.int().positive().optional() });
/** Advisory tag for the words of a track: clean, or explicit. */
export const explicitStatus = z.enum(['explicit', 'clean']);
export type ExplicitStatus = z.infer<typeof explicitStatus>;

/** The role of those whom `composers` names. */
export const COMPOSER_ROLE = 'composer';

/** Somebody's part in a track; `subRole` says more, such as the instrument of a performer. */
const contributor = z.object({ role: text.min(1), subRole: text.min(1).optional(), name: text.min(1) });

/**
 * Where a song lies in a file that it shares with others (a cue sheet says so): it begins at `startMs` of the `sourceMs` that the whole file lasts. Its `fileName` is the
 * file's, a slash, and its number; size and time are those of the whole file.
 */
const trackPart = z.object({ startMs: z.int().nonnegative(), sourceMs: z.int().positive() });

/** Fields that do not depend on who made the file: sound properties and plain tags, shared by the scanned and the recorded form. */
const plainTrackFields = {
  fileName: text.min(1).max(1024),
  sizeBytes: z.int().nonnegative(),
  mtimeMs: epochMs,
  /** SHA-1 (hex) over the canonical form of everything read from the file: equal digests mean nothing to record. */
  digest: z.string(),
  title: text,
  sortTitle: text.optional(),
  /** Artist line as printed on the track, when it differs from the joined names. */
  displayArtist: text.optional(),
  displayAlbumArtist: text.optional(),
  composers: z.array(text).default([]),
  disk: z.int().nonnegative().optional(),
  diskTotal: z.int().nonnegative().optional(),
  diskSubtitle: text.optional(),
  track: z.int().nonnegative().optional(),
  trackTotal: z.int().nonnegative().optional(),
  year: z.int().optional(),
  durationMs: z.int().nonnegative(),
  /** Container by its usual file suffix: mp3, flac, ogg, opus, m4a, wav, aiff, wma, ape, wv. */
  format: text,
  codec: text.optional(),
  mime: text,
  bitrateBps: z.int().nonnegative(),
  bitrateMode: z.enum(['cbr', 'vbr', 'abr']).optional(),
  lossless: z.boolean().default(false),
  sampleRateHz: z.int().nonnegative(),
  channels: z.int().nonnegative().optional(),
  bitDepth: z.int().nonnegative().optional(),
  part: trackPart.optional(),
  /** Fingerprint of the sound without the tags, where the format gives it cheaply: a file of the same print and length is the same song, moved. */
  soundPrint: text.max(64).optional(),
  bpm: z.number().optional(),
  /** Rating in the tags, of 100. It is nobody's rating here until somebody asks to have such ratings imported. */
  rating: z.int().min(1).max(100).optional(),
  mbTrackId: mbid.optional(),
  mbRecordingId: mbid.optional(),
  isrcs: z.array(text).default([]),
  works: z.array(work).optional(),
  movements: z.array(movement).optional(),
  groupings: z.array(text.min(1)).optional(),
  explicit: explicitStatus.optional(),
  comment: text.optional(),
  language: text.optional(),
  license: text.optional(),
  /** The label that this file names first. Events from before songs had one of their own lack it; the album's counts then. */
  publisher: text.optional(),
  loudness: loudness.default({}),
  lyrics: z.array(lyricsText).default([]),
  /** Embedded front cover. */
  art: artRef.optional(),
  /** Tags that have no field of their own, by lower-case name. */
  extraTags: z.record(text, text).default({}),
} as const;

/** Tags of the release that a track is on. */
const releaseFields = {
  sortName: text.optional(),
  mbAlbumId: mbid.optional(),
  mbReleaseGroupId: mbid.optional(),
  year: z.int().optional(),
  originalYear: z.int().optional(),
  /** ISO 8601, possibly only year or year and month. */
  releaseDate: text.optional(),
  originalDate: text.optional(),
  releaseTypes: z.array(text).default([]),
  releaseStatus: text.optional(),
  version: text.optional(),
  barcode: text.optional(),
  catalogNumber: text.optional(),
  recordLabels: z.array(text).default([]),
  compilation: z.boolean().default(false),
} as const;

/** A person or group as a tag names it, before it has an id. */
export const scannedCredit = z.object({
  name: text.min(1),
  mbid: mbid.optional(),
  sortName: text.optional(),
});
export type ScannedCredit = z.infer<typeof scannedCredit>;

/** A track as ingestion read it: names, no ids. */
export const scannedTrack = z.object({
  ...plainTrackFields,
  artists: z.array(scannedCredit),
  albumArtists: z.array(scannedCredit),
  album: z.object({ name: text, ...releaseFields }),
  genres: z.array(text.min(1)),
  moods: z.array(text.min(1)),
  /** Further credits by role (`conductor`, `lyricist`, `remixer`, `arranger`, `producer`, `engineer`, `mixer`, `djmixer`, `performer`, and others that a file names). */
  contributors: z.array(contributor).default([]),
});
export type ScannedTrack = z.infer<typeof scannedTrack>;

/** Name tables of one event: the things that its tracks point to by id, under their canonical names. */
export const artistRef = z.object({
  id: artistId,
  name: text,
  mbid: mbid.optional(),
  sortName: text.optional(),
});
export const albumRef = z.object({
  id: albumId,
  name: text,
  artistIds: z.array(artistId),
  /** The labels of `recordLabels`, in their order. Events from before labels had ids lack it. */
  labelIds: z.array(labelId).optional(),
  ...releaseFields,
});
export const genreRef = z.object({ id: genreId, name: text });
export const moodRef = z.object({ id: moodId, name: text });
export const labelRef = z.object({ id: labelId, name: text });
/** A licence under the name that lists show; `externalLink` is the link in the tag, empty when it has none. */
export const licenseRef = z.object({ id: licenseId, name: text, externalLink: text });
export const nameTables = z.object({
  artists: z.array(artistRef),
  albums: z.array(albumRef),
  genres: z.array(genreRef),
  moods: z.array(moodRef),
  /** Events from before labels and licences had ids lack these two. */
  labels: z.array(labelRef).optional(),
  licenses: z.array(licenseRef).optional(),
});
export type AlbumRef = z.infer<typeof albumRef>;
export type LicenseRef = z.infer<typeof licenseRef>;
export type NameTables = z.infer<typeof nameTables>;

/** A track as the log keeps it: ids into the event's name tables. */
export const recordedTrack = z.object({
  songId,
  ...plainTrackFields,
  artistIds: z.array(artistId),
  albumId,
  genreIds: z.array(genreId),
  moodIds: z.array(moodId),
  /** Identity of a contributor of that name. Events from before contributors had ids lack it. */
  contributors: z.array(contributor.extend({ artistId: artistId.optional() })).default([]),
  /** Identities of `composers`, in their order. Events from before composers had ids lack it. */
  composerIds: z.array(artistId).optional(),
  /** Licence of the text in `license`, if the library knows it. */
  licenseId: licenseId.optional(),
});
export type RecordedTrack = z.infer<typeof recordedTrack>;

/** Why a file was left out; the scan's report lists each with its message. */
export const skipReason = z.enum([
  'empty',
  'unreadable',
  'not-media',
  'damaged',
  'name-not-utf8',
  'name-too-long',
  'too-large',
  'vanished',
]);
export type SkipReason = z.infer<typeof skipReason>;
export const skippedFile = z.object({
  fileName: text,
  sizeBytes: z.int().nonnegative(),
  mtimeMs: epochMs,
  reason: skipReason,
  message: text,
});
export type SkippedFile = z.infer<typeof skippedFile>;

/** A companion file of a folder that changes what its tracks show (cover picture, lyrics file): kept to notice a change. `lyrics` is any text that belongs to tracks: words, or the sheet that cuts a file into songs. */
export const sidecarFile = z.object({
  fileName: text,
  sizeBytes: z.int().nonnegative(),
  mtimeMs: epochMs,
  kind: z.enum(['art', 'lyrics']),
});
export type SidecarFile = z.infer<typeof sidecarFile>;
