import { z } from 'zod';
import type { Condition } from '../../../../reads/lists/list-query.js';
import { badValue } from '../../errors/native-fault.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { foundById } from '../../named-object.js';
import { songObject } from '../../objects/song.object.js';
import { by, listQuery, listResult, type ListParams } from '../../paging.js';
import { changed, matching, named, paging, positions } from '../../params.js';
import { objectResult, type NativeResult } from '../../result.js';
import { songIdOfUrl } from '../../song-url.js';
import { readSongs, songReader } from '../lists/reading.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasLists } from '../../../../kinds/index.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';

type Services = HasReadModel & HasLists & HasPreferences;
const { method } = methodsUsing<Services>();

/** A page of songs in a fixed order. */
export const songsWhere = (call: CallerCall<ListParams, Services>, own: readonly Condition[], order: string): Promise<NativeResult> =>
  listResult(call, listQuery('song', call.params, own, by(order)), {
    table: songObject,
    read: songReader(call),
  });

/** Songs with conditions, in a fixed order. */
export const songsBy =
  (order: string) =>
  (call: CallerCall<ListParams, Services>, own: readonly Condition[]): Promise<NativeResult> =>
    songsWhere(call, own, order);

const oneSong = async (call: CallerCall<unknown, Services>, text: string): Promise<NativeResult> => {
  const song = await foundById(text, async (id) => [...(await readSongs(call, [id]))][0]);
  return objectResult(songObject, song, song.view.doc.id);
};

/** Methods about songs. */
export const songMethods = {
  songs: method({
    versions: [3, 4, 5, 6, 8],
    access: 5,
    params: z.object({ ...paging, positions, ...matching, ...changed }),
    run: (call) => songsWhere(call, [], 'title'),
  }),
  song: method({ versions: [3, 4, 5, 6, 8], access: 5, params: z.object(named), run: (call) => oneSong(call, call.params.filter) }),
  url_to_song: method({
    versions: [3, 4, 5, 6, 8],
    access: 5,
    aliases: { filter: ['filter', 'url'] },
    params: z.object(named),
    run: (call) => {
      const id = songIdOfUrl(call.params.filter);
      if (id === undefined) throw badValue('filter', call.params.filter, 'must be a play address of this server');
      return oneSong(call, String(id));
    },
  }),
};
