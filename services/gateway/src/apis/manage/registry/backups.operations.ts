import { join } from 'node:path';
import { Rejection } from '@continuo/contracts';
import type { BackupSummary } from '@continuo/operations';
import { z } from 'zod';
import { BACKUP_ARCHIVE, downloadOfBackup } from '../../../features/backups/download-backup.js';
import { backupFolder, recentBackups, startOfBackup, takeBackup } from '../../../features/backups/take-backup.js';
import type { HasLongWork, WorkRecord } from '../../../features/operations/long-work.js';
import { operatorAccess } from '../../../features/operations/operator-access.js';
import type { HasOperations, OperatorTools } from '../../../features/operations/operations.js';
import { recordPerformed } from '../../../features/operations/record-operation.js';
import { messageContext, type CallerContext } from '../../../server/requests/request-context.js';
import type { HasClock, HasCommands, HasConfig } from '../../../server/needs.js';
import { cutPage, pageOf, pageQuery, readCursor, rowsOfPage } from '../cursors.js';
import { operate, required } from '../operate.js';
import { operationsUsing } from '../operation.js';
import { word, workPath } from '../schemas/ids.js';
import { time } from '../schemas/times.js';
import { shownWork, workFields } from '../schemas/work.js';

type Services = HasOperations & HasLongWork & HasCommands & HasConfig & HasClock;
const { operation, download } = operationsUsing<Services>();

const backup = z
  .object({
    ...workFields,
    version: z.string().nullable().meta({ description: 'Release that has written it' }),
    sizeBytes: z.number().nullable(),
    tables: z.int().nullable(),
    messages: z.int().nullable().meta({ description: 'Messages of all streams' }),
    pictures: z.int().nullable(),
    lastVerification: z
      .object({
        at: time,
        faults: z.array(z.string()).meta({ description: 'Empty for a backup that was whole' }),
        tablesRestoredAt: time.nullable().meta({ description: 'When its tables were last restored for a test, without fault' }),
      })
      .nullable()
      .meta({ description: 'The last time that it was looked through, over this API or by the command line; null for never' }),
  })
  .meta({ id: 'Backup', description: 'Fields of its content are null until it is whole' });

type Backup = z.output<typeof backup>;
const noContent = { version: null, sizeBytes: null, tables: null, messages: null, pictures: null, lastVerification: null };

const ofFolder = (id: string, { startedAt, finishedAt, ...content }: BackupSummary): Backup => ({
  id,
  state: 'done',
  progress: null,
  startedAt,
  endedAt: finishedAt,
  problem: null,
  ...content,
});

/** A backup by its name: whole, being taken, or left unfinished. */
const describe = async (
  { library }: OperatorTools,
  id: string,
  at: { folder: string; records: readonly WorkRecord[] },
): Promise<Backup> => {
  const summary = await library.summaryOf(join(at.folder, id));
  if (summary) return ofFolder(id, summary);
  const record = at.records.find(({ subject }) => subject === id);
  if (record) return { ...shownWork(record), id, ...noContent };
  const unfinished = { state: 'failed', progress: null, endedAt: null, problem: 'it was not finished' } as const;
  return { id, ...unfinished, startedAt: startOfBackup(id), ...noContent };
};

const namesOf = async ({ library }: OperatorTools, folder: string, records: readonly WorkRecord[]): Promise<string[]> => {
  const failed = records.filter(({ state }) => state !== 'done').map(({ subject }) => subject);
  return [...new Set([...(await library.backupNames(folder)), ...failed])].toSorted().toReversed();
};

const backupNamed = (services: Services, id: string): Promise<Backup> =>
  operate(services, async (tools) => {
    const [folder, records] = [backupFolder(services), await recentBackups(services)];
    required((await namesOf(tools, folder, records)).includes(id) || undefined, `backup ${id}`);
    return describe(tools, id, { folder, records });
  });

const newBackup = z
  .strictObject({
    database: z.boolean().default(true).meta({ description: 'False leaves the tables out: a restore fills them from the log' }),
    pictures: z.boolean().default(true),
    keep: z.int().min(1).max(1000).optional().meta({ description: 'Then deletes the oldest backups, so that as many are left' }),
  })
  .meta({ id: 'NewBackup' });

const take = async (services: Services, request: CallerContext, wanted: z.output<typeof newBackup>): Promise<Backup> => {
  const record = await takeBackup(services, messageContext(request), wanted);
  return { ...shownWork(record), id: record.subject, ...noContent };
};

const verification = z
  .object({
    ...workFields,
    backupId: z.string(),
    restoreTables: z.boolean(),
    faults: z
      .array(z.string())
      .nullable()
      .meta({ description: 'What is wrong with it; empty for a backup that is whole, null until the end' }),
  })
  .meta({ id: 'BackupVerification' });

const shownVerification = (record: WorkRecord): z.output<typeof verification> => ({
  ...shownWork(record),
  backupId: record.subject,
  restoreTables: record.options['restoreTables'] === true,
  faults: record.state === 'done' ? z.array(z.string()).parse(record.result) : null,
});

const newVerification = z
  .strictObject({
    backupId: word,
    restoreTables: z.boolean().default(false).meta({
      description: 'Also restores the tables into a database of their own, which is deleted again; it needs as much room as they do',
    }),
  })
  .meta({ id: 'NewBackupVerification' });

const verifications = {
  startBackupVerification: operation({
    method: 'POST',
    path: '/backup-verifications',
    family: 'backups',
    access: 'write',
    summary: 'Looks a backup through without restoring it',
    body: newVerification,
    answer: verification,
    status: 202,
    tagged: false,
    errors: ['conflict', 'feature.disabled', 'unavailable'],
    locate: ({ id }) => `/backup-verifications/${id}`,
    run: async ({ body: { backupId, restoreTables }, services, request }) => {
      const { state, tables } = await backupNamed(services, backupId);
      if (state !== 'done') throw new Rejection('conflict', 'the backup is not whole');
      if (restoreTables && tables === 0) throw new Rejection('conflict', 'the backup was taken without tables');
      const { library } = await services.operations.open();
      const order = {
        kind: 'backup-verification',
        subject: backupId,
        options: { restoreTables },
        context: messageContext(request),
      } as const;
      const folder = join(backupFolder(services), backupId);
      const test = restoreTables ? { databaseUrl: operatorAccess(services.config).access.databaseUrl } : {};
      return shownVerification(
        await services.longWork.start(order, (tell) => library.backupInThread({ kind: 'verify', folder, ...test }, tell)),
      );
    },
  }),
  listBackupVerifications: operation({
    method: 'GET',
    path: '/backup-verifications',
    family: 'backups',
    access: 'read',
    summary: 'Lists verifications of backups of the last thirty days, the latest first',
    query: pageQuery,
    answer: pageOf(verification),
    run: async ({ query, services }) => {
      const before = readCursor(word, query.cursor);
      const records = await services.longWork.list('backup-verification', { before, limit: rowsOfPage(query) });
      const page = cutPage(records, query, ({ id }) => id);
      return { ...page, items: page.items.map(shownVerification) };
    },
  }),
  getBackupVerification: operation({
    method: 'GET',
    path: '/backup-verifications/{id}',
    family: 'backups',
    access: 'read',
    summary: 'Answers a verification of a backup, with its progress or what was found',
    params: workPath,
    answer: verification,
    run: async ({ params: { id }, services }) =>
      shownVerification(required(await services.longWork.find('backup-verification', id), `verification ${id}`)),
  }),
};

/** Operations on backups. */
export const backupOperations = {
  listBackups: operation({
    method: 'GET',
    path: '/backups',
    family: 'backups',
    access: 'read',
    summary: 'Lists backups, the latest first',
    query: pageQuery,
    answer: pageOf(backup),
    errors: ['feature.disabled'],
    run: async ({ query, services }) =>
      operate(services, async (tools) => {
        const [folder, before, records] = [backupFolder(services), readCursor(word, query.cursor), await recentBackups(services)];
        const names = (await namesOf(tools, folder, records)).filter((id) => before === undefined || id < before);
        const page = cutPage(names.slice(0, rowsOfPage(query)), query, (id) => id);
        return { ...page, items: await Promise.all(page.items.map((id) => describe(tools, id, { folder, records }))) };
      }),
  }),
  getBackup: operation({
    method: 'GET',
    path: '/backups/{id}',
    family: 'backups',
    access: 'read',
    summary: 'Answers a backup, with its progress or its content',
    params: workPath,
    answer: backup,
    errors: ['feature.disabled'],
    run: ({ params, services }) => backupNamed(services, params.id),
  }),
  startBackup: operation({
    method: 'POST',
    path: '/backups',
    family: 'backups',
    access: 'write',
    summary: 'Takes a backup of the running server: tables, log, keys and pictures',
    description: 'The secret of the server is not in it: keep that elsewhere.',
    body: newBackup,
    answer: backup,
    status: 202,
    tagged: false,
    errors: ['conflict', 'feature.disabled', 'unavailable'],
    locate: ({ id }) => `/backups/${id}`,
    run: ({ body, services, request }) => take(services, request, body),
  }),
  downloadBackup: download({
    path: '/backups/{id}/archive',
    family: 'backups',
    access: 'write',
    summary: 'Answers a whole backup as one tar file',
    description: 'It holds keys and personal data of all accounts. An answer that breaks off is no backup.',
    params: workPath,
    bytes: BACKUP_ARCHIVE,
    errors: ['conflict', 'feature.disabled'],
    run: async ({ params: { id }, services, request }) => {
      await backupNamed(services, id);
      return downloadOfBackup(services, request, id);
    },
  }),
  deleteBackup: operation({
    method: 'DELETE',
    path: '/backups/{id}',
    family: 'backups',
    access: 'write',
    summary: 'Deletes a backup',
    params: workPath,
    errors: ['conflict', 'feature.disabled', 'unavailable'],
    run: async ({ params, services, request }) => {
      const { state } = await backupNamed(services, params.id);
      if (state === 'running') throw new Rejection('conflict', 'the backup is being taken');
      await recordPerformed(services, request, 'deleteBackup', params.id);
      await operate(services, ({ library }) => library.deleteBackup(backupFolder(services), params.id));
    },
  }),
  ...verifications,
};
