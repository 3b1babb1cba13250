import { askQuery } from '@continuo/chassis';
import { Rejection, SERVER_FOLDERS_SUBJECT, serverFoldersQuery } from '@continuo/contracts';
import { z } from 'zod';
import type { HasOperations } from '../../../features/operations/operations.js';
import { operate } from '../operate.js';
import { operationsUsing } from '../operation.js';

const { operation } = operationsUsing<HasOperations>();

/** Time for folders of slow disks, ms. */
const TIMEOUT_MS = 10_000;

const serverFolders = z
  .object({
    path: z.string().nullable().meta({ description: 'The folder, with links followed; null above the folders to begin with' }),
    parent: z.string().nullable().meta({ description: 'The folder around it; null where that is not shown' }),
    unusable: z.string().nullable().meta({ description: 'Why it cannot be a catalog; null when it can' }),
    folders: z.array(z.object({ name: z.string(), path: z.string() })).meta({ description: 'Folders in it by name, at most 1,000' }),
    isCut: z.boolean().meta({ description: 'Whether there are more folders' }),
  })
  .meta({ id: 'ServerFolders' });

/** Operations on the folders of the server's machine. */
export const serverFolderOperations = {
  getServerFolders: operation({
    method: 'GET',
    path: '/server-folders',
    family: 'catalogs',
    access: 'read',
    summary: 'Answers the folders in a folder of the server, to choose that of a catalog',
    description:
      'Only folders in `CATALOG_ROOTS` that the server may read; none of the system, of the server’s own data, or with a name that begins with a dot. Links are followed before anything is judged.',
    query: z.strictObject({
      path: z.string().min(1).max(4096).optional().meta({ description: 'Absolute; the folders to begin with when absent' }),
    }),
    answer: serverFolders,
    errors: ['catalog.path-unusable', 'unavailable'],
    run: async ({ query, services }) => {
      const answer = await operate(services, ({ session }) =>
        askQuery(
          session.nats,
          serverFoldersQuery,
          { path: query.path ?? null },
          { subject: SERVER_FOLDERS_SUBJECT, timeout: TIMEOUT_MS },
        ).catch((cause: unknown) => {
          throw new Rejection('unavailable', 'the library does not answer', undefined, { cause });
        }),
      );
      if ('refused' in answer) throw new Rejection('catalog.path-unusable', answer.refused, 'path');
      return answer;
    },
  }),
};
