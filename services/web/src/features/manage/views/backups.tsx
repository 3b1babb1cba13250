import { Archive, DatabaseZap, Download, ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { PillButton } from '../../../ui/buttons.js';
import { session } from '../../../lib/session.js';
import { answered, manage, type Managed } from '../api.js';
import { ItemTable, type RowAction } from '../components/item-table.js';
import { removal } from '../components/removal.js';
import { SettingsTable } from '../components/settings-table.js';
import { useRun } from '../components/use-run.js';
import { WorkState } from '../components/work-state.js';
import { count, size, when } from '../format.js';
import { m } from '../messages/index.js';

type Backup = Managed['Backup'];

const ACTIONS: readonly RowAction<Backup>[] = [
  {
    name: ({ startedAt }) => m.verifyBackup(when(startedAt)),
    icon: ShieldCheck,
    isFor: ({ state }) => state === 'done',
    run: ({ id }) => answered(manage.POST('/backup-verifications', { body: { backupId: id, restoreTables: false } })),
  },
  {
    name: ({ startedAt }) => m.testRestore(when(startedAt)),
    icon: DatabaseZap,
    isFor: ({ state, tables }) => state === 'done' && tables !== 0,
    run: ({ id }) => answered(manage.POST('/backup-verifications', { body: { backupId: id, restoreTables: true } })),
  },
  {
    name: ({ startedAt }) => m.downloadBackup(when(startedAt)),
    icon: Download,
    isFor: ({ state }) => state === 'done',
    run: async ({ id }) => {
      // A refusal is shown here; in answer to the form it would take the place of the page.
      await answered(manage.GET('/backups/{id}', { params: { path: { id } } }));
      await session.saveBackup(id);
    },
  },
  {
    ...removal('/backups/{id}', ({ startedAt }) => when(startedAt), { title: m.deleteBackup, text: m.deleteBackupText }),
    isFor: ({ state }) => state !== 'running',
  },
];

const told = (faults: readonly string[]): string => (faults.length === 0 ? m.noFault : faults.join('; '));

/** Backups that the server keeps, whether they can be read, and when they are taken by the clock. */
export const Backups = (): ReactNode => {
  const run = useRun();
  return (
    <>
      <ItemTable
        title={m.backups}
        list="/backups"
        columns={[
          { name: m.since, cell: ({ startedAt }) => when(startedAt) },
          { name: m.state, cell: (work) => <WorkState work={work} /> },
          {
            name: m.content,
            cell: ({ tables, messages }) => (tables === null || messages === null ? '' : m.backupContent(tables, count(messages))),
          },
          { name: m.size, isNumber: true, cell: ({ sizeBytes }) => (sizeBytes === null ? '' : size(sizeBytes)) },
          {
            name: m.lastVerification,
            cell: ({ state, lastVerification: last }) =>
              last ? `${when(last.at)}: ${told(last.faults)}` : state === 'done' ? m.never : '',
          },
          {
            name: m.lastRestoreTest,
            cell: ({ state, lastVerification: last }) =>
              last?.tablesRestoredAt ? when(last.tablesRestoredAt) : state === 'done' ? m.never : '',
          },
          { name: m.version, cell: ({ version }) => version },
        ]}
        keyOf={({ id }) => id}
        actions={ACTIONS}
        empty={m.noBackups}
        tools={<PillButton icon={Archive} label={m.startBackup} onPress={() => run(answered(manage.POST('/backups', { body: {} })))} />}
      />
      <ItemTable
        title={m.verifications}
        list="/backup-verifications"
        columns={[
          { name: m.backup, cell: ({ backupId }) => backupId },
          { name: m.state, cell: (work) => <WorkState work={work} /> },
          { name: m.found, cell: ({ faults }) => faults && told(faults) },
          { name: m.since, cell: ({ startedAt }) => when(startedAt) },
        ]}
        keyOf={({ id }) => id}
        empty={m.noVerifications}
      />
      <SettingsTable title={m.scheduledBackups} service="gateway" isShown={({ name }) => name.startsWith('BACKUP_')} />
    </>
  );
};
