import { z } from 'zod';
import { albumsByIds } from '../../reads/albums.reads.js';
import { listMd5 } from '../../reads/id-list.js';
import type { Condition } from '../../reads/list-query.js';
import { notFound } from '../errors/native-fault.js';
import { method, type CallerCall } from '../method.js';
import { albumObject } from '../objects/album.object.js';
import { by, listQuery, listResult, type ListParams } from '../paging.js';
import { cond, dateRange, flag, idOf, include, limit, offset, required, sort } from '../params.js';
import { objectResult, type NativeResult } from '../result.js';
import { readAlbums } from './reading.js';
import { songsWhere } from './song.methods.js';

const page = { offset, limit, cond, sort };

/** One page of albums by name and year, which is the default of the album order preference. */
export const albumsWhere = (call: CallerCall<ListParams>, own: readonly Condition[], withSongs = false): Promise<NativeResult> =>
  listResult(call, listQuery('album', call.params, own, by('name_year')), {
    table: albumObject,
    read: (ids) => readAlbums(call, ids, withSongs),
  });

/** Methods that list and show albums. */
export const albumMethods = {
  albums: method({
    versions: [3, 4, 5, 6, 8],
    access: 5,
    params: z.object({ ...page, filter: z.string().optional(), exact: flag, add: dateRange, update: dateRange, include }),
    run: (call) => albumsWhere(call, [], call.params.include('songs')),
  }),
  album: method({
    versions: [3, 4, 5, 6, 8],
    access: 5,
    params: z.object({ filter: required, include }),
    run: async (call) => {
      const id = idOf(call.params.filter);
      const [album] = id === undefined ? [] : await readAlbums(call, [id], call.params.include('songs'));
      if (!album) throw notFound('filter', call.params.filter);
      return objectResult(albumObject, album, { counted: true, md5: () => listMd5(Int32Array.of(album.view.id)) });
    },
  }),
  album_songs: method({
    versions: [3, 4, 5, 6, 8],
    access: 5,
    params: z.object({ ...page, filter: required }),
    run: async (call) => {
      const { filter, ...params } = call.params;
      const id = idOf(filter);
      const [album] = id === undefined ? [] : await albumsByIds(call.services.db, [id], call.viewer);
      if (!album) throw notFound('filter', filter);
      return songsWhere({ ...call, params }, [{ name: 'album', value: String(album.id) }], 'album_disk');
    },
  }),
};
