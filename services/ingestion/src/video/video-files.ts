import type { FileKind } from '../walk/file-kinds.js';

/** Suffixes of files that may hold moving pictures; what a file really is, its content decides. */
const VIDEOS = new Set(
  'mp4 m4v mov qt 3gp 3g2 mkv webm avi divx mpg mpeg mpe m2v vob ogv ogm ts m2ts mts wmv asf flv f4v rm rmvb'.split(' '),
);

/** Kind of a file in a video catalog, by its suffix. Companion files are not used yet. */
export const videoFileKind = (name: string): FileKind | undefined => {
  const dot = name.lastIndexOf('.');
  return dot > 0 && VIDEOS.has(name.slice(dot + 1).toLowerCase()) ? 'media' : undefined;
};
