import { z } from 'zod';
import { albumDisksByIds } from '../../../../reads/library/album-disks.reads.js';
import { albumsByIds } from '../../../../reads/library/albums.reads.js';
import { notFound } from '../../errors/native-fault.js';
import { albumDisksWithSongs, expandedResult, firstOf } from '../../expansion.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { objectNamed } from '../../named-object.js';
import { albumDiskObject, type NativeAlbumDisk } from '../../objects/album-disk.object.js';
import { by, listQuery, pageResult } from '../../paging.js';
import { cond, idOf, include, limit, offset, required, sort } from '../../params.js';
import { objectResult } from '../../result.js';
import type { Reader } from '../lists/reading.js';
import { songsWhere } from './song.methods.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasLists } from '../../../../kinds/index.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';

type Services = HasReadModel & HasLists & HasPreferences;
const { method } = methodsUsing<Services>();

const page = { offset, limit, cond, sort };

/** Disks without their songs. */
const readDisks = async ({ services, viewer }: Reader, ids: ArrayLike<number>): Promise<NativeAlbumDisk[]> =>
  (await albumDisksByIds(services.db, ids, viewer)).map((view) => ({ view, tracks: [] }));

const diskOf = async (call: CallerCall<unknown, Services>, text: string, withSongs = false): Promise<NativeAlbumDisk> => {
  const id = idOf(text);
  const ids = Int32Array.of(...(id === undefined ? [] : [id]));
  const disk = withSongs ? await firstOf(albumDisksWithSongs(call, ids)) : (await readDisks(call, ids))[0];
  if (!disk) throw notFound('filter', text);
  return disk;
};

/** Methods about disks of albums. */
export const albumDiskMethods = {
  album_disks: method({
    versions: [8],
    access: 5,
    params: z.object({ ...page, filter: required, include }),
    run: async (call) => {
      const { filter, include: has, ...params } = call.params;
      const album = await objectNamed(call, albumsByIds, filter);
      const query = listQuery('album_disk', params, [{ name: 'album', value: String(album.id) }], by('disk'));
      const list = await call.services.lists.ids(query, call.viewer);
      return has('songs')
        ? expandedResult(call, list, { table: albumDiskObject, steps: (ids) => albumDisksWithSongs(call, ids) })
        : pageResult(call, list, { table: albumDiskObject, read: (ids) => readDisks(call, ids) });
    },
  }),
  album_disk: method({
    versions: [8],
    access: 5,
    params: z.object({ filter: required, include }),
    run: async (call) => {
      const disk = await diskOf(call, call.params.filter, call.params.include('songs'));
      return objectResult(albumDiskObject, disk, disk.view.id);
    },
  }),
  album_disk_songs: method({
    versions: [8],
    access: 5,
    params: z.object({ ...page, filter: required }),
    run: async (call) => {
      const { filter, ...params } = call.params;
      const disk = await diskOf(call, filter);
      return songsWhere({ ...call, params }, [{ name: 'album_disk', value: String(disk.view.id) }], 'track');
    },
  }),
};
