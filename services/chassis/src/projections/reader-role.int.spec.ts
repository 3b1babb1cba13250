import { ownTestPostgres, type OwnTestPostgres } from '@continuo/local-servers';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../persistence/database.js';
import { READER_ROLE } from './checkpoints.js';
import { ensureReaderRole } from './generations.js';

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
