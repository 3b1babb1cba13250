import {
  addCatalogGroup,
  changeCatalogGroup,
  joinCatalogGroup,
  registerUser,
  type AccessLevel,
  type CatalogId,
  type UserId,
} from '@continuo/contracts';
import type { Session } from '@continuo/operations';
import type { CallerName } from '../wire/step.js';
import { PRIVATE_CANARY, SECRET_CANARY } from './canaries.js';

/** An account of the campaign. */
export interface FuzzAccount {
  readonly username: string;
  readonly password: string;
  readonly apiKey: string;
}

/** Callers that have an account. */
export type AccountName = Exclude<CallerName, 'nobody' | 'wrong'>;

const LEVELS: Readonly<Record<AccountName, AccessLevel>> = { guest: 5, user: 25, content: 50, catalog: 75, admin: 100 };

/** Everybody who calls, and the onlooker, who keeps things that nobody else may see. */
export interface FuzzAccounts {
  readonly callers: Readonly<Record<AccountName, FuzzAccount>>;
  readonly onlooker: FuzzAccount;
}

const register = async (
  session: Session,
  account: FuzzAccount,
  access: AccessLevel,
  more: { readonly email?: string; readonly fullName?: string } = {},
): Promise<UserId> => {
  const { username, password, apiKey } = account;
  const { result } = await session.commands.send(
    registerUser,
    { username, password, compatPassword: password, apiKey, access, ...more, fullNamePublic: false, disabled: false },
    session.context(),
  );
  return result.userId;
};

/** Makes the accounts. Those who call belong to a group that sees the given catalogs; the onlooker sees all. */
export const makeAccounts = async (session: Session, seen: readonly CatalogId[]): Promise<FuzzAccounts> => {
  const { groupId } = (await session.commands.send(addCatalogGroup, { name: 'Callers' }, session.context())).result;
  await session.commands.send(changeCatalogGroup, { groupId, add: [...seen], remove: [] }, session.context());
  const callers: [string, FuzzAccount][] = [];
  for (const [name, level] of Object.entries(LEVELS)) {
    const account = { username: `fuzz-${name}`, password: `a password of ${name}`, apiKey: `key-of-fuzz-${name}-0123456789` };
    const userId = await register(session, account, level);
    await session.commands.send(joinCatalogGroup, { userId, groupId }, session.context());
    callers.push([name, account]);
  }
  const onlooker = { username: 'onlooker', password: `${SECRET_CANARY} password`, apiKey: `${PRIVATE_CANARY}-key-0123456789` };
  await register(session, onlooker, 25, { email: `${PRIVATE_CANARY}@example.org`, fullName: `${PRIVATE_CANARY} name` });
  return { callers: Object.fromEntries(callers) as Record<AccountName, FuzzAccount>, onlooker };
};
