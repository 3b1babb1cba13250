import { usernameKey, type UserId } from '@continuo/contracts';
import { CliError } from '../connect/cli-error.js';
import type { Session } from '../connect/session.js';

/** The account of a name, in any case. @throws CliError when there is none. */
export const userNamed = async ({ db }: Pick<Session, 'db'>, username: string): Promise<UserId> => {
  const row = await db.selectFrom('social.user').select('id').where('username_key', '=', usernameKey(username)).executeTakeFirst();
  if (!row) throw new CliError(`there is no account "${username}"`, '"continuo user list" shows all accounts');
  return row.id as UserId;
};
