import { writeM3u } from './m3u.js';
import type { PlaylistFile, PlaylistFormat } from './playlist-file.js';
import { writePls } from './pls.js';
import { writeXspf } from './xspf.js';

const writers: Readonly<Record<PlaylistFormat, (list: PlaylistFile) => Generator<string>>> = {
  m3u: writeM3u,
  m3u8: writeM3u,
  pls: writePls,
  xspf: writeXspf,
};

/** Media types under which the formats travel. */
export const playlistMimes: Readonly<Record<PlaylistFormat, string>> = {
  m3u: 'audio/x-mpegurl',
  m3u8: 'application/vnd.apple.mpegurl',
  pls: 'audio/x-scpls',
  xspf: 'application/xspf+xml',
};

/** A list as text of a format, piece by piece; UTF-8. For XSPF, locations are URIs. */
export const writePlaylistFile = (list: PlaylistFile, format: PlaylistFormat): Generator<string> => writers[format](list);
