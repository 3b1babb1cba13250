import { testPostgres, type TestPostgres } from '@continuo/local-servers';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../persistence/database.js';
import { recordingLog } from '../testkit/recording-log.js';
import { databaseIdentity, LostTablesWatch } from './lost-tables.js';

let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await testPostgres();
});
afterAll(() => postgres.stop());

const withTables = async (): Promise<ReturnType<typeof openDatabase>> => {
  const { url } = await postgres.createDatabase();
  const db = openDatabase({ url, poolSize: 1, applicationName: 'spec' });
  await sql`create schema chassis`.execute(db);
  await sql`create table chassis.projection_checkpoint ()`.execute(db);
  return db;
};

describe('a database that has lost its tables', () => {
  it('is told by an account without rights', async () => {
    const db = await withTables();
    await sql`create role nobody_special login`.execute(db);
    await sql`set role nobody_special`.execute(db);
    expect(await databaseIdentity(db)).toMatch(/^\d+\/\d+$/);
    await db.destroy();
  });

  it('ends a service when they are gone', { timeout: 60_000 }, async () => {
    const db = await withTables();
    const { log } = recordingLog();
    const ended = Promise.withResolvers<Error>();
    const watch = new LostTablesWatch(db, log, await databaseIdentity(db), ended.resolve);
    await sql`drop schema chassis cascade`.execute(db);
    expect((await ended.promise).message).toContain('has been emptied');
    await Promise.all([watch.stop(), db.destroy()]);
  });

  it('ends a service when another database with tables of others stands in its place', { timeout: 60_000 }, async () => {
    const [before, after] = [await withTables(), await withTables()];
    const { log } = recordingLog();
    const ended = Promise.withResolvers<Error>();
    const watch = new LostTablesWatch(after, log, await databaseIdentity(before), ended.resolve);
    expect((await ended.promise).message).toContain('has been emptied');
    await Promise.all([watch.stop(), before.destroy(), after.destroy()]);
  });
});
