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
import type { JobQueue } from './jobs/job-queue.js';
import type { Metrics } from './metrics.js';
import type { Migration } from './persistence/migrate.js';
import type { Projection } from './projections/projection.js';
import type { Sealer } from './security/sealer.js';
import type { ServerSecret } from './security/secret-ring.js';
import type { JobOptions } from './transport/handlers.js';

/** What the chassis hands to every service. */
export interface ServiceDependencies<C extends BaseConfig = BaseConfig> {
  readonly config: C;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly nats: NatsConnection;
  /** The service's own database handle: may write its own schema. */
  readonly db: Kysely<unknown>;
  readonly eventStore: EventStore;
  readonly aggregates: AggregateRunner;
  readonly commands: CommandClient;
  readonly jobs: JobQueue;
  /** What keys are derived from: `CONTINUO_SECRET`, and those before it. */
  readonly secrets: ServerSecret;
  /** Seals secrets under a key derived from {@link secrets}. */
  readonly sealer: Sealer;
  /** Absent while tracing is off. */
  readonly tracer?: Tracer;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Something running that can be asked to finish: it stops taking, completes what it has, and releases. */
export interface Running {
  stop(): Promise<void>;
}

/** What a service runs beside handlers and projections. */
export interface RunningService extends Running {
  /** State by part, for people who look at the readiness; it never makes the service unready. */
  parts?(): Readonly<Record<string, string>>;
  /** False keeps callers away for the moment, as faults of the connections do. */
  isReady?(): boolean;
  /** Told when the service is about to be stopped, `DRAIN_GRACE_MS` before `stop`: new work still comes until then. */
  draining?(): void;
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
  /** Nest controllers with command and job handlers, and their providers. */
  readonly module?: (deps: ServiceDependencies<C>) => DynamicModule | Type;
  /** Options of kinds of jobs that are known only at the start, by the job's subject; they go before those of the decorator. */
  readonly jobOptions?: (deps: ServiceDependencies<C>) => Promise<Readonly<Record<string, JobOptions>>>;
  /** Starts what is neither handler nor projection (a web server, a first administrator), after everything else is up. */
  readonly start?: (deps: ServiceDependencies<C>) => Promise<RunningService>;
}
