import type { CallerRow } from '../../method.js';
import { genreMethods } from './genre.methods.js';

/** A genre method under its name in versions 3 and 4. */
const oldName = <S>(row: CallerRow<S>): CallerRow<S> => ({ ...row, versions: [3, 4] });

/** Genre methods under their old names, withdrawn in version 5. */
export const tagMethods = {
  tags: oldName(genreMethods.genres),
  tag: oldName(genreMethods.genre),
  tag_albums: oldName(genreMethods.genre_albums),
  tag_artists: oldName(genreMethods.genre_artists),
  tag_songs: oldName(genreMethods.genre_songs),
};
