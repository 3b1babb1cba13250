import { setTimeout as delay } from 'node:timers/promises';
import { ensureEventStreams, openDatabase } from '@continuo/chassis';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { locateMeilisearch, MeilisearchServer } from '@continuo/local-servers/meilisearch';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Kysely } from 'kysely';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentsToIndex } from '../../test/config.js';
import { indexNames } from '../adapters/meilisearch/meilisearch-index-settings.js';
import { MeilisearchIndexWriter } from '../adapters/meilisearch/meilisearch-index-writer.js';
import { MeilisearchSearchIndex } from '../adapters/meilisearch/meilisearch-search-index.js';
import type { SearchDocument } from '../search-document.js';
import { searchIndexMetrics } from './search-index-metrics.js';
import { SearchIndexer } from './search-indexer.js';
import type { SearchSource } from './search-source.js';

/* A real Meilisearch that is killed again and again while many documents are given to it. */

const BATCH = 5000;
const KILLS = 5;
const AWAY_MS = 2000;
const HOUR_MS = 3_600_000;
const POLL_MS = 200;

const document = (id: number): SearchDocument => ({
  kind: 'song',
  id,
  name: `Number ${id}`,
  artists: [`Artist ${id % 5000}`],
  album: `Album ${id % 50_000}`,
  catalogIds: [1 + (id % 3)],
  foundBy: 'everybody',
  popularity: id % 97,
});

const source: SearchSource = {
  version: 1,
  stream: 'EV_LIBRARY',
  readablePosition: () => Promise.resolve(0),
  async *everything() {
    for (let first = 1; first <= documentsToIndex; first += BATCH)
      yield { upserts: Array.from({ length: Math.min(BATCH, documentsToIndex - first + 1) }, (_, n) => document(first + n)) };
  },
  follow: () =>
    Promise.resolve({
      changes: () => Promise.resolve({}),
      upkeep: () => Promise.resolve({ batch: {}, written: () => Promise.resolve() }),
    }),
};

let [nats, postgres, meilisearch]: [TestNats?, TestPostgres?, MeilisearchServer?] = [];
let connection: NatsConnection | undefined;
let db: Kysely<unknown> | undefined;

beforeAll(async () => {
  const bin = locateMeilisearch();
  if (bin === undefined) throw new Error('MEILI_BIN is not set');
  [nats, postgres, meilisearch] = await Promise.all([testNats(), testPostgres(), MeilisearchServer.start(bin)]);
});
afterAll(async () => {
  await db?.destroy();
  await connection?.close();
  await Promise.all([nats?.stop(), postgres?.stop(), meilisearch?.stop()]);
});

describe('Meilisearch, killed while it is filled', () => {
  it(`has all of ${documentsToIndex} documents in the end, and what it left unfinished is gone`, { timeout: HOUR_MS }, async () => {
    if (!nats || !postgres || !meilisearch) throw new Error('the servers are not there');
    connection = await connect({ servers: nats.url });
    await ensureEventStreams(await jetstreamManager(connection), ['library'], 1);
    db = openDatabase({ url: (await postgres.createDatabase()).url, poolSize: 4, applicationName: 'spec' });
    const { url, key } = meilisearch;
    const options = { url, key, prefix: 'continuo' };
    const writer = new MeilisearchIndexWriter(options);
    const metrics = searchIndexMetrics(new Registry());
    const context = { db, nats: connection, log: pino({ level: 'silent' }), metrics, upkeepMs: 1000 };
    const indexer = new SearchIndexer(context, writer, source);

    const began = performance.now();
    const reached: number[] = [];
    indexer.start();
    try {
      for (let kill = 1; kill <= KILLS; kill += 1) {
        const wanted = Math.floor((documentsToIndex * kill) / (KILLS + 1));
        while (indexer.status().written < wanted && indexer.status().rebuilds === 0) await delay(POLL_MS);
        reached.push(indexer.status().written);
        await meilisearch.down();
        await delay(AWAY_MS);
        await meilisearch.up();
      }
      while (indexer.status().role !== 'following') await delay(POLL_MS);
    } finally {
      await indexer.stop();
    }
    const seconds = (performance.now() - began) / 1000;
    process.stdout.write(`\nkilled at ${reached.join(', ')} documents; ${documentsToIndex} in ${seconds.toFixed(0)} s\n`);

    expect(reached.length).toBe(KILLS);
    expect(indexer.status().rebuilds).toBe(1);
    expect((await writer.counts()).song).toBe(documentsToIndex);
    expect(await meilisearch.indexes()).toEqual(indexNames('continuo').all.toSorted());
    const index = new MeilisearchSearchIndex({ ...options, searchTimeoutMs: 5000 });
    for (const id of [1, Math.ceil(documentsToIndex / 2), documentsToIndex]) {
      const found = await index.search({ text: `number ${id}`, pages: { song: { offset: 0, limit: 1 } }, catalogs: 'all', viewerId: null });
      expect(found.song?.ids).toEqual([id]);
    }
  });
});
