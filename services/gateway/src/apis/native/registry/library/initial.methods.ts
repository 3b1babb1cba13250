import { z } from 'zod';
import { listDefinitions, type HasLists } from '../../../../kinds/index.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import { listStarts } from '../../../../reads/lists/list-starts.js';
import { methodsUsing } from '../../method.js';
import { initialObject } from '../../objects/initial.object.js';
import { by, listQuery } from '../../paging.js';
import { cond, matching, sort } from '../../params.js';
import { heldList } from '../../result.js';

const { method } = methodsUsing<HasReadModel & HasLists>();

/** Method about the first letters and years of a list. Their number is small, so that there are no pages. */
export const initialMethods = {
  initials: method({
    versions: [8],
    access: 5,
    params: z.object({ type: z.enum(['song', 'album', 'artist']).default('song'), ...matching, cond, sort }),
    run: async ({ services, viewer, params }) => {
      const query = listQuery(params.type, { ...params, offset: 0, limit: undefined }, [], by('name'));
      const { ids } = await services.lists.ids(query, viewer);
      const starts = await listStarts(services.db, listDefinitions[params.type], { order: query.sort.name, ids, viewer });
      return heldList(initialObject, starts, ({ position }) => position);
    },
  }),
};
