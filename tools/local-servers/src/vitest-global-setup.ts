import { announceTestPostgres } from './config.js';
import { ownTestPostgres } from './postgres/test-postgres.js';

/** Vitest global set-up: one Postgres for all test files of the run. Copying a data folder for each file would cost most of the test time. */
export default async function shareServers(): Promise<() => Promise<void>> {
  const server = await ownTestPostgres();
  announceTestPostgres(server.url);
  return async () => {
    announceTestPostgres(undefined);
    await server.stop();
  };
}
