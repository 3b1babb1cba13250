import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { ownTestPostgres } from './test-postgres.js';
import { testStandby } from './test-standby.js';

const DELAY_MS = 400;

async function ask<T>(url: string, statement: string): Promise<readonly T[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows as T[];
  } finally {
    await client.end();
  }
}

describe('testStandby', () => {
  it('shows what is written to its primary, later, and takes nothing itself', async () => {
    const primary = await ownTestPostgres();
    const { url } = await primary.createDatabase();
    const standby = await testStandby(primary, DELAY_MS);
    try {
      await ask(url, 'create table written as select 1 as n');
      const replica = standby.urlOf(url);
      const isThere = async (): Promise<boolean> => (await ask(replica, `select from pg_tables where tablename = 'written'`)).length > 0;
      expect(await isThere()).toBe(false);
      await expect.poll(isThere, { timeout: 20_000, interval: 50 }).toBe(true);
      await expect(ask(replica, 'insert into written values (2)')).rejects.toMatchObject({ code: '25006' });
    } finally {
      await standby.stop();
      await primary.stop();
    }
  });
});
