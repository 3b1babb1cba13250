import 'reflect-metadata';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { eventStreams, jobStreams, type SettingSource } from '@continuo/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { parseConfig, type BaseConfig, type Environment } from '../config.js';
import { isEventStoreUnavailable } from '../event-store/event-store-unavailable.js';
import { LogWatch } from '../event-store/integrity/log-watch.js';
import { LogRoom } from '../event-store/log-room.js';
import { LogWrites } from '../event-store/log-writes.js';
import { ensureEventStreams } from '../event-store/streams.js';
import { WriteProbe } from '../event-store/write-probe.js';
import type { Readiness } from '../health.js';
import { ensureJobStreams } from '../jobs/job-streams.js';
import { queueGauges } from '../jobs/queue-metrics.js';
import { createLogger } from '../log.js';
import { createMetrics, type Metrics } from '../metrics.js';
import { migrate } from '../persistence/migrate.js';
import { refuseUnfinishedRestore } from '../persistence/unfinished-restore.js';
import { prepareChassisTables, startProjections, type RunningProjections } from '../projections/start.js';
import { openLiveKeyRing } from '../security/key-ring.adapter.js';
import { retry } from '../retry.js';
import type { ServiceDefinition, ServiceDependencies } from '../service.js';
import type { Running } from '../running.js';
import { startTelemetry } from '../telemetry/tracing.js';
import { onStatus } from '../transport/on-status.js';
import type { TransportDependencies } from '../transport/jetstream-strategy.js';
import { databaseIdentity, DatabaseWatch } from './database-watch.js';
import { endProcess } from './end-process.js';
import { buildDependencies, type Connections, type ServiceConnections } from './dependencies.js';
import { HealthProbe } from './health-probe.js';
import { requireSessions } from '../persistence/session-pooling.js';
import { openDatabasePatiently, ownDatabases, type Databases } from './open-database.js';
import { ownNats, type NatsConnections } from './shared-nats.js';
import { describeService } from './self-description.js';
import { startModule } from './start-module.js';
import { StopList } from './stop-list.js';

/** Parts that a caller may bring along. */
export interface StartOverrides {
  readonly log?: Logger;
  readonly metrics?: Metrics;
  /** Connections that services of one process share; by default each service has its own. */
  readonly databases?: Databases;
  readonly nats?: NatsConnections;
  /** Time to wait for NATS and Postgres at the start, ms; default 60 000. */
  readonly patienceMs?: number;
  /** Sources of settings that do not come from the environment of the operator. */
  readonly settingSources?: Readonly<Record<string, SettingSource>>;
  /** Replaces parts of what the service is handed, for specs. */
  readonly deps?: Partial<ServiceDependencies>;
  /** Subjects that the service must answer; default: all that the contracts publish for its contexts. */
  readonly declared?: TransportDependencies['declared'];
}

/** A service that takes work. */
export interface StartedService<C extends BaseConfig = BaseConfig> extends Running {
  readonly name: string;
  readonly deps: ServiceDependencies<C>;
  readiness(): Readiness;
}

const PATIENCE_MS = 60_000;
const ELECTION_PAUSE_MS = 500;
/** Time for a part of the service to end, beyond the drain time, ms. */
const END_GRACE_MS = 5000;
/** Longer than any batch thinks between two statements; shorter than whoever takes over wants to wait for the rows of one that stands still. */
const IDLE_IN_TRANSACTION_MS = 20_000;
const APP_NAME_PREFIX = 'continuo-';
/**
 * Connections of all projections of a service: more at once would only wait for processors, and each costs Postgres some megabytes. One carries the leases, and whoever puts new tables in
 * place holds one while it needs another, one at a time.
 */
const PROJECTION_CONNECTIONS = Math.max(8, 2 * availableParallelism());
/** A start that takes longer than this says why, ms. */
const LONG_MS = 1000;

/**
 * Starts one service: settings, log, NATS, Postgres, streams, migrations, projections, handlers, and work in the background. Several services
 * can be started in one process; they share nothing but connections that the caller brings along. `stop()` ends everything in reverse order and may be called twice.
 * @throws Error with a sentence for the operator when something needed is absent, too old or misconfigured; nothing is left running then.
 */
export const startService = async <C extends BaseConfig>(
  definition: ServiceDefinition<C>,
  env: Environment,
  overrides: StartOverrides = {},
): Promise<StartedService<C>> => {
  const startedAt = performance.now();
  const config = parseConfig(definition.config, env);
  const log = overrides.log ?? createLogger(definition.name, config.LOG_LEVEL);
  const stops = new StopList(log, config.DRAIN_GRACE_MS + config.DRAIN_TIMEOUT_MS + END_GRACE_MS);
  try {
    const around = await connectAll(definition, config, { log, stops, overrides });
    await whileLogIsAway(around.log, overrides.patienceMs ?? PATIENCE_MS, () => prepareStores(around));
    await whileLogIsAway(around.log, overrides.patienceMs ?? PATIENCE_MS, () => around.logWatch.begin());
    around.logWatch.keepOn();
    const identity = await databaseIdentity(around.db);
    queueGauges(around.metrics.registry, { manager: around.manager, streams: streamsOf(definition) });
    const deps: ServiceDependencies<C> = {
      ...buildDependencies(around),
      ...(overrides.deps as Partial<ServiceDependencies<C>> | undefined),
    };
    const projections = await startOwnProjections(around, deps, { stops, databases: overrides.databases });
    const providers = await startModule(
      around,
      { ...deps, ...(projections && { projectionDb: projections.db }) },
      stops,
      overrides.declared,
    );
    const database = DatabaseWatch.over({ db: around.db, log, identity });
    stops.add('watch over the database', () => database.stop());
    const probe = new HealthProbe({ ...around, database }, projections?.running, providers);
    const described = describeService({ ...around, env, sources: overrides.settingSources, readiness: () => probe.readiness() });
    stops.add('description of the service', () => described.stop());
    stops.add('grace', () => {
      for (const provider of providers) provider.onDrain?.();
      return delay(config.DRAIN_GRACE_MS);
    });
    stops.add('readiness', () => probe.stop());
    log.info({ durationMs: Math.round(performance.now() - startedAt) }, 'service ready');
    return { name: definition.name, deps, readiness: () => probe.readiness(), stop: () => stops.stop() };
  } catch (error) {
    await stops.stop();
    throw error;
  }
};

interface Start {
  readonly log: Logger;
  readonly stops: StopList;
  readonly overrides: StartOverrides;
}

const connectAll = async <C extends BaseConfig>(
  definition: ServiceDefinition<C>,
  config: C,
  { log, stops, overrides }: Start,
): Promise<ServiceConnections<C>> => {
  const patienceMs = overrides.patienceMs ?? PATIENCE_MS;
  const metrics = overrides.metrics ?? createMetrics(definition.name);
  const telemetry = await startTelemetry(definition.name, {
    endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
    sampleRatio: config.TRACE_SAMPLE_RATIO,
  });
  stops.add('telemetry', () => telemetry.stop());
  const { nats, close: closeNats } = await (overrides.nats ?? ownNats).open(definition.name, config, log, patienceMs);
  stops.add('NATS', closeNats);
  onStatus(nats, 'reconnect', () => metrics.natsReconnects.inc());
  const secrets = await whileLogIsAway(log, patienceMs, () =>
    openLiveKeyRing({ nats, settings: config, replicas: config.NATS_REPLICAS, log }),
  );
  stops.add('secrets', async () => secrets.close());
  const database = {
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    applicationName: APP_NAME_PREFIX + definition.name,
    log,
    pools: metrics.pools,
    ...historyOf(definition),
  };
  const { databases = ownDatabases } = overrides;
  const { db, close } = await databases.open({ ...database, statementTimeoutMs: config.DATABASE_STATEMENT_TIMEOUT_MS }, patienceMs);
  stops.add('database', close);
  const manager = await jetstreamManager(nats);
  const logWrites = watchLogWrites({ nats, manager, config, log, metrics });
  stops.add('watch over the event log', () => logWrites.stop());
  const logWatch = new LogWatch({ nats, manager, db, log, registry: metrics.registry }, definition.contexts);
  stops.add('watch over the log', () => logWatch.stop());
  return { definition, config, log, metrics, telemetry, nats, manager, db, secrets, logWrites, logWatch };
};

/** Services with tables remember ids and positions of one history of the database, and end when they meet another. */
const historyOf = ({ schema }: Pick<ServiceDefinition, 'schema'>) => (schema === undefined ? {} : { onOtherHistory: endProcess });

const watchLogWrites = ({
  nats,
  manager,
  config,
  log,
  metrics,
}: Pick<ServiceConnections<BaseConfig>, 'nats' | 'manager' | 'config' | 'log' | 'metrics'>): LogWrites => {
  const probe = new WriteProbe(nats, manager, config.NATS_REPLICAS);
  const { EVENT_LOG_FOLDER: folder, EVENT_LOG_KEEP_FREE_BYTES: keepFreeBytes } = config;
  const room = folder === undefined ? undefined : LogRoom.of(folder, keepFreeBytes);
  const writes = new LogWrites({ nats, probe, room, log, registry: metrics.registry });
  void writes.start();
  return writes;
};

const streamsOf = ({ contexts, jobContexts = [] }: Pick<ServiceDefinition, 'contexts' | 'jobContexts'>): string[] => [
  ...contexts.map((context) => eventStreams[context]),
  ...jobContexts.map((context) => jobStreams[context]),
];

/** NATS may be electing its leader while a service starts: that is waited for, as its absence is. */
const whileLogIsAway = <T>(log: Logger, patienceMs: number, work: () => Promise<T>): Promise<T> => {
  const onRetry = (err: unknown): void => log.warn({ err }, 'the event store is unavailable, trying again');
  return retry(work, { pauseMs: () => ELECTION_PAUSE_MS, withinMs: patienceMs, isTransient: isEventStoreUnavailable, onRetry });
};

/** Streams and tables, created or brought up to date; safe while other replicas do the same. */
const prepareStores = async <C extends BaseConfig>({ definition, config, manager, log, db }: ServiceConnections<C>): Promise<void> => {
  await refuseUnfinishedRestore(db);
  await ensureEventStreams(manager, definition.contexts, config.NATS_REPLICAS);
  await ensureJobStreams(manager, definition.jobContexts ?? [], config.NATS_REPLICAS);
  // Without a time limit: a new index on a large table takes what it takes.
  await withDatabase(config.DATABASE_URL, `${APP_NAME_PREFIX}${definition.name}-migrations`, log, async (patient) => {
    await requireSessions(patient);
    await prepareChassisTables(patient);
    if (definition.schema) await migrate(patient, definition.schema, definition.migrations ?? []);
  });
};

const withDatabase = async (
  url: string,
  applicationName: string,
  log: Logger,
  work: (db: Kysely<unknown>) => Promise<void>,
): Promise<void> => {
  const db = await openDatabasePatiently({ url, poolSize: 2, applicationName, log }, 0);
  try {
    await work(db);
  } finally {
    await db.destroy();
  }
};

/** Projections have connections of their own: a rebuild may run for minutes, and each owner holds one for its lock. */
const startOwnProjections = async <C extends BaseConfig>(
  around: ServiceConnections<C>,
  deps: ServiceDependencies<C>,
  { stops, databases = ownDatabases }: { readonly stops: StopList; readonly databases?: Databases | undefined },
): Promise<{ readonly running: RunningProjections; readonly db: Kysely<unknown> } | undefined> => {
  const { definition, config, log, metrics, nats, manager, telemetry } = around;
  const projections = definition.projections?.(deps) ?? [];
  if (projections.length === 0) return undefined;
  const applicationName = `${APP_NAME_PREFIX}${definition.name}-projections`;
  const { db, close } = await databases.open(
    {
      url: config.DATABASE_URL,
      poolSize: PROJECTION_CONNECTIONS,
      applicationName,
      log,
      pools: metrics.pools,
      ...historyOf(definition),
      idleInTransactionMs: IDLE_IN_TRANSACTION_MS,
      isPipelined: true,
    },
    PATIENCE_MS,
  );
  stops.add('database of the projections', close);
  const running = startProjections(projections, { db, nats, metrics, manager, log, tracer: telemetry.isOn ? telemetry.tracer : undefined });
  stops.add('projections', () => running.stop());
  // Whoever finds this service ready may read its views.
  await running.published();
  const waiting = setTimeout(
    () => log.info('waiting for the tables of this release; those of the one before are read and kept meanwhile'),
    LONG_MS,
  );
  await running.takenOver();
  clearTimeout(waiting);
  return { running, db };
};

export type { Connections };
