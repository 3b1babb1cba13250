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

/** A list as text of a format, piece by piece; UTF-8. For XSPF, locations are URIs. */
export const writePlaylistFile = (list: PlaylistFile, format: PlaylistFormat): Generator<string> => writers[format](list);
