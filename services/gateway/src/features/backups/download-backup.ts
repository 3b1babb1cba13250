import { join } from 'node:path';
import { Rejection } from '@continuo/contracts';
import type { HasCommands, HasConfig } from '../../server/needs.js';
import type { CallerContext } from '../../server/requests/request-context.js';
import type { Download } from '../media/send-bytes.js';
import type { HasOperations } from '../operations/operations.js';
import { recordPerformed } from '../operations/record-operation.js';
import { backupFolder } from './take-backup.js';

/** Media type of a downloaded backup: generators of clients know none for tar. */
export const BACKUP_ARCHIVE = 'application/octet-stream';

/**
 * The download of a backup, which is put on record before its first byte leaves.
 * @throws Rejection `conflict` when there is no whole backup of this name, `feature.disabled`
 */
export const downloadOfBackup = async (
  services: HasConfig & HasOperations & HasCommands,
  context: CallerContext,
  name: string,
): Promise<Download> => {
  const folder = join(backupFolder(services), name);
  const { library } = await services.operations.open();
  if (!library.isNameOfBackup(name) || !(await library.summaryOf(folder)))
    throw new Rejection('conflict', 'there is no whole backup of this name');
  return {
    fileName: `${name}.tar`,
    open: async () => {
      await recordPerformed(services, context, 'downloadBackup', name);
      return library.openBackupArchive(folder);
    },
  };
};
