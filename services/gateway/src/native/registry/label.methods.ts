import { z } from 'zod';
import { listMd5 } from '../../reads/id-list.js';
import { labelsByIds } from '../../reads/labels.reads.js';
import { notFound } from '../errors/native-fault.js';
import { method } from '../method.js';
import { labelObject } from '../objects/label.object.js';
import { by, listQuery, listResult } from '../paging.js';
import { cond, flag, idOf, include, limit, offset, required, sort } from '../params.js';
import { objectResult } from '../result.js';
import { artistsWhere } from './artist.methods.js';

const page = { offset, limit, cond, sort };
/** No label has it: what stands for a filter that is no id, since an id filter without an id would restrict nothing. */
const NO_LABEL = -1;

/** Methods that list and show record labels. */
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
    run: async ({ services, viewer, params: { filter } }) => {
      const id = idOf(filter);
      const [label] = id === undefined ? [] : await labelsByIds(services.db, [id], viewer);
      if (!label) throw notFound('filter', filter);
      return objectResult(labelObject, label, { counted: true, md5: () => listMd5(Int32Array.of(label.id)) });
    },
  }),
  // Of an unknown label there are no artists; that is no error here.
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
