import { z } from 'zod';
import { albumsByIds } from '../../../../reads/library/albums.reads.js';
import type { Condition, SortOrder } from '../../../../reads/lists/list-query.js';
import { albumsWithSongs, expandedResult, firstOf } from '../../expansion.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { foundById } from '../../named-object.js';
import { albumObject, type NativeAlbum } from '../../objects/album.object.js';
import { by, listQuery, pageResult, type ListParams } from '../../paging.js';
import { changed, include, matching, named, paging, positions } from '../../params.js';
import { objectResult, type NativeResult } from '../../result.js';
import { below } from '../lists/of-kind.js';
import { readAlbums } from '../lists/reading.js';
import { songsBy } from './song.methods.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasLists } from '../../../../kinds/index.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';

type Services = HasReadModel & HasLists & HasPreferences;
const { method } = methodsUsing<Services>();

/** Orders of the preference `album_sort`; others sort by name and year. */
const orders: Readonly<Record<string, SortOrder>> = {
  name_asc: by('name'),
  name_desc: { name: 'name', descending: true },
  name_original_year: by('name_original_year'),
  year_asc: by('year'),
  year_desc: { name: 'year', descending: true },
};
/** The same orders by the original year. */
const byOriginal: Readonly<Record<string, string>> = { name_year: 'name_original_year', year: 'original_year' };

/** The caller's preferred order of albums. */
const preferredOrder = async ({ services, viewer }: CallerCall<unknown, Services>): Promise<SortOrder> => {
  const preferences = await services.preferences.current();
  const order = orders[preferences.of(viewer.userId, 'album_sort')] ?? by('name_year');
  return preferences.isOn(viewer.userId, 'use_original_year') ? { ...order, name: byOriginal[order.name] ?? order.name } : order;
};

/** An album, with its songs if included. */
const albumOf = (call: CallerCall<unknown, Services>, text: string, withSongs: boolean): Promise<NativeAlbum> =>
  foundById(text, async (id) => (withSongs ? firstOf(albumsWithSongs(call, Int32Array.of(id))) : (await readAlbums(call, [id]))[0]));

/** A page of albums, in the preferred order by default. */
export const albumsWhere = async (
  call: CallerCall<ListParams, Services>,
  own: readonly Condition[],
  withSongs = false,
): Promise<NativeResult> => {
  const query = listQuery('album', call.params, own, await preferredOrder(call));
  const list = await call.services.lists.ids(query, call.viewer);
  return withSongs
    ? expandedResult(call, list, { table: albumObject, steps: (ids) => albumsWithSongs(call, ids) })
    : pageResult(call, list, { table: albumObject, read: (ids) => readAlbums(call, ids) });
};

/** Methods about albums. */
export const albumMethods = {
  albums: method({
    versions: [3, 4, 5, 6, 8],
    access: 5,
    params: z.object({ ...paging, ...matching, ...changed, include }),
    run: (call) => albumsWhere(call, [], call.params.include('songs')),
  }),
  album: method({
    versions: [3, 4, 5, 6, 8],
    access: 5,
    params: z.object({ ...named, include }),
    run: async (call) => {
      const album = await albumOf(call, call.params.filter, call.params.include('songs'));
      return objectResult(albumObject, album, album.view.id);
    },
  }),
  album_songs: method({
    versions: [3, 4, 5, 6, 8],
    access: 5,
    params: z.object({ ...paging, positions, ...named }),
    run: below(albumsByIds, 'album', songsBy('album_disk')),
  }),
};
