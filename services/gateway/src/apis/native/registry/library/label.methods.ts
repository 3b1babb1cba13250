import { z } from 'zod';
import { labelsByIds } from '../../../../reads/library/labels.reads.js';
import { methodsUsing } from '../../method.js';
import { labelObject } from '../../objects/label.object.js';
import { by } from '../../paging.js';
import { idOf, include, matching, named, paging } from '../../params.js';
import { ofKind } from '../lists/of-kind.js';
import { artistsWhere } from './artist.methods.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasLists } from '../../../../kinds/index.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';

const { method } = methodsUsing<HasReadModel & HasLists & HasPreferences>();

const labels = ofKind('label', labelObject, labelsByIds);
const versions = [5, 6, 8] as const;
/** Matches no label: an id filter without an id would match all. */
const NO_LABEL = -1;

/** Methods about record labels. */
export const labelMethods = {
  labels: method({ versions, access: 5, params: z.object({ ...paging, ...matching }), run: (call) => labels.page(call, by('name')) }),
  label: method({ versions, access: 5, params: z.object(named), run: labels.one }),
  // An unknown label has no artists, which is no error here.
  label_artists: method({
    versions,
    access: 5,
    params: z.object({ ...paging, ...named, include }),
    run: (call) => {
      const { filter, include: has, ...params } = call.params;
      const own = [{ name: 'label', value: String(idOf(filter) ?? NO_LABEL) }];
      return artistsWhere({ ...call, params }, own, { albums: has('albums'), songs: has('songs') });
    },
  }),
};
