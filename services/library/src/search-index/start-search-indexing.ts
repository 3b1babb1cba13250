import {
  MeilisearchIndexWriter,
  meilisearchOptions,
  openDatabase,
  PostgresSearchWriter,
  SearchIndexer,
  searchIndexMetrics,
  type IndexerStatus,
  type Running,
  type SearchIndexWriter,
  type ServiceDependencies,
} from '@continuo/chassis';
import type { LibraryConfig } from '../config.js';
import { LibrarySearchSource } from './library-search-source.js';

/** The running indexers. */
export interface SearchIndexing extends Running {
  /** Their states, for people. */
  parts(): Readonly<Record<string, string>>;
}

const shown = ({ index, role, fault }: IndexerStatus): [string, string] => [`search index ${index}`, fault ?? role];

const CONNECTIONS_PER_INDEX = 4;

/**
 * Keeps the search indexes: the one in Postgres always, since it answers whenever the other does not, and the one in Meilisearch where one is named.
 * Neither holds up the other, nor anything else.
 */
export const startSearchIndexing = (deps: ServiceDependencies<LibraryConfig>): SearchIndexing => {
  const { config, log } = deps;
  const meilisearch = meilisearchOptions(config);
  const poolSize = CONNECTIONS_PER_INDEX * (meilisearch ? 2 : 1);
  const db = openDatabase({ url: config.DATABASE_URL, poolSize, applicationName: 'continuo-library-search', log });
  const writers: SearchIndexWriter[] = [new PostgresSearchWriter(db), ...(meilisearch ? [new MeilisearchIndexWriter(meilisearch)] : [])];
  const context = { db, nats: deps.nats, log, metrics: searchIndexMetrics(deps.metrics.registry), upkeepMs: config.SEARCH_INDEX_UPKEEP_MS };
  const indexers = writers.map((writer) => new SearchIndexer(context, writer, new LibrarySearchSource(db)));
  for (const indexer of indexers) indexer.start();
  return {
    parts: () => Object.fromEntries(indexers.map((indexer) => shown(indexer.status()))),
    stop: async () => {
      await Promise.all(indexers.map((indexer) => indexer.stop()));
      await db.destroy();
    },
  };
};
