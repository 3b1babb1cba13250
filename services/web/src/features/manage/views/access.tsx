import { Check, Plus, Power } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { PillButton } from '../../../ui/buttons.js';
import { answered, manage, type Managed } from '../api.js';
import { askFor } from '../components/form-dialog.js';
import { ItemTable, type RowAction } from '../components/item-table.js';
import { removal } from '../components/removal.js';
import styles from '../manage.module.css';
import { m } from '../messages/index.js';

type Rule = Managed['AccessRule'];

const addRule = (): void =>
  askFor({
    title: m.addRule,
    submitLabel: m.add,
    fields: [
      { name: 'name', label: m.name },
      { name: 'type', label: m.surface, options: m.surfaces },
      { name: 'start', label: m.from, isRequired: true },
      { name: 'end', label: m.to },
      { name: 'level', label: m.level, options: m.levels, value: '25' },
    ],
    onSubmit: async ({ name, type, start = '', end, level }) => {
      const body = {
        type: type as Rule['type'],
        start,
        level: Number(level) as Managed['Account']['level'],
        ...(name ? { name } : {}),
        ...(end ? { end } : {}),
      };
      await answered(manage.POST('/access-list', { body }));
    },
  });

const ACTIONS: readonly RowAction<Rule>[] = [
  {
    name: ({ name, enabled }) => (enabled ? m.switchOff(name) : m.switchOn(name)),
    icon: Power,
    run: ({ id, enabled }) => answered(manage.PATCH('/access-list/{id}', { params: { path: { id } }, body: { enabled: !enabled } })),
  },
  removal('/access-list/{id}', ({ name }) => name, { title: m.deleteRule, text: m.deleteRuleText }),
];

const SURFACES = ['rpc', 'stream', 'interface'] as const;

/** Accounts that are let in from an address: that of this browser, until another one is asked for. */
const Admissions = (): ReactNode => {
  const [entered, setEntered] = useState('');
  const [address, setAddress] = useState('');
  return (
    <ItemTable
      title={address === '' ? m.admittedFromHere : m.admittedFrom(address)}
      list="/admissions"
      selection={{ query: address === '' ? {} : { address } }}
      columns={[
        { name: m.accountName, cell: ({ username }) => username },
        ...SURFACES.map((surface) => ({
          name: m.surfaces[surface],
          cell: ({ [surface]: isAdmitted }: Managed['Admission']) =>
            isAdmitted ? <Check size={18} aria-label={m.admitted} /> : <span className={styles['bad']}>{m.notAdmitted}</span>,
        })),
      ]}
      keyOf={({ accountId }) => accountId}
      empty={m.noAccounts}
      tools={
        <form
          className={styles['tools']}
          onSubmit={(event) => {
            event.preventDefault();
            setAddress(entered.trim());
          }}
        >
          <input
            type="text"
            aria-label={m.fromAddress}
            placeholder="192.0.2.7"
            value={entered}
            onChange={({ target }) => setEntered(target.value)}
          />
          <button type="submit" className={styles['more']}>
            {m.ask}
          </button>
        </form>
      }
    />
  );
};

/** Addresses from which accounts are let in. */
export const Access = (): ReactNode => (
  <>
    <p className={styles['text']}>{m.accessText}</p>
    <ItemTable
      title={m.accessList}
      list="/access-list"
      columns={[
        { name: m.name, cell: ({ name }) => name },
        { name: m.surface, cell: ({ type }) => m.surfaces[type] },
        { name: m.from, cell: ({ start }) => start },
        { name: m.to, cell: ({ end }) => end },
        { name: m.level, cell: ({ level }) => (m.levels as Readonly<Record<number, string>>)[level] ?? level },
        { name: m.state, cell: ({ enabled }) => (enabled ? m.on : m.off) },
      ]}
      keyOf={({ id }) => id}
      actions={ACTIONS}
      empty={m.noAccess}
      tools={<PillButton icon={Plus} label={m.addRule} onPress={addRule} />}
    />
    <Admissions />
  </>
);
