import { safeFileName } from '@continuo/chassis';
import { extname } from 'node:path';

/** Values for a filing pattern. Unknown numbers are 0, unknown texts empty. */
export interface FiledTrack {
  readonly title: string;
  readonly artist: string;
  readonly album: string;
  readonly albumArtist: string;
  readonly genre: string;
  readonly year: number;
  readonly originalYear: number;
  readonly disk: number;
  readonly track: number;
  readonly comment: string;
  readonly label: string;
  readonly barcode: string;
  readonly catalogNumber: string;
  readonly releaseType: string;
}

/** Longest segment of a generated path in bytes of UTF-8; file systems take 255, and a number may have to be added. */
const MAX_SEGMENT_BYTES = 200;
const UNKNOWN = 'Unknown';

const twoDigits = (value: number): string => (value > 0 ? String(value).padStart(2, '0') : '');
const year = (value: number): string => (value > 0 ? String(value) : '');

type Token = (track: FiledTrack) => string;

/** The letters of patterns. `%a` is the artist of the album in folders, where an album must stay together, and the song's own in names of files. */
const tokens: Readonly<Record<string, Token>> = {
  A: (track) => track.album,
  a: (track) => track.artist,
  B: (track) => track.albumArtist,
  T: (track) => twoDigits(track.track),
  t: (track) => track.title,
  y: (track) => year(track.year),
  Y: (track) => year(track.originalYear) || year(track.year),
  d: (track) => (track.disk > 0 ? String(track.disk) : ''),
  g: (track) => track.genre,
  c: (track) => track.comment,
  l: (track) => track.label,
  b: (track) => track.barcode,
  C: (track) => track.catalogNumber,
  r: (track) => track.releaseType,
};

/** A text as one segment of a path on any system, never empty and not too long. */
export const safeSegment = (text: string, maxBytes = MAX_SEGMENT_BYTES): string => safeFileName(text, { maxBytes, whenEmpty: UNKNOWN });

/** One segment of a pattern, filled in; what is not known leaves no dangling dashes and brackets behind. */
const fill = (pattern: string, track: FiledTrack): string => {
  const filled = pattern.replaceAll(/%([A-Za-z])/g, (whole, letter: string) => {
    const token = tokens[letter];
    return token === undefined ? whole : safeOrEmpty(token(track));
  });
  return safeSegment(
    filled
      .replaceAll(/\(\s*\)|\[\s*\]/g, '')
      .replace(/^[\s-]+(?=\S)/, '')
      .replace(/[\s-]+$/, ''),
  );
};

// A value must not bring separators of its own into the pattern.
const safeOrEmpty = (value: string): string => (value.trim() === '' ? '' : safeSegment(value));

/** Folders below the root for a track, `/` between segments; empty without a pattern. */
export const folderByPattern = (pattern: string | null, track: FiledTrack): string =>
  (pattern ?? '')
    .split('/')
    .filter((segment) => segment.trim() !== '')
    .map((segment) => fill(segment, { ...track, artist: track.albumArtist || track.artist }))
    .join('/');

/** Name of a file by a pattern, with the suffix of the file as it is; the cleaned old name without a pattern. */
export const nameByPattern = (pattern: string | null, track: FiledTrack, fileName: string): string => {
  const suffix = extname(fileName);
  const stem = suffix === '' ? fileName : fileName.slice(0, -suffix.length);
  const wanted = pattern === null || pattern.trim() === '' ? safeSegment(stem) : fill(pattern.replaceAll('/', '_'), track);
  return `${wanted}${safeSuffix(suffix)}`;
};

const safeSuffix = (suffix: string): string => (suffix === '' ? '' : `.${safeSegment(suffix.slice(1), 20)}`);
