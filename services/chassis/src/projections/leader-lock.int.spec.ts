import { ownTestPostgres, type OwnTestPostgres } from '@continuo/local-servers';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../persistence/database.js';
import { LeaderLock } from './leader-lock.js';

let postgres: OwnTestPostgres;
let here: Kysely<unknown>;
let elsewhere: Kysely<unknown>;

const open = (applicationName: string): Kysely<unknown> => openDatabase({ url: postgres.url, poolSize: 4, applicationName });
const holders = async (): Promise<number> => {
  const { rows } = await sql<{ pid: number }>`select distinct pid from pg_locks where locktype = 'advisory'`.execute(elsewhere);
  return rows.length;
};

beforeAll(async () => {
  postgres = await ownTestPostgres();
  [here, elsewhere] = [open('here'), open('elsewhere')];
});

afterAll(async () => {
  await Promise.all([here.destroy(), elsewhere.destroy()]);
  await postgres.stop();
});

it('has one holder at a time, within a process and between processes', async () => {
  const lease = await LeaderLock.tryAcquire(here, 'one');
  expect(lease).toBeDefined();
  expect(await LeaderLock.tryAcquire(here, 'one')).toBeUndefined();
  expect(await LeaderLock.tryAcquire(elsewhere, 'one')).toBeUndefined();
  expect(await LeaderLock.isHeld(elsewhere, 'one')).toBe(true);
  await lease?.release();
  expect(await LeaderLock.isHeld(elsewhere, 'one')).toBe(false);
  const next = await LeaderLock.tryAcquire(elsewhere, 'one');
  expect(next).toBeDefined();
  await next?.release();
});

it('shares the connection of its pool with the other leases, and keeps it while one of them is held', async () => {
  const leases = await Promise.all(['a', 'b', 'c'].map((key) => LeaderLock.tryAcquire(here, key)));
  expect(await holders()).toBe(1);
  await leases[0]?.release();
  expect(await LeaderLock.isHeld(elsewhere, 'a')).toBe(false);
  expect(await LeaderLock.isHeld(elsewhere, 'b')).toBe(true);
  await Promise.all(leases.slice(1).map(async (lease) => lease?.release()));
  expect(await holders()).toBe(0);
});

it('is lost with its connection, and can be had again', async () => {
  const leases = await Promise.all(['a', 'b'].map((key) => LeaderLock.tryAcquire(here, key)));
  await sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'`.execute(elsewhere);
  await expect.poll(() => leases.map((lease) => lease?.lost.aborted)).toEqual([true, true]);
  await Promise.all(leases.map(async (lease) => lease?.release()));
  const next = await LeaderLock.tryAcquire(here, 'a');
  expect(next?.lost.aborted).toBe(false);
  await next?.release();
});
