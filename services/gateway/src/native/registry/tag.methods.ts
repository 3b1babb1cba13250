import type { CallerRow } from '../method.js';
import { genreMethods } from './genre.methods.js';

/** A genre method under the name that versions 3 and 4 had for it. */
const oldName = (row: CallerRow): CallerRow => ({ ...row, versions: [3, 4] });

/** Genres under their old name; later versions withdrew it (versions.md section 9). */
export const tagMethods = {
  tags: oldName(genreMethods.genres),
  tag: oldName(genreMethods.genre),
  tag_albums: oldName(genreMethods.genre_albums),
  tag_artists: oldName(genreMethods.genre_artists),
  tag_songs: oldName(genreMethods.genre_songs),
};
