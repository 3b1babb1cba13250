import type { SyntheticAlbum, SyntheticTrack } from '../synthetic/library.js';

const two = (n: number): string => String(n).padStart(2, '0');
/** Characters that some file system refuses, and control characters, become an underscore. */
const safe = (name: string): string => name.replaceAll(/[<>:"/\\|?*\p{Cc}]/gu, '_').slice(0, 80);

/** Folder of an album, relative to the generated root. */
export const albumFolder = (album: SyntheticAlbum): string => `${safe(album.artist.name)}/${album.year} - ${safe(album.name)}`;

/** File name of a track without its suffix; unique within its album. */
export const trackStem = (album: SyntheticAlbum, track: SyntheticTrack): string =>
  `${album.disks > 1 ? `${track.disk}-` : ''}${two(track.track)} - ${safe(track.title)}`;
