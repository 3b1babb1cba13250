import { z } from 'zod';
import { listMd5 } from '../../reads/id-list.js';
import type { Condition } from '../../reads/list-query.js';
import { badValue, notFound } from '../errors/native-fault.js';
import { method, type CallerCall } from '../method.js';
import { songObject } from '../objects/song.object.js';
import { by, listQuery, listResult, type ListParams } from '../paging.js';
import { cond, dateRange, flag, idOf, limit, offset, required, sort } from '../params.js';
import { objectResult, type NativeResult } from '../result.js';
import { songIdOfUrl } from '../song-url.js';
import { readSongs } from './reading.js';

const page = { offset, limit, cond, sort };

/** One page of songs in an order of their own. */
export const songsWhere = (call: CallerCall<ListParams>, own: readonly Condition[], order: string): Promise<NativeResult> =>
  listResult(call, listQuery('song', call.params, own, by(order)), {
    table: songObject,
    read: (ids, start) => readSongs(call, ids, start),
  });

const oneSong = async (call: CallerCall<unknown>, text: string): Promise<NativeResult> => {
  const id = idOf(text);
  const [song] = id === undefined ? [] : [...(await readSongs(call, [id]))];
  if (!song) throw notFound('filter', text);
  return objectResult(songObject, song, { counted: true, md5: () => listMd5(Int32Array.of(song.view.doc.id)) });
};

/** Methods that list and show songs. */
export const songMethods = {
  songs: method({
    versions: [3, 4, 5, 6, 8],
    access: 5,
    params: z.object({ ...page, filter: z.string().optional(), exact: flag, add: dateRange, update: dateRange }),
    run: (call) => songsWhere(call, [], 'title'),
  }),
  song: method({
    versions: [3, 4, 5, 6, 8],
    access: 5,
    params: z.object({ filter: required }),
    run: (call) => oneSong(call, call.params.filter),
  }),
  url_to_song: method({
    versions: [3, 4, 5, 6, 8],
    access: 5,
    aliases: { filter: ['filter', 'url'] },
    params: z.object({ filter: required }),
    run: (call) => {
      const id = songIdOfUrl(call.params.filter);
      if (id === undefined) throw badValue('filter', call.params.filter);
      return oneSong(call, String(id));
    },
  }),
};
