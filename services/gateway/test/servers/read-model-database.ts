import { openDatabase } from '@continuo/chassis';
import type { ReadModel } from '@continuo/contracts';
import { testPostgres } from '@continuo/local-servers';
import { createReadModel } from '@continuo/read-model';
import type { Kysely } from 'kysely';
import type { ReadDatabase } from '../../src/reads/database/database.js';

/** A read model of a test's own: to fill it, and to read it as the gateway does. */
export interface TestReadModel {
  readonly write: Kysely<ReadModel>;
  readonly read: ReadDatabase;
  close(): Promise<void>;
}

/** Creates an empty read model. It is the same in every database, so that one can be copied for each test file. */
export const fillWithReadModel = async (url: string): Promise<void> => {
  const db = openDatabase<unknown>({ url, poolSize: 2, applicationName: 'continuo-test' });
  await createReadModel(db);
  await db.destroy();
};

/** An empty read model in a database of its own. */
export const testReadModel = async (): Promise<TestReadModel> => {
  const postgres = await testPostgres({ fill: fillWithReadModel });
  const write = openDatabase<ReadModel>({ url: postgres.url, poolSize: 2, applicationName: 'continuo-test' });
  const read = openDatabase<ReadModel>({ url: postgres.url, poolSize: 4, applicationName: 'continuo-test', readOnly: true });
  return {
    write,
    read,
    close: async () => {
      await Promise.all([read.destroy(), write.destroy()]);
      await postgres.stop();
    },
  };
};
