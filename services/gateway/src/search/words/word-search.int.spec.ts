import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMetrics, parseConfig, type Metrics } from '@continuo/chassis';
import type { Kysely } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  PostgresSearchIndex,
  PostgresSearchWriter,
  type SearchDocument,
  type SearchIndex,
  SearchUnavailable,
} from '@continuo/search-index';
import { gatewayConfig, type GatewayConfig } from '../../server/config.js';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { fixtureSongs } from '../../../test/library/fixture-songs.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { createSearches, searchLimits } from '../searches.js';
import { bestMatches } from './best-matches.js';
import { createWordSearch } from './create-word-search.js';
import { findByWords, type WordSearch } from './words.reads.js';

let model: TestReadModel;
let writer: PostgresSearchWriter;
const closing: (() => Promise<unknown>)[] = [];

/** Everything of the read model as documents. */
const documents = async (): Promise<SearchDocument[]> => {
  const songs = await model.read.selectFrom('library.song').select(['id', 'title', 'catalog_id']).execute();
  const artists = await model.read.selectFrom('library.artist').select(['id', 'name']).execute();
  const base = { foundBy: 'everybody', popularity: 0 } as const;
  return [
    ...songs.map(({ id, title, catalog_id }): SearchDocument => ({ ...base, kind: 'song', id, name: title, catalogIds: [catalog_id] })),
    ...artists.map(({ id, name }): SearchDocument => ({ ...base, kind: 'artist', id, name, catalogIds: [1, 2] })),
  ];
};

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
  writer = new PostgresSearchWriter(model.write as unknown as Kysely<unknown>);
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
afterAll(() => model.close());

const fill = async (upserts: readonly SearchDocument[]): Promise<void> => {
  await writer.prepare();
  const rebuild = await writer.beginRebuild();
  await rebuild.write({ upserts });
  await rebuild.swap({ epoch: 'spec', position: 1, version: 1 });
};

const everything = { limit: 20, offset: 0 };
const asked = (query: string, more: Partial<WordSearch> = {}): WordSearch => {
  const pages = { song: everything, album: everything, artist: everything };
  return { query, scope: 'all', viewerId: 1, pages, ...more };
};

const configOf = (environment: Record<string, string>): GatewayConfig =>
  parseConfig(gatewayConfig, {
    DATABASE_URL: 'postgres://unused',
    NATS_URL: 'nats://unused',
    CONTINUO_SECRET: 'a secret for specs, of enough characters',
    ...environment,
  });

const open = (environment: Record<string, string> = {}): { wordSearch: SearchIndex; metrics: Metrics } => {
  const config = configOf(environment);
  const metrics = createMetrics('gateway');
  return { wordSearch: createWordSearch({ db: model.read, config, metrics, log: pino({ level: 'silent' }) }), metrics };
};

const titles = async (wordSearch: SearchIndex, search: WordSearch): Promise<string[]> => {
  const { song } = await findByWords({ db: model.read, wordSearch }, search);
  if (song.length === 0) return [];
  const rows = await model.read.selectFrom('library.song').select(['id', 'title']).where('id', 'in', song).execute();
  return song.map((id) => rows.find((row) => row.id === id)?.title ?? '');
};

const misses = async ({ registry }: Metrics): Promise<[unknown, unknown, number][]> => {
  const metric = await registry.getSingleMetric('continuo_search_index_misses_total')?.get();
  return (metric?.values ?? []).map(({ labels, value }) => [labels['index'], labels['fault'], value]);
};

describe('searching by words', () => {
  it('asks the read model as long as no index was filled, and counts that', async () => {
    const { wordSearch, metrics } = open();
    expect(await titles(wordSearch, asked('second watch'))).toEqual(['Second Watch']);
    expect(await misses(metrics)).toEqual([['postgres', 'unavailable', 1]]);
    await expect(
      new PostgresSearchIndex(model.read as unknown as Kysely<unknown>).search({ text: 'x', pages: {}, catalogs: 'all', viewerId: null }),
    ).rejects.toThrow(SearchUnavailable);
  });

  it('asks the index once it is there: it forgives, and shows nothing of hidden catalogs', async () => {
    await fill(await documents());
    const { wordSearch, metrics } = open();
    expect(await titles(wordSearch, asked('secnod watch'))).toEqual(['Second Watch']);
    const hidden = await model.read
      .selectFrom('library.song')
      .select(['title', 'catalog_id'])
      .where('catalog_id', '=', 2)
      .executeTakeFirstOrThrow();
    expect(await titles(wordSearch, asked(hidden.title))).toContain(hidden.title);
    expect(await titles(wordSearch, asked(hidden.title, { scope: [1] }))).not.toContain(hidden.title);
    expect(await titles(wordSearch, asked(hidden.title, { scope: [] }))).toEqual([]);
    expect(await misses(metrics)).toEqual([]);
  });

  it('finds the best of several types at once, those without an index by what their titles contain or sound like', async () => {
    const { wordSearch } = open();
    const viewer = { userId: 1, isAdministrator: true, catalogs: 'all' } as const;
    const services = { db: model.read, wordSearch, searches: createSearches(model.read, searchLimits(configOf({})), () => 0) };
    const found = async (words: string): Promise<Record<string, number>> => {
      const lists = await bestMatches(services, { words, types: ['song', 'artist', 'genre', 'video'], limit: 5 }, viewer);
      return Object.fromEntries([...lists].map(([type, { total }]) => [type, total]));
    };
    expect(await found('secnod watch')).toEqual({ song: 1, artist: 0, video: 0, genre: 0 });
    expect(await found('harbuor')).toMatchObject({ artist: 1, genre: 0 });
    expect(await found('ndie')).toEqual({ song: 0, artist: 0, video: 0, genre: 1 });
    expect(await found('fowlk')).toEqual({ song: 0, artist: 0, video: 0, genre: 1 });
  });

  it('asks the read model for what the index does not hold yet', async () => {
    const all = await documents();
    await fill(all.filter(({ name }) => name !== 'Second Watch'));
    const { wordSearch } = open();
    expect(await titles(wordSearch, asked('watch'))).toEqual(['Second Watch']);
    expect(await titles(wordSearch, asked('watch', { scope: [] }))).toEqual([]);
    await fill(all);
  });

  it('takes quoted and joined groups as they stand, which the index could not', async () => {
    const { wordSearch } = open();
    expect(await titles(wordSearch, asked('"watch second"'))).toEqual([]);
    expect(await titles(wordSearch, asked('second+watch'))).toEqual(['Second Watch']);
  });

  it('finds what holds any of the words when nothing holds all', async () => {
    const { wordSearch } = open();
    expect((await titles(wordSearch, asked('second song'))).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'Harbour Song',
      'Second Watch',
    ]);
    expect(
      await titles(wordSearch, asked('second song', { pages: { song: { limit: 5, offset: 5 }, album: everything, artist: everything } })),
    ).toEqual([]);
  });

  it('goes on with Postgres when Meilisearch refuses, dies in the middle of an answer, or does not answer', async () => {
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"results":[');
      setTimeout(() => response.destroy(), 5);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => new Promise((resolve) => server.close(resolve)));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { wordSearch, metrics } = open({ MEILI_URL: url });
    for (let round = 0; round < 4; round += 1) expect(await titles(wordSearch, asked('second watch'))).toEqual(['Second Watch']);
    const counted = await misses(metrics);
    expect(counted.every(([index]) => index === 'meilisearch')).toBe(true);
    expect(counted.reduce((sum, [, , value]) => sum + value, 0)).toBe(4);
    expect(counted).toContainEqual(['meilisearch', 'open', 2]);
  });

  it('does not wait long for a Meilisearch that hangs', async () => {
    const server = createServer((request) => void request.resume());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { wordSearch, metrics } = open({ MEILI_URL: url, SEARCH_INDEX_TIMEOUT_MS: '100' });
    const started = performance.now();
    expect(await titles(wordSearch, asked('second watch'))).toEqual(['Second Watch']);
    expect(performance.now() - started).toBeLessThan(20_000);
    expect(await misses(metrics)).toEqual([['meilisearch', 'late', 1]]);
  });
});
