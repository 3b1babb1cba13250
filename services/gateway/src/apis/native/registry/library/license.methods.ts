import { z } from 'zod';
import { licensesByIds } from '../../../../reads/library/licenses.reads.js';
import { methodsUsing } from '../../method.js';
import { licenseObject } from '../../objects/license.object.js';
import { by } from '../../paging.js';
import { idOf, matching, named, paging } from '../../params.js';
import { ofKind } from '../lists/of-kind.js';
import { songsWhere } from './song.methods.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasLists } from '../../../../kinds/index.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';

const { method } = methodsUsing<HasReadModel & HasLists & HasPreferences>();

const licenses = ofKind('license', licenseObject, licensesByIds);
const versions = [4, 5, 6, 8] as const;
/** No licence has it: what stands for a filter that is no id, since an id filter without an id would restrict nothing. */
const NO_LICENSE = -1;

/** Methods about licences. */
export const licenseMethods = {
  licenses: method({ versions, access: 5, params: z.object({ ...paging, ...matching }), run: (call) => licenses.page(call, by('name')) }),
  license: method({ versions, access: 5, params: z.object(named), run: licenses.one }),
  // An unknown licence has no songs, which is no error here.
  license_songs: method({
    versions,
    access: 5,
    params: z.object({ ...paging, ...named }),
    run: (call) => {
      const { filter, ...params } = call.params;
      return songsWhere({ ...call, params }, [{ name: 'license', value: String(idOf(filter) ?? NO_LICENSE) }], 'name');
    },
  }),
};
