import type { NatsConnection } from '@nats-io/transport-node';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { SearchIndexMetrics } from './search-index-metrics.js';

/** The surroundings of an indexer. */
export interface IndexerContext {
  /** Without a statement time-out, and with a connection to spare for the lock. */
  readonly db: Kysely<unknown>;
  readonly nats: NatsConnection;
  readonly log: Logger;
  readonly metrics: SearchIndexMetrics;
  /** Interval at which plays and other data beside the log are read, and the index is checked, ms. */
  readonly upkeepMs: number;
}
