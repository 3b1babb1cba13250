import { type Metrics } from '@continuo/chassis';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { Counter, Histogram } from 'prom-client';
import {
  type ChainedIndex,
  type ChainObserver,
  meilisearchOptions,
  MeilisearchSearchIndex,
  PostgresSearchIndex,
  type SearchIndex,
  SearchIndexChain,
} from '@continuo/search-index';
import type { GatewayConfig } from '../../server/config.js';
import type { ReadDatabase } from '../../reads/database/database.js';
import { ReadModelSearchIndex } from './read-model-index.js';

/** Records duration and index of each search as metrics and logs. */
export const searchObserver = ({ registry }: Metrics, log: Logger): ChainObserver => {
  const seconds = new Histogram({
    name: 'continuo_search_seconds',
    help: 'Time in which a search index answered, seconds',
    labelNames: ['index'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  });
  const misses = new Counter({
    name: 'continuo_search_index_misses_total',
    help: 'Searches that an index did not answer, so that the next one did, by why',
    labelNames: ['index', 'fault'],
    registers: [registry],
  });
  return {
    missed: (index, fault, error) => {
      misses.inc({ index, fault });
      // One that was not asked was reported when it failed.
      if (fault !== 'open') log.warn({ index, fault, err: error }, 'a search index did not answer');
    },
    answered: (index, durationMs) => seconds.observe({ index }, durationMs / 1000),
  };
};

/** Creates the full-text search of a gateway: Meilisearch where there is one, else the index in Postgres, else the read model. */
export const createWordSearch = (parts: {
  readonly db: ReadDatabase;
  readonly config: GatewayConfig;
  readonly metrics: Metrics;
  readonly log: Logger;
}): SearchIndex => {
  const { db, config, metrics, log } = parts;
  const meilisearch = meilisearchOptions(config);
  const timeoutMs = config.SEARCH_INDEX_TIMEOUT_MS;
  const indexes: ChainedIndex[] = [
    ...(meilisearch ? [{ index: new MeilisearchSearchIndex(meilisearch), timeoutMs }] : []),
    // The index has tables of its own, which the type of the read model does not speak of.
    { index: new PostgresSearchIndex(db as unknown as Kysely<unknown>, 5 * timeoutMs), timeoutMs: 5 * timeoutMs },
    { index: new ReadModelSearchIndex(db) },
  ];
  return new SearchIndexChain(indexes, searchObserver(metrics, log));
};

/** Uses the full-text search. */
export interface HasWordSearch {
  readonly wordSearch: SearchIndex;
}
