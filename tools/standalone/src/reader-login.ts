import { READER_ROLE } from '@continuo/chassis';
import pg from 'pg';

const READER_LOGIN = 'continuo_gateway';

/**
 * Gives the gateway a login of its own that may read the published views and nothing else. Answers its URL.
 * @param databaseUrl URL of a role that may create roles
 * @param password for the login, 32 characters of hex or more
 */
export const readerLogin = async (databaseUrl: string, password: string): Promise<string> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const [role, attributes] of [
      [READER_ROLE, 'nologin'],
      [READER_LOGIN, `login password ${client.escapeLiteral(password)} in role ${READER_ROLE}`],
    ] as const) {
      const known = await client.query('select 1 from pg_roles where rolname = $1', [role]);
      if (known.rowCount === 0) await client.query(`create role ${role} ${attributes}`);
    }
    await client.query(`alter role ${READER_LOGIN} login password ${client.escapeLiteral(password)}`);
  } finally {
    await client.end();
  }
  const url = new URL(databaseUrl);
  url.username = READER_LOGIN;
  url.password = password;
  return url.toString();
};
