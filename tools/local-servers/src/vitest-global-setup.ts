import { announceTestPostgres, config } from './config.js';
import { testPgbouncer } from './postgres/test-pgbouncer.js';
import { ownTestPostgres } from './postgres/test-postgres.js';

/** Vitest global set-up: one Postgres for all test files of the run. Copying a data folder for each file would cost most of the test time. */
export default async function shareServers(): Promise<() => Promise<void>> {
  const server = await ownTestPostgres();
  const pooler = config.testPooler === 'pgbouncer' ? await testPgbouncer(server.url, 'session') : undefined;
  announceTestPostgres(pooler?.url ?? server.url);
  return async () => {
    announceTestPostgres(undefined);
    await pooler?.stop();
    await server.stop();
  };
}
