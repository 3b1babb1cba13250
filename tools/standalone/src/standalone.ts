import { freePort } from '@continuo/local-servers';
import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import {
  createMetrics,
  measureProcess,
  SharedDatabases,
  SharedNats,
  startService,
  type CommandClient,
  type Environment,
  type Metrics,
  type Running,
  type StartedService,
  randomToken,
} from '@continuo/chassis';
import { gatewayService } from '@continuo/gateway';
import { ingestionService } from '@continuo/ingestion';
import { libraryService } from '@continuo/library';
import { playbackService } from '@continuo/playback';
import { createSocialService, type FirstAdministrator } from '@continuo/social';
import { sonicService } from '@continuo/sonic';
import { transcodingService } from '@continuo/transcoding';
import type { Kysely } from 'kysely';
import type { ReadModel, SettingSource } from '@continuo/contracts';
import type { StandaloneOptions } from './config.js';
import { removeConnection, writeConnection } from './connection-file.js';
import { startMetricsEndpoint } from './metrics-endpoint.js';
import { introduction } from './output.js';
import { keptSecret, secretFileOf } from './secret.js';
import { startServers, type Servers } from './servers.js';

/** The whole of Continuo, running in this process but for Postgres and NATS. */
export interface Standalone {
  /** Where clients on this machine reach it. */
  readonly url: string;
  readonly port: number;
  /** Base address of metrics and health details; undefined when their port was taken. */
  readonly metricsUrl: string | undefined;
  /** The administrator, when this start made it: the only chance to show its password. */
  readonly firstAdministrator: FirstAdministrator | undefined;
  readonly commands: CommandClient;
  readonly db: Kysely<ReadModel>;
  readonly environment: Environment;
  stop(): Promise<void>;
}

/**
 * Starts servers and all six services: the same code as in a cluster, only in one place.
 * @param report receives sentences for the operator while it runs
 * @throws Error with a remedy when something cannot start; nothing is left running then
 */
export const startStandalone = async (
  options: StandaloneOptions,
  report: (message: string) => void = () => undefined,
): Promise<Standalone> => {
  await mkdir(options.dataFolder, { recursive: true, mode: 0o711 });
  const { secret, previous } =
    options.secret === undefined
      ? await keptSecret(options.dataFolder, options.environment['CONTINUO_SECRET_LOST'] === 'true')
      : { secret: options.secret };
  const servers = await startServers(options, secret, report);
  const port = options.port === 0 ? await freePort(options.host) : options.port;
  const environment: Environment = {
    ...options.environment,
    ...servers.environment,
    CONTINUO_SECRET: secret,
    OPERATOR_SECRET: randomToken(256),
    ...(previous === undefined ? {} : { CONTINUO_SECRET_PREVIOUS: previous }),
    CONTINUO_DATA: options.dataFolder,
    PORT: String(port),
    HOST: options.host,
    HEALTH_PORT: '0',
    BACKUP_FOLDER: options.environment['BACKUP_FOLDER'] ?? join(options.dataFolder, 'backups'),
    DATABASE_POOL_SIZE: options.environment['DATABASE_POOL_SIZE'] ?? String(Math.max(4, availableParallelism())),
  };
  const started: StartedService[] = [];
  let endpoint: Awaited<ReturnType<typeof startMetricsEndpoint>>;
  let administrator: FirstAdministrator | undefined;
  try {
    const settingSources = sourcesOf(options.environment, environment);
    const metrics = await startServices({ environment, settingSources }, started, (made) => {
      administrator = made;
    });
    endpoint = await startMetricsEndpoint(options, started, metrics, report);
    const metricsUrl = endpoint?.url;
    const url = `http://${options.host === '0.0.0.0' || options.host === '::' ? '127.0.0.1' : options.host}:${port}`;
    await leaveConnection(options, environment, { url, ...(metricsUrl === undefined ? {} : { metricsUrl }) });
    const [first] = started;
    if (!first) throw new Error('no service has started');
    const { commands } = first.deps;
    const db = first.deps.db as Kysely<ReadModel>;
    const stop = async (): Promise<void> => {
      await removeConnection(options.dataFolder);
      await stopAll(started, servers, endpoint);
    };
    return { url, port, metricsUrl, firstAdministrator: administrator, commands, db, environment, stop };
  } catch (error) {
    // The account stays although this start fails, and no other start will tell its password.
    if (administrator) report(introduction(administrator));
    await stopAll(started, servers, endpoint);
    throw error;
  }
};

/** Settings that the standalone sets for its services; the secret that it keeps lies in a file. */
const sourcesOf = (given: Environment, set: Environment): Record<string, SettingSource> =>
  Object.fromEntries(
    Object.keys(set)
      .filter((name) => set[name] !== given[name])
      .map((name) => [name, name.startsWith('CONTINUO_SECRET') ? 'file' : 'computed']),
  );

interface Settings {
  readonly environment: Environment;
  readonly settingSources: Readonly<Record<string, SettingSource>>;
}

const startServices = async (
  { environment, settingSources }: Settings,
  started: StartedService[],
  onFirstAdministrator: (administrator: FirstAdministrator) => void,
): Promise<Metrics> => {
  const social = createSocialService({ onFirstAdministrator });
  const shared = { databases: new SharedDatabases(), nats: new SharedNats('standalone'), settingSources };
  const behind: Promise<StartedService>[] = [
    startService(libraryService, environment, shared),
    startService(social, environment, shared),
    startService(ingestionService, environment, shared),
    startService(playbackService, environment, shared),
    startService(transcodingService, environment, shared),
    startService(sonicService, environment, shared),
  ];
  const outcomes = await Promise.allSettled(behind);
  started.push(...outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : [])));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  // The gateway comes last: when it answers, everything behind it does.
  const beside = started.map(({ deps }) => deps.metrics.registry);
  const metrics = { ...createMetrics(gatewayService.name), beside };
  measureProcess(metrics);
  started.push(await startService(gatewayService, environment, { metrics, ...shared }));
  return metrics;
};

const leaveConnection = (
  options: StandaloneOptions,
  environment: Environment,
  addresses: { readonly url: string; readonly metricsUrl?: string },
): Promise<void> =>
  writeConnection({
    version: 1,
    pid: process.pid,
    startedAtMs: Date.now(),
    ...addresses,
    dataFolder: options.dataFolder,
    artStorage: environment['ART_STORAGE'] || undefined,
    databaseUrl: environment['DATABASE_URL'] ?? '',
    natsUrl: environment['NATS_URL'] ?? '',
    ...(environment['NATS_USER'] ? { natsUser: environment['NATS_USER'], natsPassword: environment['NATS_PASSWORD'] } : {}),
    ...(options.secret ? {} : { secretFile: secretFileOf(options.dataFolder) }),
    operatorSecret: environment['OPERATOR_SECRET'],
  });

const stopAll = async (started: readonly StartedService[], servers: Servers, endpoint: Running | undefined): Promise<void> => {
  await endpoint?.stop();
  const [gateway, ...behind] = started.toReversed();
  await gateway?.stop();
  await Promise.all(behind.map((service) => service.stop()));
  await servers.stop();
};
