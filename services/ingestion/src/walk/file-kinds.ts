import { formatOfName } from '@continuo/playlist-files';

/** Suffixes of files that may hold sound; what a file really is, its content decides. */
const MEDIA = new Set(
  'mp3 mp2 flac ogg oga opus spx m4a m4b mp4 aac wav wave aif aiff aifc wma asf ape wv mpc mp+ mpp dsf dff mka webm weba'.split(' '),
);
const PICTURES = new Set(['jpg', 'jpeg', 'png', 'webp', 'gif']);
/** Texts that belong to tracks: lyrics, and sheets that cut a file into songs. */
const LYRICS = new Set(['lrc', 'ttml', 'srt', 'txt', 'cue']);
/** Folders that file servers and systems keep for themselves. */
const SYSTEM_FOLDERS = new Set(['@eadir', '#recycle', '$recycle.bin', 'system volume information', 'lost+found']);
/** A file of this name keeps a folder and everything below it out of the library. */
export const IGNORE_MARKER = '.nomedia';

export type FileKind = 'media' | 'picture' | 'lyrics' | 'playlist';
/** Says what a file is for by its name; undefined for what is of no use. */
export type KindOf = (name: string) => FileKind | undefined;

const suffixOf = (name: string): string => {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
};

/** The name without its suffix: what ties a lyrics file to its track. */
export const stemOf = (name: string): string => {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? name : name.slice(0, dot);
};

/** True for the name of a cue sheet, which is one of the texts beside tracks. */
export const isCueName = (name: string): boolean => suffixOf(name) === 'cue';

/** Kind of a file by its suffix; undefined for files that the library does not use. */
export const fileKind = (name: string): FileKind | undefined => {
  const suffix = suffixOf(name);
  if (MEDIA.has(suffix)) return 'media';
  if (PICTURES.has(suffix)) return 'picture';
  if (LYRICS.has(suffix)) return 'lyrics';
  return formatOfName(name) === undefined ? undefined : 'playlist';
};

/** Hidden entries and folders of the system are not looked at. */
export const isIgnoredName = (name: string): boolean => name.startsWith('.') || SYSTEM_FOLDERS.has(name.toLowerCase());
