import { z } from 'zod';
import { defineQuery } from './define.js';

/** Subject on which the library answers with folders of its machine. */
export const SERVER_FOLDERS_SUBJECT = 'library.server-folders';

/** Most folders of one answer. */
export const MAX_SERVER_FOLDERS = 1000;

/** Asks for the folders in a folder, of those in which catalogs may lie; without a path for those to begin with. */
export const serverFoldersQuery = defineQuery(
  z.object({ path: z.string().nullable() }),
  z.union([
    z.object({
      /** Real path; null above the folders to begin with. */
      path: z.string().nullable(),
      /** Path of the folder around it; null where it cannot be looked at. */
      parent: z.string().nullable(),
      /** Why it cannot be a catalog; null when it can. */
      unusable: z.string().nullable(),
      folders: z.array(z.object({ name: z.string(), path: z.string() })).max(MAX_SERVER_FOLDERS),
      /** True when there are more folders than {@link MAX_SERVER_FOLDERS}. */
      isCut: z.boolean(),
    }),
    z.object({ refused: z.string() }),
  ]),
);
/** Folders of one folder, or why they are not shown. */
export type ServerFolders = z.infer<(typeof serverFoldersQuery)['answer']>;
