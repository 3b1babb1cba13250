import { cleanText } from './text.js';

/** Fields parsed from a file name, for missing tags. */
export interface NameParts {
  readonly title: string;
  readonly track?: number;
  readonly disk?: number;
}

/** A disc and a track number in front: `1-01 Title`, `2.03 - Title`. */
const DISC_AND_TRACK = /^(\d{1,2})[-.](\d{2,3})\s*[-._]*\s*(?=\D)(.+)$/;
/** A track number in front; without a leading zero it needs punctuation behind it, so that "99 Luftballons" stays a title. */
const TRACK = /^(?:(0\d{1,2})[\s._-]+|(\d{1,3})\s*[-._]+\s*)(?=\S)(.+)$/;

/** Reads title and numbers off a file name. */
export const partsOfFileName = (fileName: string): NameParts => {
  const stem = cleanText(fileName.replace(/\.[^.]{1,5}$/, '').replaceAll('_', ' ')) ?? fileName;
  const both = DISC_AND_TRACK.exec(stem);
  if (both) return { title: (both[3] as string).trim(), disk: Number(both[1]), track: Number(both[2]) };
  const one = TRACK.exec(stem);
  if (one) return { title: (one[3] as string).trim(), track: Number(one[1] ?? one[2]) };
  return { title: stem };
};

/** Folders that hold one disc of an album: `CD1`, `Disc 2`, `disk_03 - Live`. */
const DISC_FOLDER = /^(?:cd|dis[ck]|disque|vol(?:ume)?)[\s._-]*(\d{1,2})(?:\b|_)/i;

/** The disc number in a folder's name; absent when it is no disc's folder. */
export const discOfFolder = (name: string): number | undefined => {
  const match = DISC_FOLDER.exec(name.trim());
  return match ? Number(match[1]) : undefined;
};

/** The album name that a track without one gets: its folder's, for a disc's folder the one above; absent in the catalog's root. */
export const albumOfPath = (folderPath: string): string | undefined => {
  const names = folderPath.split('/').filter((name) => name !== '');
  const last = names.at(-1);
  if (last === undefined) return undefined;
  return cleanText(discOfFolder(last) !== undefined && names.length > 1 ? names.at(-2) : last);
};
