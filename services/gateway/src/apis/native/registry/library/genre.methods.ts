import { z } from 'zod';
import { genresByIds } from '../../../../reads/library/genres.reads.js';
import type { Condition } from '../../../../reads/lists/list-query.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { objectNamed } from '../../named-object.js';
import { genreObject } from '../../objects/genre.object.js';
import { by, listQuery, listResult } from '../../paging.js';
import { cond, flag, limit, offset, positions, required, sort } from '../../params.js';
import { objectResult } from '../../result.js';
import { albumsWhere } from './album.methods.js';
import { artistsWhere } from './artist.methods.js';
import { songsWhere } from './song.methods.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasLists } from '../../../../kinds/index.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';

type Services = HasReadModel & HasLists & HasPreferences;
const { method } = methodsUsing<Services>();

const page = { offset, limit, cond, sort };
const ofGenre = z.object({ ...page, filter: required });
type OfGenre = CallerCall<z.output<typeof ofGenre>, Services>;

/** The call without its own filter, and the filter as a condition. */
const withGenreFilter = async (
  call: OfGenre,
): Promise<{ call: CallerCall<Omit<OfGenre['params'], 'filter'>, Services>; own: Condition[] }> => {
  const { filter, ...params } = call.params;
  const genre = await objectNamed(call, genresByIds, filter);
  return { call: { ...call, params }, own: [{ name: 'tag', value: String(genre.id) }] };
};

/** Methods about genres. */
export const genreMethods = {
  genres: method({
    versions: [3, 4, 5, 6, 8],
    access: 5,
    params: z.object({ ...page, filter: z.string().optional(), exact: flag }),
    run: (call) =>
      listResult(call, listQuery('genre', call.params, [], by('name')), {
        table: genreObject,
        read: (ids) => genresByIds(call.services.db, ids, call.viewer),
      }),
  }),
  genre: method({
    versions: [3, 4, 5, 6, 8],
    access: 5,
    params: z.object({ filter: required }),
    run: async (call) => {
      const genre = await objectNamed(call, genresByIds, call.params.filter);
      return objectResult(genreObject, genre, genre.id);
    },
  }),
  genre_songs: method({
    versions: [3, 4, 5, 6, 8],
    access: 5,
    params: ofGenre.extend({ positions }),
    run: async (given) => {
      const { call, own } = await withGenreFilter(given);
      return songsWhere(call, own, 'name');
    },
  }),
  genre_albums: method({
    versions: [3, 4, 5, 6, 8],
    access: 5,
    params: ofGenre,
    run: async (given) => {
      const { call, own } = await withGenreFilter(given);
      return albumsWhere(call, own);
    },
  }),
  genre_artists: method({
    versions: [3, 4, 5, 6, 8],
    access: 5,
    params: ofGenre,
    run: async (given) => {
      const { call, own } = await withGenreFilter(given);
      return artistsWhere(call, own);
    },
  }),
};
