import { jetstream, type JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { eventStreams } from '@continuo/contracts';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { EventSourcedRunner } from '../aggregates/event-sourced-runner.js';
import { PostgresSnapshotStore } from '../aggregates/snapshots.js';
import { NatsCommandClient } from '../commands/nats-command-client.js';
import type { BaseConfig } from '../config.js';
import { JetStreamEventStore } from '../event-store/adapters/jetstream-event-store.js';
import { WholeEventStore } from '../event-store/adapters/whole-event-store.js';
import type { LogWatch } from '../event-store/integrity/log-watch.js';
import { epochReader } from '../event-store/streams.js';
import { JetStreamJobQueue } from '../jobs/jetstream-job-queue.js';
import type { LogWrites } from '../event-store/log-writes.js';
import type { Metrics } from '../metrics.js';
import { credentialSealer } from '../security/sealer.adapter.js';
import { jetStreamUserKeys } from '../security/user-keys.adapter.js';
import type { KeyRing } from '../security/key-ring.js';
import type { ServiceDefinition, ServiceDependencies } from '../service.js';
import type { Telemetry } from '../telemetry/telemetry.js';

/** The connections of one service, open and checked. */
export interface Connections {
  readonly nats: NatsConnection;
  readonly manager: JetStreamManager;
  readonly db: Kysely<unknown>;
  readonly secrets: KeyRing;
  readonly logWrites: LogWrites;
  readonly logWatch: LogWatch;
}

/** Connections and settings from which the dependencies are built. */
export interface ServiceConnections<C extends BaseConfig> extends Connections {
  readonly definition: ServiceDefinition<C>;
  readonly config: C;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly telemetry: Telemetry;
}

/** Builds what the chassis hands to a service. */
export const buildDependencies = <C extends BaseConfig>(around: ServiceConnections<C>): ServiceDependencies<C> => {
  const { config, log, metrics, nats, manager, db, telemetry, definition, secrets, logWrites } = around;
  const stored = new JetStreamEventStore(nats, manager, undefined, {
    tracer: telemetry.isOn ? telemetry.tracer : undefined,
    guard: logWrites,
  });
  const eventStore = new WholeEventStore(stored, around.logWatch);
  const snapshots = new PostgresSnapshotStore(
    db,
    epochReader(
      manager,
      definition.contexts.map((context) => eventStreams[context]),
    ),
  );
  return {
    config,
    log,
    metrics,
    nats,
    db,
    eventStore,
    logWatch: around.logWatch,
    aggregates: new EventSourcedRunner(eventStore, snapshots, metrics.appendConflicts),
    commands: new NatsCommandClient(nats, { timeoutMs: config.COMMAND_TIMEOUT_MS, tracer: telemetry.tracer }),
    jobs: new JetStreamJobQueue(jetstream(nats), telemetry.tracer),
    secrets,
    sealer: credentialSealer(secrets),
    userKeys: jetStreamUserKeys({ nats, secret: secrets, replicas: config.NATS_REPLICAS }),
    now: Date.now,
    logFault: () => logWrites.fault,
    ...(telemetry.isOn ? { tracer: telemetry.tracer } : {}),
  };
};
