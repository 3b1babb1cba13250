import type { CommandClient, EventStore, Metrics, ProjectionWatch, Sealer, ServerSecret } from '@continuo/chassis';
import type { Tracer } from '@opentelemetry/api';
import type { Logger } from 'pino';
import type { CatalogStorage, MediaStore } from '@continuo/media-store';
import type { ConcurrencyLimiter } from './concurrency-limiter.js';
import type { GatewayConfig } from './config.js';

/** Reads the settings. */
export interface HasConfig {
  readonly config: GatewayConfig;
}

/** Writes to the log. */
export interface HasLog {
  readonly log: Logger;
}

/** Counts what happens. */
export interface HasMetrics {
  readonly metrics: Metrics;
}

/** Traces requests; absent while tracing is off. */
export interface HasTracer {
  readonly tracer?: Tracer | undefined;
}

/** Knows the time, epoch milliseconds. */
export interface HasClock {
  readonly now: () => number;
}

/** Sends commands, and waits until their effects can be read. */
export interface HasCommands {
  readonly commands: CommandClient;
  readonly watch: ProjectionWatch;
}

/** Knows the versions of aggregates. */
export interface HasVersions {
  readonly versions: Required<Pick<EventStore, 'lastOf'>>;
}

/** Seals secrets that are stored. */
export interface HasSealer {
  readonly sealer: Sealer;
}

/** Derives keys from the secrets of the server. */
export interface HasSecrets {
  readonly secrets: ServerSecret;
}

/** Opens files of catalogs. */
export interface HasMediaStore {
  readonly mediaStore: MediaStore;
}

/** Opens storage beside the folders of this machine that can become a catalog. */
export interface HasCatalogStorage {
  readonly catalogStorage: Pick<CatalogStorage, 'open'>;
}

/** Limits streamed lists without a size cap. */
export interface HasListSlots {
  readonly listSlots: ConcurrencyLimiter;
}

/** Limits archives that are built while they are sent. */
export interface HasArchiveSlots {
  readonly archiveSlots: ConcurrencyLimiter;
}

/** Limits uploads. */
export interface HasUploadSlots {
  readonly uploadSlots: ConcurrencyLimiter;
}
