import { usernameKey } from '@continuo/contracts';
import type { ReadDatabase } from './database.js';

/** An account as administrators see it in lists. */
export interface AccountRecord {
  readonly id: number;
  readonly username: string;
  readonly email: string | null;
  readonly access: number;
  readonly disabled: boolean;
}

const accounts = (db: ReadDatabase) => db.selectFrom('social.user').select(['id', 'username', 'email', 'access', 'disabled']);

/** All accounts, by name. */
export const allAccounts = (db: ReadDatabase): Promise<AccountRecord[]> => accounts(db).orderBy('username_key').execute();

/** The account of a name, in any letter case. */
export const accountNamed = (db: ReadDatabase, username: string): Promise<AccountRecord | undefined> =>
  accounts(db).where('username_key', '=', usernameKey(username)).executeTakeFirst();
