import { decodePlaylist } from './decode.js';
import { readM3u } from './m3u.js';
import {
  DEFAULT_LIMITS,
  PlaylistDraft,
  PlaylistFileFault,
  playlistFormats,
  type PlaylistFile,
  type PlaylistFileLimits,
  type PlaylistFormat,
  type ReadPlaylistFile,
} from './playlist-file.js';
import { readPls } from './pls.js';
import { readXspf } from './xspf.js';

/** Options of reading a file. */
export interface ReadOptions {
  /** Its suffix decides where the content leaves a doubt. */
  readonly fileName: string;
  readonly limits?: PlaylistFileLimits;
  /** Character set that a person named; found out without it. */
  readonly encoding?: string | undefined;
}

/** The format that a file name speaks of; undefined for names of anything else. */
export const formatOfName = (fileName: string): PlaylistFormat | undefined => {
  const suffix = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();
  return fileName.includes('.') ? playlistFormats.find((format) => format === suffix) : undefined;
};

const readers: Readonly<Record<PlaylistFormat, (text: string, draft: PlaylistDraft) => PlaylistFile>> = {
  m3u: readM3u,
  m3u8: readM3u,
  pls: readPls,
  xspf: readXspf,
};

/** Content goes before the name: files are renamed, and programs save one format under the suffix of another. */
const formatOf = (text: string, named: PlaylistFormat | undefined): PlaylistFormat => {
  const head = text.slice(0, 1024).trimStart();
  if (/^\[playlist\]/i.test(head)) return 'pls';
  if (head.startsWith('<')) return 'xspf';
  if (named === 'pls' && /^(?:File|Title)\d+\s*=/im.test(head)) return 'pls';
  if (named === 'xspf') throw new PlaylistFileFault('malformed', 'The file is not XML');
  return named === 'm3u8' ? 'm3u8' : 'm3u';
};

/**
 * Reads a playlist file of any kind. Memory is bounded by the limits.
 * @throws PlaylistFileFault when it is none, or is refused as a whole
 */
export const readPlaylistFile = (bytes: Uint8Array, { fileName, limits = DEFAULT_LIMITS, encoding }: ReadOptions): ReadPlaylistFile => {
  if (bytes.length > limits.maxBytes) throw new PlaylistFileFault('too-large', `The file is larger than ${limits.maxBytes} bytes`);
  const decoded = decodePlaylist(bytes, encoding);
  const draft = new PlaylistDraft(limits);
  const format = formatOf(decoded.text, formatOfName(fileName));
  const content = readers[format](decoded.text, draft);
  return { format, encoding: decoded.encoding, otherEncodings: decoded.alternatives, content, notices: draft.notices };
};
