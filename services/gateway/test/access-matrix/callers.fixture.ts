import type { AccessLevel } from '@continuo/contracts';
import { authFixture, keyRow, ruleRow, userRow } from '../auth/auth.fixture.js';
import type { Auth } from '../../src/auth/index.js';
import { SEEN_CATALOG } from './two-catalogs.fixture.js';

/** Somebody who makes a call, and from where. */
export interface MatrixCaller {
  readonly key: string;
  readonly access: AccessLevel;
  readonly address: string;
}

const HOME = '192.0.2.7';
const ELSEWHERE = '203.0.113.9';

/**
 * The columns of the matrix. `hidden` is an administrator who sees one catalog and asks for what is in the other one, `others` a user who asks for what belongs to
 * somebody else; all others ask for what they have themselves.
 */
export const callers = {
  guest: { key: 'key-of-guest', access: 5, address: HOME },
  user: { key: 'key-of-user', access: 25, address: HOME },
  content: { key: 'key-of-content', access: 50, address: HOME },
  catalog: { key: 'key-of-catalog', access: 75, address: HOME },
  admin: { key: 'key-of-admin', access: 100, address: HOME },
  disabled: { key: 'key-of-disabled', access: 100, address: HOME },
  elsewhere: { key: 'key-of-elsewhere', access: 100, address: ELSEWHERE },
  hidden: { key: 'key-of-hidden', access: 100, address: HOME },
  others: { key: 'key-of-others', access: 25, address: HOME },
} as const satisfies Record<string, MatrixCaller>;

/** A column of the matrix. */
export type CallerName = keyof typeof callers;
/** The columns in order. */
export const callerNames = Object.keys(callers) as CallerName[];
/** Numbers of their accounts, after those that the fixture library has. */
export const idOf = (name: CallerName): number => 11 + callerNames.indexOf(name);

/** The gateway's own authentication over accounts of every level, one that is disabled, and an access list that admits {@link HOME} only. */
export const matrixAuth = (): Auth => {
  const home = { start_address: '192.0.2.0', end_address: '192.0.2.255' };
  const limits = { LOGIN_FAILURES_PER_ADDRESS: 1_000_000, LOGIN_FAILURES_PER_ACCOUNT: 1_000_000, STRANGER_CALLS_PER_ADDRESS: 1_000_000 };
  const rows = {
    users: callerNames.map((name) =>
      userRow({ id: idOf(name), username: name, access: callers[name].access, disabled: name === 'disabled' }),
    ),
    apiKeys: callerNames.map((name) => keyRow(idOf(name), callers[name].key)),
    accessRules: [ruleRow({ ...home }), ruleRow({ ...home, id: 2, type: 'stream' })],
    catalogGroups: { members: [{ user_id: idOf('hidden'), group_id: 1 }], catalogs: [{ group_id: 1, catalog_id: SEEN_CATALOG }] },
  };
  return authFixture(limits, rows).auth;
};
