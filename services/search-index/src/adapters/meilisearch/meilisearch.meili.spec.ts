import { Meilisearch } from 'meilisearch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endMeilisearch, hasMeilisearch, liveMeilisearch } from '../../../test/config.js';
import { relevanceContract } from '../../../test/relevance/relevance.contract.js';
import { searchIndexContract, type SearchIndexUnderTest } from '../../../test/search-index.contract.js';
import type { SearchDocument } from '../../search-document.js';
import { MeilisearchIndexWriter } from './meilisearch-index-writer.js';
import { MeilisearchSearchIndex } from './meilisearch-search-index.js';

const NAME = 'Meilisearch (server)';

/** An adapter with a prefix of its own, and its indexes gone at the end. */
const start = async (): Promise<SearchIndexUnderTest & { readonly writer: MeilisearchIndexWriter }> => {
  const { url, key } = await liveMeilisearch();
  const prefix = `continuo_spec_${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`;
  const options = { url, prefix, ...(key === undefined ? {} : { key }), searchTimeoutMs: 5000 };
  const stop = async (): Promise<void> => {
    const client = new Meilisearch({ host: url, ...(key === undefined ? {} : { apiKey: key }) });
    const { results } = await client.getRawIndexes({ limit: 1000 });
    for (const { uid } of results.filter((index) => index.uid.startsWith(`${prefix}_`))) await client.deleteIndex(uid).waitTask();
  };
  return { index: new MeilisearchSearchIndex(options), writer: new MeilisearchIndexWriter(options), stop };
};

afterAll(endMeilisearch);

if (hasMeilisearch) {
  searchIndexContract(NAME, start);
  relevanceContract(NAME, start, { all: 0.85, ofClass: 0.7 });
}

describe.runIf(hasMeilisearch)(`${NAME} with many songs`, () => {
  let under: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    under = await start();
  });
  afterAll(() => under.stop());

  it('takes 50,000 documents, exchanges indexes under load, and pages to its limit', async () => {
    const songs = (word: string): SearchDocument[] =>
      Array.from({ length: 50_000 }, (_, n) => ({
        kind: 'song',
        id: n + 1,
        name: `${word} number ${n}`,
        artists: [`Artist ${n % 500}`],
        catalogIds: [1 + (n % 3)],
        foundBy: 'everybody',
        popularity: n % 97,
      }));
    const search = (text: string, offset = 0) =>
      under.index.search({ text, pages: { song: { offset, limit: 10 } }, catalogs: [1, 2], viewerId: 1 });
    const began = performance.now();
    for (const [position, word] of ['First', 'Second'].entries()) {
      const rebuild = await under.writer.beginRebuild();
      await rebuild.write({ upserts: songs(word) });
      await rebuild.swap({ epoch: 'load', position: position + 1, version: 1 });
      expect((await search(word)).song?.ids).toHaveLength(10);
    }
    process.stdout.write(`\n${NAME}: ${Math.round(100_000_000 / (performance.now() - began))} documents a second\n`);
    expect((await search('first')).song?.ids).toEqual([]);
    expect((await search('second', 4990)).song?.ids).toHaveLength(10);
    expect((await search('second', 5000)).song?.ids).toEqual([]);
  });
});

it.skipIf(hasMeilisearch)('needs MEILI_URL or MEILI_BIN: see `pnpm test:meili`', ({ skip }) => skip('neither is set'));
