import { testPostgres, type TestPostgres } from '@continuo/local-servers';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../persistence/database.js';
import { recordingLog } from '../../test/recording-log.js';
import { databaseIdentity, DatabaseWatch } from './database-watch.js';

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

  it('answers an account that may not know which it is', async () => {
    const db = await withTables();
    await sql`revoke execute on function pg_control_system() from public`.execute(db);
    await sql`create role nobody_at_all login`.execute(db);
    await sql`set role nobody_at_all`.execute(db);
    expect(await databaseIdentity(db)).toBeUndefined();
    const ended = vi.fn<(fault: Error) => void>();
    const watch = DatabaseWatch.over({ db, log: recordingLog().log, identity: undefined, end: ended });
    const looks = vi.spyOn(db, 'getExecutor');
    await vi.waitFor(() => expect(looks.mock.calls.length).toBeGreaterThan(1), { timeout: 15_000 });
    expect([watch.isAnswering, ended.mock.calls]).toEqual([true, []]);
    await Promise.all([watch.stop(), db.destroy()]);
  });

  it('ends a service when they are gone', { timeout: 60_000 }, async () => {
    const db = await withTables();
    const { log } = recordingLog();
    const ended = Promise.withResolvers<Error>();
    const watch = DatabaseWatch.over({ db, log, identity: await databaseIdentity(db), end: ended.resolve });
    await sql`drop schema chassis cascade`.execute(db);
    expect((await ended.promise).message).toContain('has been emptied');
    await Promise.all([watch.stop(), db.destroy()]);
  });

  it('ends a service when another database with tables of others stands in its place', { timeout: 60_000 }, async () => {
    const [before, after] = [await withTables(), await withTables()];
    const { log } = recordingLog();
    const ended = Promise.withResolvers<Error>();
    const watch = DatabaseWatch.over({ db: after, log, identity: await databaseIdentity(before), end: ended.resolve });
    expect((await ended.promise).message).toContain('has been emptied');
    await Promise.all([watch.stop(), before.destroy(), after.destroy()]);
  });

  it('is watched once for all services that share the connections', async () => {
    const db = await withTables();
    const options = { db, log: recordingLog().log, identity: await databaseIdentity(db) };
    const [first, second] = [DatabaseWatch.over(options), DatabaseWatch.over(options)];
    expect(second).toBe(first);
    await first.stop();
    expect(DatabaseWatch.over(options)).toBe(first);
    await Promise.all([first.stop(), second.stop()]);
    const anew = DatabaseWatch.over(options);
    expect(anew).not.toBe(first);
    await Promise.all([anew.stop(), db.destroy()]);
  });
});
