import { testPostgres, type TestPostgres } from '@continuo/local-servers';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordingLog } from '../../test/recording-log.js';
import { SharedDatabases, type SharedDatabaseOptions } from './open-database.js';

let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await testPostgres();
});
afterAll(() => postgres.stop());

const optionsOf = (url: string, service: string): SharedDatabaseOptions => ({
  url,
  poolSize: 1,
  applicationName: `continuo-${service}`,
  log: recordingLog().log,
});

it('gives services of a process one pool with room for all, which the last of them closes', async () => {
  const databases = new SharedDatabases();
  const { url } = await postgres.createDatabase();
  const [library, social] = await Promise.all(['library', 'social'].map((name) => databases.open(optionsOf(url, name), 0)));
  const other = await databases.open({ ...optionsOf(url, 'library'), statementTimeoutMs: 1000 }, 0);
  expect([library?.db === social?.db, library?.db === other.db]).toEqual([true, false]);
  const { rows } = await sql<{ name: string }>`select current_setting('application_name') as name`.execute(other.db);
  expect(rows).toEqual([{ name: 'continuo-standalone' }]);
  // Each holds a connection at the same time: a pool of one would wait for ever.
  await library?.db.connection().execute(async (one) => {
    await social?.db.connection().execute((two) => sql`select 1`.execute(two));
    await sql`select 1`.execute(one);
  });
  await library?.close();
  await expect(sql`select 1`.execute(social?.db ?? other.db)).resolves.toBeDefined();
  await social?.close();
  await expect(sql`select 1`.execute(social?.db ?? other.db)).rejects.toThrow('destroyed');
  const anew = await databases.open(optionsOf(url, 'library'), 0);
  await expect(sql`select 1`.execute(anew.db)).resolves.toBeDefined();
  await Promise.all([anew.close(), other.close()]);
});

it('leaves nothing open when the login is refused', async () => {
  const databases = new SharedDatabases();
  const { url } = await postgres.createDatabase();
  const wrong = new URL(url);
  wrong.password = 'wrong';
  await expect(databases.open(optionsOf(wrong.toString(), 'library'), 1000)).rejects.toThrow('Postgres cannot be used');
  const right = await databases.open(optionsOf(url, 'library'), 0);
  await right.close();
});
