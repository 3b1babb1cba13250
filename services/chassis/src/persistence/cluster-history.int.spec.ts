import { ownTestPostgres, testStandby, type OwnTestPostgres, type TestStandby } from '@continuo/local-servers';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { clusterTimeline, oneHistory } from './cluster-history.js';
import { openDatabase } from './database.js';
import { isDatabaseUnavailable } from './database-unavailable.js';

let primary: OwnTestPostgres;
let standby: TestStandby;

beforeAll(async () => {
  primary = await ownTestPostgres();
  standby = await testStandby(primary);
});
afterAll(async () => {
  await standby.stop();
  await primary.stop();
});

const using = async <T>(url: string, work: (client: Client) => Promise<T>): Promise<T> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

describe('the history of a Postgres', () => {
  it('turns standbys down, and the promoted one for whoever knew its primary', async () => {
    const onOther = vi.fn<(fault: Error) => void>();
    const check = oneHistory(onOther);
    const elsewhere = standby.urlOf(primary.url);
    await using(primary.url, check);
    await expect(using(elsewhere, check)).rejects.toSatisfy(isDatabaseUnavailable);
    const db = openDatabase({ url: elsewhere, poolSize: 1, applicationName: 'spec', onOtherHistory: onOther });
    await expect(sql`select 1`.execute(db)).rejects.toThrow('is a standby');
    expect(onOther).not.toHaveBeenCalled();
    await using(elsewhere, (client) => client.query('select pg_promote()'));
    for (let tries = 0; tries < 2; tries += 1) await expect(using(elsewhere, check)).rejects.toSatisfy(isDatabaseUnavailable);
    expect(onOther.mock.calls).toEqual([[expect.objectContaining({ message: expect.stringContaining('has failed over') })]]);
    // Whoever comes now knows nothing of the one before.
    await sql`select 1`.execute(db);
    expect(await clusterTimeline(db)).toBe('00000002');
    await db.destroy();
  });

  it('is not looked at where that may not be told', async () => {
    await using(primary.url, async (client) => {
      await client.query(
        'revoke execute on function pg_current_wal_lsn() from public; create role nobody_told login; set role nobody_told',
      );
      await oneHistory(() => expect.unreachable())(client);
    });
  });
});
