import { z } from 'zod';
import { genresByIds } from '../../../../reads/library/genres.reads.js';
import { methodsUsing } from '../../method.js';
import { genreObject } from '../../objects/genre.object.js';
import { by } from '../../paging.js';
import { matching, named, paging, positions } from '../../params.js';
import { below, ofKind } from '../lists/of-kind.js';
import { albumsWhere } from './album.methods.js';
import { artistsWhere } from './artist.methods.js';
import { songsBy } from './song.methods.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasLists } from '../../../../kinds/index.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';

const { method } = methodsUsing<HasReadModel & HasLists & HasPreferences>();

const genres = ofKind('genre', genreObject, genresByIds);
const versions = [3, 4, 5, 6, 8] as const;

/** Methods about genres. */
export const genreMethods = {
  genres: method({ versions, access: 5, params: z.object({ ...paging, ...matching }), run: (call) => genres.page(call, by('name')) }),
  genre: method({ versions, access: 5, params: z.object(named), run: genres.one }),
  genre_songs: method({
    versions,
    access: 5,
    params: z.object({ ...paging, ...named, positions }),
    run: below(genresByIds, 'tag', songsBy('name')),
  }),
  genre_albums: method({ versions, access: 5, params: z.object({ ...paging, ...named }), run: below(genresByIds, 'tag', albumsWhere) }),
  genre_artists: method({ versions, access: 5, params: z.object({ ...paging, ...named }), run: below(genresByIds, 'tag', artistsWhere) }),
};
