import { testPostgres, type TestPostgres } from '@continuo/local-servers';
import { afterAll, beforeAll } from 'vitest';
import { openDatabase } from '@continuo/chassis';
import { relevanceContract } from '../../../test/relevance/relevance.contract.js';
import { searchIndexContract, type SearchIndexUnderTest } from '../../../test/search-index.contract.js';
import { PostgresSearchIndex } from './postgres-search-index.js';
import { PostgresSearchWriter } from './postgres-search-writer.js';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await testPostgres();
});
afterAll(() => postgres.stop());

const start = async (): Promise<SearchIndexUnderTest> => {
  const database = await postgres.createDatabase();
  const db = openDatabase({ url: database.url, poolSize: 4, applicationName: 'search-spec' });
  return {
    index: new PostgresSearchIndex(db),
    writer: new PostgresSearchWriter(db),
    stop: async () => {
      await db.destroy();
      await database.drop();
    },
  };
};

searchIndexContract('PostgresSearchIndex', start);
relevanceContract('PostgresSearchIndex', start, { all: 0.97, ofClass: 0.93, exceptions: { spacing: 0.5 } });
