import { stemOf } from '../walk/file-kinds.js';
import type { DiskFile } from '../walk/walked-folder.js';

/** Usual names of folder pictures, the best first. Windows names its thumbnails AlbumArtSmall and AlbumArt_{…}_Large. */
export const USUAL_PICTURE_NAMES = 'cover.*,folder.*,front.*,albumart*.*,album.*,artwork.*';

/** Pictures that are tried as a folder's picture. */
const MAX_PICTURES = 3;
/** The usual picture of an artist stands for no album. */
const ARTIST = /^artist\./i;
const SUFFIXES = ['jpg', 'jpeg', 'png', 'webp', 'gif'];

/** Names as patterns, in order of preference; `*` stands for any letters, `?` for one. Case does not matter. */
export type PictureNames = readonly RegExp[];

/** Reads patterns between commas. */
export const pictureNames = (patterns: string): PictureNames =>
  patterns
    .split(',')
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== '')
    .map((pattern) => {
      const escaped = pattern.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`);
      return new RegExp(`^${escaped.replaceAll(/\*+/g, '.*').replaceAll('?', '.')}$`, 'i');
    });

const usual = pictureNames(USUAL_PICTURE_NAMES);

/** Pictures by how probably they stand for the folder; without any of the names, the only picture does. */
export const likelyPictures = (pictures: readonly DiskFile[], names: PictureNames = usual): DiskFile[] => {
  const ranked = pictures.flatMap((file) => {
    const place = names.findIndex((name) => name.test(file.name));
    const suffix = SUFFIXES.indexOf(file.name.slice(file.name.lastIndexOf('.') + 1).toLowerCase());
    const isSmall = stemOf(file.name).toLowerCase().includes('small');
    return place < 0 ? [] : [{ file, rank: place * 10 + suffix + (isSmall ? 5 : 0) }];
  });
  if (ranked.length === 0) {
    const others = pictures.filter(({ name }) => !ARTIST.test(name));
    return others.length === 1 ? others : [];
  }
  return ranked
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ file }) => file)
    .slice(0, MAX_PICTURES);
};
