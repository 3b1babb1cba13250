import { join } from 'node:path';
import { Rejection, type MessageContext } from '@continuo/contracts';
import type { HasClock, HasConfig } from '../../server/needs.js';
import type { HasLongWork, WorkRecord } from '../operations/long-work.js';
import { operatorAccess } from '../operations/operator-access.js';
import type { HasOperations } from '../operations/operations.js';

const WHERE =
  'BACKUP_FOLDER is not set for this gateway: take backups with "continuo backup <folder>" beside the server, or as docs/operate/backup.md says for Kubernetes';

/** Folder of the backups. @throws Rejection `feature.disabled` where backups are taken elsewhere */
export const backupFolder = ({ config }: HasConfig): string => {
  if (config.BACKUP_FOLDER === undefined) throw new Rejection('feature.disabled', WHERE);
  return config.BACKUP_FOLDER;
};

const NAME = /^continuo-(?<date>\d{4}-\d\d-\d\d)T(?<h>\d\d)-(?<m>\d\d)-(?<s>\d\d)Z$/;

/** Time at which a backup began, by its name, ISO 8601. */
export const startOfBackup = (name: string): string => name.replace(NAME, '$<date>T$<h>:$<m>:$<s>.000Z');

/** Work on backups that may still be under way, or has failed without leaving a folder. */
const RECENT = 50;

/** Records of backups that were started lately, the latest first. */
export const recentBackups = ({ longWork }: HasLongWork): Promise<WorkRecord[]> => longWork.list('backup', { limit: RECENT });

/** Terms of a backup. */
export interface WantedBackup {
  readonly database: boolean;
  readonly pictures: boolean;
  /** Number of backups that are left when it is whole; all when absent. */
  readonly keep?: number | undefined;
}

/**
 * Begins to take a backup of the running server. Its name is the subject of the record.
 * @throws Rejection `conflict` while one is being taken, `feature.disabled`, `unavailable`
 */
export const takeBackup = async (
  services: HasConfig & HasClock & HasLongWork & HasOperations,
  context: MessageContext,
  wanted: WantedBackup,
): Promise<WorkRecord> => {
  const folder = backupFolder(services);
  const { config, longWork, now } = services;
  if ((await recentBackups(services)).some(({ state }) => state === 'running'))
    throw new Rejection('conflict', 'a backup is being taken already');
  const { database, pictures, keep } = wanted;
  const { library } = await services.operations.open();
  const name = library.nameOf(new Date(now()));
  const order = { kind: 'backup', id: name, subject: name, options: { ...wanted }, context } as const;
  return longWork.start(order, async (tell) => {
    const earlier = (await library.backupsIn(folder)).at(-1);
    const { access, settings: art } = operatorAccess(config);
    const data = { access, art, secret: config.CONTINUO_SECRET, folder: join(folder, name) };
    await library.backupInThread({ kind: 'take', request: { ...data, database, pictures, earlier } }, tell);
    if (keep !== undefined) await library.deleteOldest(folder, keep);
    return null;
  });
};
