import { z } from 'zod';
import type { HasReadModel } from '../../../../reads/database/database.js';
import { yearsOfAlbums } from '../../../../reads/library/years.reads.js';
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
    run: async ({ services, viewer }) => heldList(yearObject, await yearsOfAlbums(services.db, viewer), ({ year }) => year),
  }),
};
