import { useInfiniteQuery } from '@tanstack/react-query';
import { KeyRound, Pencil, Power, Trash2, UserPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { PillButton } from '../../../ui/pill-button.js';
import { answered, listQuery, manage, type Managed } from '../api.js';
import { askFor, confirm, type Field } from '../components/form-dialog.js';
import { ItemTable, type Column, type RowAction } from '../components/item-table.js';
import { SecretDialog } from '../components/secret-dialog.js';
import { when } from '../format.js';
import { m } from '../messages/index.js';

type Account = Managed['Account'];
type Group = Managed['CatalogGroup'];
type Key = Managed['ApiKey'];

const useGroups = (): readonly Group[] => useInfiniteQuery(listQuery('/catalog-groups')).data?.pages.flatMap(({ items }) => items) ?? [];

const useAccounts = (): readonly Account[] => useInfiniteQuery(listQuery('/accounts')).data?.pages.flatMap(({ items }) => items) ?? [];

const rightsFields = (groups: readonly Group[], account?: Account): readonly Field[] => [
  { name: 'level', label: m.level, options: m.levels, value: String(account?.level ?? 25) },
  {
    name: 'group',
    label: m.group,
    // Numbers as keys would come before the empty one.
    options: { '': m.everything, ...Object.fromEntries(groups.map(({ id, name }) => [`g${id}`, name])) },
    value: account?.catalogGroupId ? `g${account.catalogGroupId}` : '',
  },
];

const groupOf = (entered: string | undefined): number | null => (entered ? Number(entered.slice(1)) : null);

const addAccount = (groups: readonly Group[]): void =>
  askFor({
    title: m.addAccount,
    submitLabel: m.add,
    fields: [
      { name: 'username', label: m.userName, isRequired: true },
      { name: 'password', label: m.password, type: 'password', isRequired: true },
      ...rightsFields(groups),
    ],
    onSubmit: async ({ username = '', password = '', level, group }) => {
      const body = { username, password, level: Number(level) as Account['level'], catalogGroupId: groupOf(group) };
      await answered(manage.POST('/accounts', { body }));
    },
  });

const changeAccount = (account: Account, groups: readonly Group[]): void =>
  askFor({
    title: m.change(account.username),
    submitLabel: m.save,
    fields: [...rightsFields(groups, account), { name: 'password', label: m.newPassword, type: 'password', hint: m.keepPassword }],
    onSubmit: async ({ level, group, password }) => {
      const body = {
        ...(Number(level) === account.level ? {} : { level: Number(level) as Account['level'] }),
        ...(groupOf(group) === account.catalogGroupId ? {} : { catalogGroupId: groupOf(group) }),
        ...(password ? { password } : {}),
      };
      if (Object.keys(body).length > 0) await changed(account.id, body);
    },
  });

const changed = (id: number, body: Managed['AccountChange']): Promise<unknown> =>
  answered(manage.PATCH('/accounts/{id}', { params: { path: { id } }, body }));

const stateOf = ({ awaiting, disabled }: Account): string => {
  if (awaiting !== null) return m.awaits[awaiting];
  return disabled ? m.disabled : m.enabled;
};

const Accounts = (): ReactNode => {
  const groups = useGroups();
  const columns: readonly Column<Account>[] = [
    { name: m.name, cell: ({ username, fullName }) => (fullName === null ? username : `${username} (${fullName})`) },
    { name: m.level, cell: ({ level }) => m.levels[level] },
    {
      name: m.group,
      cell: ({ catalogGroupId }) => groups.find(({ id }) => id === catalogGroupId)?.name ?? m.everything,
    },
    { name: m.state, cell: stateOf },
    { name: m.lastSeen, cell: ({ lastSeenAt }) => when(lastSeenAt) },
  ];
  const actions: readonly RowAction<Account>[] = [
    { name: ({ username }) => m.change(username), icon: Pencil, run: (account) => changeAccount(account, groups) },
    {
      name: ({ username, disabled }) => (disabled ? m.switchOn(username) : m.switchOff(username)),
      icon: Power,
      run: ({ id, disabled }) => changed(id, { disabled: !disabled }),
    },
    {
      name: ({ username }) => m.remove(username),
      icon: Trash2,
      run: ({ id, username }) =>
        confirm(m.deleteAccount(username), m.deleteAccountText, m.remove(username), () =>
          answered(manage.DELETE('/accounts/{id}', { params: { path: { id } } })),
        ),
    },
  ];
  return (
    <ItemTable
      title={m.accounts}
      list="/accounts"
      columns={columns}
      keyOf={({ id }) => id}
      actions={actions}
      empty={m.noAccounts}
      tools={<PillButton icon={UserPlus} label={m.addAccount} onPress={() => addAccount(groups)} />}
    />
  );
};

const issueKey = (accounts: readonly Account[]): void =>
  askFor({
    title: m.addKey,
    submitLabel: m.add,
    fields: [
      { name: 'name', label: m.name, isRequired: true },
      { name: 'account', label: m.accountName, options: Object.fromEntries(accounts.map(({ id, username }) => [id, username])) },
      { name: 'scopes', label: m.scopes, options: m.scopeSets },
      { name: 'expires', label: m.expires, type: 'datetime-local' },
    ],
    onSubmit: async ({ name = '', account, scopes, expires }) => {
      const body = {
        name,
        accountId: Number(account),
        ...(scopes === 'all' ? {} : { scopes: scopes?.split(',') as Managed['KeyScope'][] }),
        ...(expires ? { expiresAt: new Date(expires).toISOString() } : {}),
      };
      const { key } = await answered(manage.POST('/keys', { body }));
      return <SecretDialog secret={key} />;
    },
  });

const Keys = (): ReactNode => {
  const accounts = useAccounts();
  const columns: readonly Column<Key>[] = [
    { name: m.name, cell: ({ name }) => name },
    { name: m.accountName, cell: ({ accountId }) => accounts.find(({ id }) => id === accountId)?.username ?? accountId },
    { name: m.scopes, cell: ({ scopes }) => scopes?.join(', ') ?? m.scopeSets.all },
    { name: m.lastUsed, cell: ({ lastUsedAt }) => when(lastUsedAt) },
    { name: m.expires, cell: ({ expiresAt }) => when(expiresAt) },
  ];
  const actions: readonly RowAction<Key>[] = [
    {
      name: ({ name }) => m.remove(name),
      icon: Trash2,
      run: ({ id, name }) =>
        confirm(m.revokeKey(name), m.revokeKeyText, m.revoke, () => answered(manage.DELETE('/keys/{id}', { params: { path: { id } } }))),
    },
  ];
  return (
    <ItemTable
      title={m.keys}
      list="/keys"
      columns={columns}
      keyOf={({ id }) => id}
      actions={actions}
      empty={m.noKeys}
      tools={<PillButton icon={KeyRound} label={m.addKey} onPress={() => issueKey(accounts)} />}
    />
  );
};

/** Accounts, and the keys that programs use in their names. */
export const People = (): ReactNode => (
  <>
    <Accounts />
    <Keys />
  </>
);
