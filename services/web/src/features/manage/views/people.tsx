import { Link } from '@tanstack/react-router';
import { Ban, KeyRound, Pencil, Power, UserPlus } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { base } from '../../../lib/session.js';
import { PillButton } from '../../../ui/buttons.js';
import { answered, manage, type Managed } from '../api.js';
import { askFor, type Field } from '../components/form-dialog.js';
import { ItemTable, type Column, type RowAction } from '../components/item-table.js';
import { removal } from '../components/removal.js';
import { SecretDialog } from '../components/secret-dialog.js';
import { SettingsTable } from '../components/settings-table.js';
import { LOOK_EVERY_MS, useItems } from '../components/use-items.js';
import { when } from '../format.js';
import { heldBy } from './libraries.js';
import styles from '../manage.module.css';
import { m } from '../messages/index.js';

type Account = Managed['Account'];
type Group = Managed['CatalogGroup'];
type Key = Managed['ApiKey'];

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

const CODE_BYTES = 16;
const GUEST = '5';

/** A password that nobody has to type: whoever is invited replaces it by one of their own. */
const newCode = (): string =>
  [...crypto.getRandomValues(new Uint8Array(CODE_BYTES))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

const invitation = (username: string, code: string): ReactElement => {
  const link = `${base.replace(/\/+$/, '')}/account/setup?${new URLSearchParams({ username, code }).toString()}`;
  return <SecretDialog secret={link} text={m.invitationText(username)} />;
};

const addAccount = (groups: readonly Group[]): void =>
  askFor({
    title: m.addAccount,
    submitLabel: m.add,
    fields: [
      { name: 'username', label: m.userName, isRequired: true },
      { name: 'password', label: m.password, type: 'password', hint: m.invitesWithout },
      ...rightsFields(groups),
    ],
    onSubmit: async ({ username = '', password = '', level, group }) => {
      // Guests share their account: none of them may set its password.
      const code = password || level === GUEST ? undefined : newCode();
      const chosen = code ?? password;
      const rights = { level: Number(level) as Account['level'], catalogGroupId: groupOf(group) };
      await answered(manage.POST('/accounts', { body: { username, ...rights, ...(chosen ? { password: chosen } : {}) } }));
      if (code) return invitation(username, code);
    },
  });

const changeAccount = (account: Account, groups: readonly Group[]): void =>
  askFor({
    title: m.change(account.username),
    submitLabel: m.save,
    fields: [
      ...rightsFields(groups, account),
      { name: 'password', label: m.newPassword, type: 'password', hint: m.keepPassword },
      ...(String(account.level) === GUEST ? [] : [{ name: 'invite', label: m.inviteAgain, type: 'checkbox' } as const]),
    ],
    onSubmit: async ({ level, group, password, invite }) => {
      const code = invite ? newCode() : password;
      const body = {
        ...(Number(level) === account.level ? {} : { level: Number(level) as Account['level'] }),
        ...(groupOf(group) === account.catalogGroupId ? {} : { catalogGroupId: groupOf(group) }),
        ...(code ? { password: code } : {}),
      };
      if (Object.keys(body).length > 0) await changed(account.id, body);
      if (invite && code) return invitation(account.username, code);
    },
  });

const changed = (id: number, body: Managed['AccountChange']): Promise<unknown> =>
  answered(manage.PATCH('/accounts/{id}', { params: { path: { id } }, body }));

const stateOf = ({ awaiting, disabled }: Account): string => {
  if (awaiting !== null) return m.awaits[awaiting];
  return disabled ? m.disabled : m.enabled;
};

const Accounts = (): ReactNode => {
  const groups = useItems('/catalog-groups');
  const columns: readonly Column<Account>[] = [
    {
      name: m.name,
      cell: ({ id, username, fullName }) => (
        <Link to="/manage/$section/$id" params={{ section: 'people', id: String(id) }}>
          {fullName === null ? username : `${username} (${fullName})`}
        </Link>
      ),
    },
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
    removal('/accounts/{id}', ({ username }) => username, { title: m.deleteAccount, text: m.deleteAccountText }),
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
  const accounts = useItems('/accounts');
  const columns: readonly Column<Key>[] = [
    { name: m.name, cell: ({ name }) => name },
    { name: m.accountName, cell: ({ accountId }) => accounts.find(({ id }) => id === accountId)?.username ?? accountId },
    { name: m.scopes, cell: ({ scopes }) => scopes?.join(', ') ?? m.scopeSets.all },
    { name: m.lastUsed, cell: ({ lastUsedAt }) => when(lastUsedAt) },
    { name: m.expires, cell: ({ expiresAt }) => when(expiresAt) },
  ];
  const actions: readonly RowAction<Key>[] = [
    removal('/keys/{id}', ({ name }) => name, { title: m.revokeKey, text: m.revokeKeyText, label: m.revoke }),
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

const SIGN_UP =
  /^(?:ALLOW_PUBLIC_REGISTRATION|REGISTRATION_(?:APPROVAL|CONFIRMATION)|OIDC_(?:ISSUER|CLIENT_ID|NAME|ACCOUNTS|REQUIRED_GROUP)|PROXY_LOGIN_HEADER)$/;

/** Accounts, the keys that programs use in their names, and the settings by which people sign up and sign in. */
export const People = (): ReactNode => (
  <>
    <Accounts />
    <Keys />
    <SettingsTable title={m.signUp} isShown={({ name }) => SIGN_UP.test(name)} />
  </>
);

/** One account: what it sees, and where it is signed in. */
export const Person = ({ id }: { readonly id: string }): ReactNode => {
  const name = useItems('/accounts').find((account) => String(account.id) === id)?.username ?? id;
  return (
    <>
      <p className={styles['text']}>
        <Link to="/manage/$section" params={{ section: 'people' }}>
          {m.backToPeople}
        </Link>
      </p>
      <ItemTable
        title={m.seenBy(name)}
        list="/catalogs"
        selection={{ query: { seenBy: Number(id) } }}
        columns={[
          { name: m.name, cell: (catalog) => catalog.name },
          { name: m.holds, isNumber: true, cell: heldBy },
        ]}
        keyOf={(catalog) => catalog.id}
        empty={m.seesNothing}
      />
      <ItemTable
        title={m.sessionsOf(name)}
        list="/accounts/{id}/sessions"
        selection={{ path: { id } }}
        everyMs={LOOK_EVERY_MS}
        columns={[
          { name: m.client, cell: ({ client }) => client || m.unknownClient },
          { name: m.type, cell: ({ kind }) => m.sessionKinds[kind] },
          { name: m.since, cell: ({ openedAt }) => when(openedAt) },
          { name: m.expires, cell: ({ expiresAt }) => when(expiresAt) },
        ]}
        keyOf={(session) => session.id}
        actions={[
          {
            name: ({ client }) => m.endSession(client || m.unknownClient),
            icon: Ban,
            run: (session) =>
              answered(manage.DELETE('/accounts/{id}/sessions/{session}', { params: { path: { id: Number(id), session: session.id } } })),
          },
        ]}
        empty={m.noSessions}
      />
    </>
  );
};
