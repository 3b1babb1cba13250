import { z } from 'zod';
import { deletedSongsByIds } from '../../../../reads/songs/deleted-songs.reads.js';
import { methodsUsing } from '../../method.js';
import { deletedSongObject } from '../../objects/deleted-song.object.js';
import { by, listQuery, listResult } from '../../paging.js';
import { limit, offset } from '../../params.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasLists } from '../../../../kinds/index.js';

type Services = HasReadModel & HasLists;
const { method } = methodsUsing<Services>();

/** Plural name of an empty list in versions 5 and 6, as recorded. */
const EMPTY_NAME = 'deleted_songs';

/** Methods about deleted media. */
export const deletedMethods = {
  deleted_songs: method({
    versions: [5, 6, 8],
    access: 5,
    params: z.object({ offset, limit }),
    run: async (call) => {
      const result = await listResult(call, listQuery('deleted_song', call.params, [], by('id')), {
        table: deletedSongObject,
        read: (ids) => deletedSongsByIds(call.services.db, ids, call.viewer),
        // XML has no counters here.
        counted: call.format === 'json',
      });
      const isOldEmpty = result.kind === 'list' && result.items.isEmpty && call.policy.version < 8;
      return isOldEmpty ? { ...result, name: EMPTY_NAME } : result;
    },
  }),
};
