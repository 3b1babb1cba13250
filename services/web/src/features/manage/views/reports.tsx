import { RefreshCw } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { PillButton } from '../../../ui/buttons.js';
import { answered, manage, type Managed } from '../api.js';
import { ItemTable, type Column } from '../components/item-table.js';
import { SettingsTable } from '../components/settings-table.js';
import { useItems } from '../components/use-items.js';
import { useRun } from '../components/use-run.js';
import { when } from '../format.js';
import styles from '../manage.module.css';
import { m } from '../messages/index.js';

type Check = Managed['Check'];

const CHECK_COLUMNS: readonly Column<Check>[] = [
  { name: m.what, cell: ({ subject }) => subject },
  {
    name: m.state,
    cell: ({ status }) => <span className={status === 'ok' ? undefined : styles['bad']}>{m.checkStates[status]}</span>,
  },
  { name: m.result, cell: ({ detail }) => detail },
  { name: m.remedy, cell: ({ remedy }) => remedy },
];

/** Results of the server's health checks, with remedies. */
export const Checks = (): ReactNode => {
  const run = useRun();
  const examine = (): void => run(answered(manage.GET('/checks', { params: { query: { fresh: true } } })));
  return (
    <ItemTable
      title={m.checks}
      list="/checks"
      columns={CHECK_COLUMNS}
      keyOf={({ subject, detail }) => `${subject} ${detail}`}
      empty={m.noChecks}
      tools={<PillButton icon={RefreshCw} label={m.examine} onPress={examine} />}
    />
  );
};

/** All settings in force, which can be searched. */
export const Settings = (): ReactNode => {
  const [words, setWords] = useState('');
  const wanted = words.trim().toLowerCase();
  return (
    <SettingsTable
      title={m.settings}
      isShown={({ name, value, meaning }) => [name, value, meaning].some((text) => text?.toLowerCase().includes(wanted))}
      tools={
        <input type="search" aria-label={m.find} placeholder={m.find} value={words} onChange={({ target }) => setWords(target.value)} />
      }
    />
  );
};

type Entry = Managed['AuditEntry'];

/** Audit trail: actor, action and object of each event, the latest first. */
export const Audit = (): ReactNode => {
  const accounts = useItems('/accounts');
  const actorOf = ({ actor: { accountId, name, type } }: Entry): string => {
    if (accountId !== null) return accounts.find(({ id }) => id === accountId)?.username ?? String(accountId);
    return name ?? (type === 'visitor' ? m.visitor : type);
  };
  return (
    <ItemTable
      title={m.audit}
      list="/audit"
      columns={[
        { name: m.at, cell: ({ at }) => when(at) },
        { name: m.who, cell: actorOf },
        { name: m.what, cell: ({ action }) => action },
        { name: m.with, cell: ({ object: { type, id } }) => `${type} ${id}` },
      ]}
      keyOf={({ id }) => id}
      empty={m.noAudit}
    />
  );
};
