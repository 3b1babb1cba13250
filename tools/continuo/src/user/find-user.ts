import { usernameKey, type UserId } from '@continuo/contracts';
import { CliError } from '../connect/cli-error.js';
import type { Session } from '../connect/session.js';

/** The account of a name, in any case; one whose personal data cannot be read by the name that lists show. @throws CliError when there is none. */
export const userNamed = async ({ db }: Pick<Session, 'db'>, username: string): Promise<UserId> => {
  const key = usernameKey(username);
  const rows = await db
    .selectFrom('social.user')
    .select(['id', 'username_key'])
    .where((row) => row.or([row('username_key', '=', key), row('username', '=', username)]))
    .execute();
  const row = rows.find((each) => each.username_key === key) ?? rows[0];
  if (!row) throw new CliError(`there is no account "${username}"`, '"continuo user list" shows all accounts');
  return row.id as UserId;
};
