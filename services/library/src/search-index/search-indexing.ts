import { SERVICE_DEPENDENCIES, type ServiceDependencies, type ServiceHooks } from '@continuo/chassis';
import {
  MeilisearchIndexWriter,
  meilisearchOptions,
  PostgresSearchWriter,
  SearchIndexer,
  searchIndexMetrics,
  type IndexerStatus,
  type SearchIndexWriter,
} from '@continuo/search-index';
import { Inject, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { LibraryConfig } from '../config.js';
import { LibrarySearchSource } from './library-search-source.js';

const shown = ({ index, role, fault }: IndexerStatus): [string, string] => [`search index ${index}`, fault ?? role];

/**
 * Keeps the search indexes: the one in Postgres always, since it answers whenever the other does not, and the one in Meilisearch where one is named.
 * Neither holds up the other, nor anything else.
 */
export class SearchIndexing implements OnApplicationBootstrap, BeforeApplicationShutdown, Pick<ServiceHooks, 'readinessParts'> {
  #indexers: readonly SearchIndexer[] = [];

  constructor(@Inject(SERVICE_DEPENDENCIES) private readonly deps: ServiceDependencies<LibraryConfig>) {}

  onApplicationBootstrap(): void {
    const { config, log, nats, metrics, projectionDb: db } = this.deps;
    if (!db) throw new Error('the library has no projections');
    const meilisearch = meilisearchOptions(config);
    const writers: SearchIndexWriter[] = [new PostgresSearchWriter(db), ...(meilisearch ? [new MeilisearchIndexWriter(meilisearch)] : [])];
    const context = { db, nats, log, metrics: searchIndexMetrics(metrics.registry), upkeepMs: config.SEARCH_INDEX_UPKEEP_MS };
    this.#indexers = writers.map((writer) => new SearchIndexer(context, writer, new LibrarySearchSource(db)));
    for (const indexer of this.#indexers) indexer.start();
  }

  readinessParts(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#indexers.map((indexer) => shown(indexer.status())));
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.#indexers.map((indexer) => indexer.stop()));
  }
}
