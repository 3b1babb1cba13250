import { ownTestPostgres, type OwnTestPostgres } from '@continuo/local-servers';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../persistence/database.js';
import { READER_ROLE } from './checkpoints.js';
import { ensureReaderRole } from './generations.js';
import { prepareChassisTables } from './start.js';

const DATABASES = 12;
let postgres: OwnTestPostgres;

beforeAll(async () => {
  postgres = await ownTestPostgres();
});
afterAll(() => postgres.stop());

it('is made once for a cluster, though services of many databases start at the same moment', async () => {
  const databases = await Promise.all(Array.from({ length: DATABASES }, () => postgres.createDatabase()));
  const all = databases.map(({ url }) => openDatabase({ url, poolSize: 1, applicationName: 'spec' }));
  await Promise.all(all.map((db) => sql`select 1`.execute(db)));
  await Promise.all(all.map((db) => ensureReaderRole(db)));
  const logins = await Promise.all(
    all.map((db) => sql<{ rolcanlogin: boolean }>`select rolcanlogin from pg_roles where rolname = ${READER_ROLE}`.execute(db)),
  );
  expect(logins.map(({ rows }) => rows)).toEqual(all.map(() => [{ rolcanlogin: false }]));
  await Promise.all(all.map((db) => db.destroy()));
});

it('may read how far tables are, and nothing else that the services keep, though all of them let it at the same moment', async () => {
  const { url } = await postgres.createDatabase();
  const all = Array.from({ length: 6 }, () => openDatabase({ url, poolSize: 1, applicationName: 'spec' }));
  await Promise.all(all.map((db) => prepareChassisTables(db)));
  const [db] = all;
  if (!db) throw new Error('no database');
  const asReader = (statement: string): Promise<unknown> =>
    db.transaction().execute(async (tx) => {
      await sql`set local role ${sql.id(READER_ROLE)}`.execute(tx);
      return (await sql.raw(statement).execute(tx)).rows;
    });
  expect(await asReader('select name, version, state, position from chassis.projection_checkpoint')).toEqual([]);
  for (const statement of [
    'select owner from chassis.projection_checkpoint',
    'select 1 from chassis.aggregate_snapshot',
    'delete from chassis.projection_checkpoint',
  ])
    await expect(asReader(statement)).rejects.toMatchObject({ code: '42501' });
  await Promise.all(all.map((one) => one.destroy()));
});
