import { testPostgres } from '@continuo/local-servers';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { isDatabaseUnavailable } from './database-unavailable.js';
import { openDatabase } from './database.js';

describe('a database that ends in the middle of a transaction', () => {
  it('is away, for the statement under way and for every one after it', { timeout: 60_000 }, async () => {
    const postgres = await testPostgres();
    const [db, other] = [1, 1].map((poolSize) => openDatabase({ url: postgres.url, poolSize, applicationName: 'spec' }));
    if (!db || !other) throw new Error('no databases');
    const faults: unknown[] = [];
    await db
      .transaction()
      .execute(async (trx) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
        await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(other);
        for (let number = 1; number <= 2; number += 1) await sql`select 1`.execute(trx).catch((error: unknown) => faults.push(error));
        await sql`select 1`.execute(trx);
      })
      .catch((error: unknown) => faults.push(error));
    expect(faults).toHaveLength(3);
    for (const fault of faults) expect(fault).toSatisfy(isDatabaseUnavailable);
    await Promise.all([db.destroy(), other.destroy()]);
    await postgres.stop();
  });
});
