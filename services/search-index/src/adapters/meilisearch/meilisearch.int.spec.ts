import { expect } from 'vitest';
import { MeilisearchDouble } from '@continuo/local-servers/meilisearch';
import { relevanceContract } from '../../../test/relevance/relevance.contract.js';
import { searchIndexContract, type SearchIndexUnderTest } from '../../../test/search-index.contract.js';
import { MeilisearchIndexWriter } from './meilisearch-index-writer.js';
import { MeilisearchSearchIndex } from './meilisearch-search-index.js';

const start = async (): Promise<SearchIndexUnderTest> => {
  const double = await MeilisearchDouble.start();
  const options = { url: double.url, key: double.key, prefix: 'spec' };
  return {
    index: new MeilisearchSearchIndex(options),
    writer: new MeilisearchIndexWriter(options),
    stop: async () => {
      await double.stop();
      expect(double.refusals).toEqual([]);
    },
  };
};

searchIndexContract('Meilisearch (double)', start);
// Of the texts that the adapter sends, not of the real server's ranking.
relevanceContract('Meilisearch (double)', start, { all: 0.97, ofClass: 0.93 });
