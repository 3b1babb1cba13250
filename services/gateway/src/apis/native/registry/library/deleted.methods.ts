import { z } from 'zod';
import { deletedSongsByIds } from '../../../../reads/songs/deleted-songs.reads.js';
import { methodsUsing } from '../../method.js';
import { deletedSongObject } from '../../objects/deleted-song.object.js';
import { limit, offset } from '../../params.js';
import { deletedPage } from '../lists/of-kind.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasLists } from '../../../../kinds/index.js';

const { method } = methodsUsing<HasReadModel & HasLists>();

/** Methods about deleted media. */
export const deletedMethods = {
  deleted_songs: method({
    versions: [5, 6, 8],
    access: 5,
    params: z.object({ offset, limit }),
    run: (call) => deletedPage(call, 'deleted_song', { table: deletedSongObject, read: deletedSongsByIds, emptyName: 'deleted_songs' }),
  }),
};
