import type { Context, JobContext } from '@continuo/contracts';
import type { DynamicModule, Type } from '@nestjs/common';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Tracer } from '@opentelemetry/api';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { AggregateRunner } from './aggregates/runner.js';
import type { CommandClient } from './commands-client.js';
import type { BaseConfig } from './config.js';
import type { EventStore } from './event-store/event-store.js';
import type { LogWatch } from './event-store/integrity/log-watch.js';
import type { JobQueue } from './jobs/job-queue.js';
import type { Metrics } from './metrics.js';
import type { Migration } from './persistence/migrate.js';
import type { Projection } from './projections/projection.js';
import type { Sealer } from './security/sealer.js';
import type { ServerSecret } from './security/key-ring.js';
import type { UserKeys } from './security/user-keys.js';
import type { JobOptions } from './transport/handlers.js';

/** Dependencies that the chassis passes to every service. */
export interface ServiceDependencies<C extends BaseConfig = BaseConfig> {
  readonly config: C;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly nats: NatsConnection;
  /** The service's own database handle: may write its own schema. */
  readonly db: Kysely<unknown>;
  /** Connections of its projections, for what takes minutes as they do: statements have no limit of time. Absent without projections. */
  readonly projectionDb?: Kysely<unknown>;
  readonly eventStore: EventStore & Required<Pick<EventStore, 'lastOf'>>;
  /** Keeps reactors that a service makes itself from passing over events that are missing. */
  readonly logWatch: Pick<LogWatch, 'requireCompleteUpTo'>;
  readonly aggregates: AggregateRunner;
  readonly commands: CommandClient;
  readonly jobs: JobQueue;
  /** Secrets that keys are derived from: `CONTINUO_SECRET`, and former ones. */
  readonly secrets: ServerSecret;
  /** Seals secrets under a key derived from {@link secrets}. */
  readonly sealer: Sealer;
  /** Keys of accounts, under which personal data is sealed. */
  readonly userKeys: UserKeys;
  /** Absent while tracing is off. */
  readonly tracer?: Tracer;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Why the event log cannot be written at the moment, as a sentence; undefined while it can. */
  readonly logFault?: () => string | undefined;
}

/**
 * Hooks of the chassis, beside the life-cycle hooks of Nest: a provider of a service's module that has a method of such a name is called. Nest's hooks
 * run in this order: `onApplicationBootstrap` when the service takes commands and jobs, `beforeApplicationShutdown` while it still takes them, for work
 * in the background, and `onApplicationShutdown` after the handlers have drained, for what they use.
 */
export interface ServiceHooks {
  /** State by part, for people who read the readiness; it never makes the service unready. */
  readinessParts(): Readonly<Record<string, string>>;
  /** False makes the service unready, as faults of the connections do. */
  isReady(): boolean;
  /** Told when the service is about to be stopped, `DRAIN_GRACE_MS` before it is: new work still comes until then. */
  onDrain(): void;
  /** Options of kinds of jobs that are known only at the start, by the job's subject; they go before those of the decorator. */
  jobOptions(): Readonly<Record<string, JobOptions>>;
}

/** One microservice: what it owns and how it starts. Its own process and the standalone run exactly this. */
export interface ServiceDefinition<C extends BaseConfig = BaseConfig> {
  readonly name: string;
  readonly config: z.ZodType<C>;
  /** Contexts whose event streams this service owns and creates. */
  readonly contexts: readonly Context[];
  readonly jobContexts?: readonly JobContext[];
  /** Postgres schema of the service's own tables; absent for a service that stores nothing. */
  readonly schema?: string;
  /** Tables that are not projections: registries, snapshots, leases. */
  readonly migrations?: readonly Migration[];
  readonly projections?: (deps: ServiceDependencies<C>) => readonly Projection[];
  /** True where requests do not come over NATS and mostly read: while NATS is away such a service stays ready, and its callers are answered. */
  readonly readsWithoutNats?: boolean;
  /** Nest controllers with command and job handlers, their providers, and providers that work in the background. */
  readonly module?: DynamicModule | Type;
}
