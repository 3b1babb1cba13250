import { z } from 'zod';
import { albumDisksByIds } from '../../../../reads/library/album-disks.reads.js';
import { albumsByIds } from '../../../../reads/library/albums.reads.js';
import { albumDisksWithSongs, expandedResult, firstOf } from '../../expansion.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { foundById } from '../../named-object.js';
import { albumDiskObject, type NativeAlbumDisk } from '../../objects/album-disk.object.js';
import { by, listQuery, pageResult, type ListParams } from '../../paging.js';
import { include, named, paging } from '../../params.js';
import { objectResult } from '../../result.js';
import { below } from '../lists/of-kind.js';
import type { Reader } from '../lists/reading.js';
import { songsBy } from './song.methods.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasLists } from '../../../../kinds/index.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';

type Services = HasReadModel & HasLists & HasPreferences;
const { method } = methodsUsing<Services>();

/** Disks without their songs. */
const readDisks = async ({ services, viewer }: Reader, ids: ArrayLike<number>): Promise<NativeAlbumDisk[]> =>
  (await albumDisksByIds(services.db, ids, viewer)).map((view) => ({ view, tracks: [] }));

/** Methods about disks of albums. */
export const albumDiskMethods = {
  album_disks: method({
    versions: [8],
    access: 5,
    params: z.object({ ...paging, ...named, include }),
    run: (call) =>
      below(albumsByIds, 'album', async (disks: CallerCall<ListParams, Services>, own) => {
        const list = await disks.services.lists.ids(listQuery('album_disk', disks.params, own, by('disk')), disks.viewer);
        return call.params.include('songs')
          ? expandedResult(disks, list, { table: albumDiskObject, steps: (ids) => albumDisksWithSongs(disks, ids) })
          : pageResult(disks, list, { table: albumDiskObject, read: (ids) => readDisks(disks, ids) });
      })(call),
  }),
  album_disk: method({
    versions: [8],
    access: 5,
    params: z.object({ ...named, include }),
    run: async (call) => {
      const { filter, include: has } = call.params;
      const disk = await foundById(filter, async (id) =>
        has('songs') ? firstOf(albumDisksWithSongs(call, Int32Array.of(id))) : (await readDisks(call, [id]))[0],
      );
      return objectResult(albumDiskObject, disk, disk.view.id);
    },
  }),
  album_disk_songs: method({
    versions: [8],
    access: 5,
    params: z.object({ ...paging, ...named }),
    run: below(albumDisksByIds, 'album_disk', songsBy('track')),
  }),
};
