import { z } from 'zod';
import { deletedSongsByIds } from '../../reads/deleted-songs.reads.js';
import { method } from '../method.js';
import { deletedSongObject } from '../objects/deleted-song.object.js';
import { by, listQuery, listResult } from '../paging.js';
import { limit, offset } from '../params.js';

/** Recorded answers of versions 5 and 6 call an empty list by the plural (versions.md section 8). */
const EMPTY_NAME = 'deleted_songs';

/** What is remembered of things that are gone. */
export const deletedMethods = {
  deleted_songs: method({
    versions: [5, 6, 8],
    access: 5,
    params: z.object({ offset, limit }),
    run: async (call) => {
      const result = await listResult(call, listQuery('deleted_song', call.params, [], by('id')), {
        table: deletedSongObject,
        read: (ids) => deletedSongsByIds(call.services.db, ids, call.viewer),
        // XML has no counters for them (versions.md section 3.1).
        counted: call.format === 'json',
      });
      const isOldEmpty = result.kind === 'list' && result.items.isEmpty && call.policy.version < 8;
      return isOldEmpty ? { ...result, name: EMPTY_NAME } : result;
    },
  }),
};
