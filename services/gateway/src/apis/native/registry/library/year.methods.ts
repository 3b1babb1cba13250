import { z } from 'zod';
import type { HasReadModel } from '../../../../reads/database/database.js';
import { yearsOfAlbums } from '../../../../reads/library/years.reads.js';
import { listMd5 } from '../../../../reads/lists/id-list.js';
import { methodsUsing } from '../../method.js';
import { yearObject } from '../../objects/year.object.js';
import { heldList } from '../../result.js';

const { method } = methodsUsing<HasReadModel>();

/** Method about the years of albums. Their number is that of years, so that there are no pages. */
export const yearMethods = {
  years: method({
    versions: [8],
    access: 5,
    params: z.object({}),
    run: async ({ services, viewer }) => {
      const years = await yearsOfAlbums(services.db, viewer);
      return heldList(yearObject, years, { counted: true, md5: listMd5(Int32Array.from(years, ({ year }) => year)) });
    },
  }),
};
