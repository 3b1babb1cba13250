import { z } from 'zod';
import { licensesByIds } from '../../../../reads/library/licenses.reads.js';
import { methodsUsing } from '../../method.js';
import { objectNamed } from '../../named-object.js';
import { licenseObject } from '../../objects/license.object.js';
import { by, listQuery, listResult } from '../../paging.js';
import { cond, flag, idOf, limit, offset, required, sort } from '../../params.js';
import { objectResult } from '../../result.js';
import { songsWhere } from './song.methods.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasLists } from '../../../../kinds/index.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';

type Services = HasReadModel & HasLists & HasPreferences;
const { method } = methodsUsing<Services>();

const page = { offset, limit, cond, sort };
/** No licence has it: what stands for a filter that is no id, since an id filter without an id would restrict nothing. */
const NO_LICENSE = -1;

/** Methods about licences. */
export const licenseMethods = {
  licenses: method({
    versions: [4, 5, 6, 8],
    access: 5,
    params: z.object({ ...page, filter: z.string().optional(), exact: flag }),
    run: (call) =>
      listResult(call, listQuery('license', call.params, [], by('name')), {
        table: licenseObject,
        read: (ids) => licensesByIds(call.services.db, ids, call.viewer),
      }),
  }),
  license: method({
    versions: [4, 5, 6, 8],
    access: 5,
    params: z.object({ filter: required }),
    run: async (call) => {
      const license = await objectNamed(call, licensesByIds, call.params.filter);
      return objectResult(licenseObject, license, license.id);
    },
  }),
  // An unknown licence has no songs, which is no error here.
  license_songs: method({
    versions: [4, 5, 6, 8],
    access: 5,
    params: z.object({ ...page, filter: required }),
    run: (call) => {
      const { filter, ...params } = call.params;
      return songsWhere({ ...call, params }, [{ name: 'license', value: String(idOf(filter) ?? NO_LICENSE) }], 'name');
    },
  }),
};
