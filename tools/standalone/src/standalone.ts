import { mkdir } from 'node:fs/promises';
import { createMetrics, measureProcess, startService, type CommandClient, type Environment, type StartedService } from '@continuo/chassis';
import { gatewayService } from '@continuo/gateway';
import { ingestionService } from '@continuo/ingestion';
import { libraryService } from '@continuo/library';
import { playbackService } from '@continuo/playback';
import { createSocialService, type FirstAdministrator } from '@continuo/social';
import { sonicService } from '@continuo/sonic';
import { transcodingService } from '@continuo/transcoding';
import type { Kysely } from 'kysely';
import type { ReadModel } from '@continuo/contracts';
import type { StandaloneOptions } from './config.js';
import { removeConnection, writeConnection } from './connection-file.js';
import { freePort } from './free-port.js';
import { introduction } from './output.js';
import { keptSecret, secretFileOf } from './secret.js';
import { startServers, type Servers } from './servers.js';

/** The whole of Continuo, running in this process but for Postgres and NATS. */
export interface Standalone {
  /** Where clients on this machine reach it. */
  readonly url: string;
  readonly port: number;
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
  const { secret, previous } = options.secret === undefined ? await keptSecret(options.dataFolder) : { secret: options.secret };
  const servers = await startServers(options, secret, report);
  const port = options.port === 0 ? await freePort() : options.port;
  const environment: Environment = {
    ...options.environment,
    ...servers.environment,
    CONTINUO_SECRET: secret,
    ...(previous === undefined ? {} : { CONTINUO_SECRET_PREVIOUS: previous }),
    CONTINUO_DATA: options.dataFolder,
    PORT: String(port),
    HOST: options.host,
    HEALTH_PORT: '0',
    DATABASE_POOL_SIZE: options.environment['DATABASE_POOL_SIZE'] ?? '6',
  };
  const started: StartedService[] = [];
  let administrator: FirstAdministrator | undefined;
  try {
    await startServices(environment, started, (made) => {
      administrator = made;
    });
    const url = `http://${options.host === '0.0.0.0' || options.host === '::' ? '127.0.0.1' : options.host}:${port}`;
    await leaveConnection(options, environment, url);
    const [first] = started;
    if (!first) throw new Error('no service has started');
    const { commands } = first.deps;
    const db = first.deps.db as Kysely<ReadModel>;
    const stop = async (): Promise<void> => {
      await removeConnection(options.dataFolder);
      await stopAll(started, servers);
    };
    return { url, port, firstAdministrator: administrator, commands, db, environment, stop };
  } catch (error) {
    // The account stays although this start fails, and no other start will tell its password.
    if (administrator) report(introduction(administrator));
    await stopAll(started, servers);
    throw error;
  }
};

const startServices = async (
  environment: Environment,
  started: StartedService[],
  onFirstAdministrator: (administrator: FirstAdministrator) => void,
): Promise<void> => {
  const social = createSocialService({ onFirstAdministrator });
  const behind: Promise<StartedService>[] = [
    startService(libraryService, environment),
    startService(social, environment),
    startService(ingestionService, environment),
    startService(playbackService, environment),
    startService(transcodingService, environment),
    startService(sonicService, environment),
  ];
  const outcomes = await Promise.allSettled(behind);
  started.push(...outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : [])));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  // The gateway comes last: when it answers, everything behind it does.
  const beside = started.map(({ deps }) => deps.metrics.registry);
  const metrics = createMetrics(gatewayService.name);
  measureProcess(metrics);
  started.push(await startService(gatewayService, environment, { metrics: { ...metrics, beside } }));
};

const leaveConnection = (options: StandaloneOptions, environment: Environment, url: string): Promise<void> =>
  writeConnection({
    version: 1,
    pid: process.pid,
    startedAtMs: Date.now(),
    url,
    dataFolder: options.dataFolder,
    databaseUrl: environment['DATABASE_URL'] ?? '',
    natsUrl: environment['NATS_URL'] ?? '',
    ...(environment['NATS_USER'] ? { natsUser: environment['NATS_USER'], natsPassword: environment['NATS_PASSWORD'] } : {}),
    ...(options.secret ? {} : { secretFile: secretFileOf(options.dataFolder) }),
  });

const stopAll = async (started: readonly StartedService[], servers: Servers): Promise<void> => {
  const [gateway, ...behind] = started.toReversed();
  await gateway?.stop();
  await Promise.all(behind.map((service) => service.stop()));
  await servers.stop();
};
