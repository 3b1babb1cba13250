import { ownTestPostgres, testPgbouncer, type OwnTestPostgres, type TestPgbouncer } from '@continuo/local-servers';
import { sql, type Kysely } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { LeaderLock } from '../projections/leader-lock.js';
import { openDatabase } from './database.js';
import { requireSessions } from './session-pooling.js';

let postgres: OwnTestPostgres;
let session: TestPgbouncer;
let transaction: TestPgbouncer;
const opened: Kysely<unknown>[] = [];

const open = (url: string, options: Partial<Parameters<typeof openDatabase>[0]> = {}): Kysely<unknown> => {
  const db = openDatabase({ url, poolSize: 4, applicationName: 'spec', ...options });
  opened.push(db);
  return db;
};

beforeAll(async () => {
  postgres = await ownTestPostgres();
  session = await testPgbouncer(postgres.url, 'session');
  transaction = await testPgbouncer(postgres.url, 'transaction');
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((db) => db.destroy()));
});
afterAll(async () => {
  await session.stop();
  await transaction.stop();
  await postgres.stop();
});

describe('PgBouncer', () => {
  it('passes the settings of a session on in session mode, and gives none of them to the next client', async () => {
    const settings = { readOnly: true, statementTimeoutMs: 4321, idleInTransactionMs: 9876, isPipelined: true };
    const shown = async (db: Kysely<unknown>) => {
      const names = ['jit', 'default_transaction_read_only', 'statement_timeout', 'idle_in_transaction_session_timeout'];
      const { rows } = await sql<{ value: string }>`select current_setting(name) as value from unnest(${names}::text[]) name`.execute(db);
      return rows.map(({ value }) => value);
    };
    const db = open(session.url, settings);
    expect(await shown(db)).toEqual(['off', 'on', '4321ms', '9876ms']);
    await expect(sql`create table x (y int)`.execute(db)).rejects.toThrow(/read-only/);
    await db.destroy();
    opened.splice(0);
    expect(await shown(open(session.url))).toEqual(['off', 'off', '0', '0']);
  });

  it('keeps leases in session mode, and frees them with their holder', async () => {
    const [here, elsewhere] = [open(session.url), open(session.url)];
    await requireSessions(here);
    const lease = await LeaderLock.tryAcquire(here, 'one');
    expect(lease).toBeDefined();
    expect(await LeaderLock.tryAcquire(elsewhere, 'one')).toBeUndefined();
    // The pooler cuts its clients off; its connections to Postgres go too.
    await session.restart();
    await expect.poll(() => lease?.lost.aborted).toBe(true);
    const next = await vi.waitUntil(() => LeaderLock.tryAcquire(elsewhere, 'one'), { timeout: 20_000 });
    await next?.release();
  });

  it('is refused in transaction mode, also when others use it', async () => {
    await requireSessions(open(postgres.url));
    const busy = open(transaction.url, { poolSize: 8 });
    const done = new AbortController();
    const work = Promise.all(
      Array.from({ length: 8 }, async (_, at) => {
        // Another text each time: none that is prepared, which this mode does not know.
        for (let turn = 0; !done.signal.aborted; turn += 1) await sql`select pg_sleep(0.002), ${sql.lit(`${at}/${turn}`)}`.execute(busy);
      }),
    );
    try {
      for (let tries = 0; tries < 20; tries += 1)
        await expect(requireSessions(open(transaction.url))).rejects.toThrow('session mode (pool_mode = session)');
    } finally {
      done.abort();
      await work;
    }
  });
});
