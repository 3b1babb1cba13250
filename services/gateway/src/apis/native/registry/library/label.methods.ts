import { z } from 'zod';
import { labelsByIds } from '../../../../reads/library/labels.reads.js';
import { methodsUsing } from '../../method.js';
import { objectNamed } from '../../named-object.js';
import { labelObject } from '../../objects/label.object.js';
import { by, listQuery, listResult } from '../../paging.js';
import { cond, flag, idOf, include, limit, offset, required, sort } from '../../params.js';
import { objectResult } from '../../result.js';
import { artistsWhere } from './artist.methods.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasLists } from '../../../../kinds/index.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';

type Services = HasReadModel & HasLists & HasPreferences;
const { method } = methodsUsing<Services>();

const page = { offset, limit, cond, sort };
/** Matches no label: an id filter without an id would match all. */
const NO_LABEL = -1;

/** Methods about record labels. */
export const labelMethods = {
  labels: method({
    versions: [5, 6, 8],
    access: 5,
    params: z.object({ ...page, filter: z.string().optional(), exact: flag }),
    run: (call) =>
      listResult(call, listQuery('label', call.params, [], by('name')), {
        table: labelObject,
        read: (ids) => labelsByIds(call.services.db, ids, call.viewer),
      }),
  }),
  label: method({
    versions: [5, 6, 8],
    access: 5,
    params: z.object({ filter: required }),
    run: async (call) => {
      const label = await objectNamed(call, labelsByIds, call.params.filter);
      return objectResult(labelObject, label, label.id);
    },
  }),
  // An unknown label has no artists, which is no error here.
  label_artists: method({
    versions: [5, 6, 8],
    access: 5,
    params: z.object({ ...page, filter: required, include }),
    run: (call) => {
      const { filter, include: has, ...params } = call.params;
      const own = [{ name: 'label', value: String(idOf(filter) ?? NO_LABEL) }];
      return artistsWhere({ ...call, params }, own, { albums: has('albums'), songs: has('songs') });
    },
  }),
};
