import { createHmac } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultLogReserve, fileSystemRoom, LogRoom, type Environment } from '@continuo/chassis';
import { NatsRecovery, startNats, startPostgres, type NatsServer, type PostgresServer } from '@continuo/local-servers';
import type { StandaloneOptions } from './config.js';
import { readerLogin } from './reader-login.js';
import { supervise } from './supervise.js';

/** A nats-server that is started again needs some room, whatever the operator would use up. */
const RESTART_BYTES = 16 * 1024 * 1024;

/** Postgres and NATS as the services will reach them. */
export interface Servers {
  /** Connection settings for every service. */
  readonly environment: Environment;
  stop(): Promise<void>;
}

interface Stoppable {
  stop(): Promise<void>;
}

/**
 * Brings up what is not configured to be elsewhere. @throws LocalServerError when a server does not start; nothing is left running then.
 * @param report receives sentences for the operator
 */
export const startServers = async (options: StandaloneOptions, secret: string, report: (message: string) => void): Promise<Servers> => {
  const stops: Stoppable[] = [];
  const stop = async (): Promise<void> => {
    for (const server of stops.splice(0).toReversed()) await server.stop();
  };
  try {
    const [database, nats] = await Promise.all([postgres(options, secret, stops, report), natsServer(options, stops, report)]);
    return { environment: { ...database, ...nats }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

const postgres = async (
  options: StandaloneOptions,
  secret: string,
  stops: Stoppable[],
  report: (message: string) => void,
): Promise<Environment> => {
  if (options.databaseUrl) return { DATABASE_URL: options.databaseUrl };
  const start = (port?: number): Promise<PostgresServer> =>
    startPostgres({ dataDir: join(options.dataFolder, 'postgres'), unixSocket: true, ...(port ? { port } : {}) });
  const server = await supervise(start, report);
  stops.push(server);
  const { url } = server.current();
  const password = createHmac('sha256', secret).update('database reader login').digest('hex');
  return { DATABASE_URL: url, DATABASE_READ_URL: await readerLogin(url, password) };
};

const natsServer = async (options: StandaloneOptions, stops: Stoppable[], report: (message: string) => void): Promise<Environment> => {
  if (options.natsUrl) return loginOf(options.natsUrl);
  const storeDir = join(options.dataFolder, 'nats');
  await mkdir(storeDir, { recursive: true, mode: 0o700 });
  const keepFreeBytes = options.logKeepFreeBytes;
  const room = new LogRoom(storeDir, keepFreeBytes === undefined ? undefined : Math.max(keepFreeBytes, RESTART_BYTES));
  const start = async (port?: number): Promise<NatsServer> => {
    const { totalBytes } = await fileSystemRoom(storeDir);
    // Others write to this disk too: what is really free is looked at before each append (EVENT_LOG_FOLDER).
    const maxFileStoreBytes = totalBytes - (keepFreeBytes ?? defaultLogReserve(totalBytes));
    return startNats({ storeDir, maxFileStoreBytes, log: (line) => recovery.notice(line), ...(port ? { port } : {}) });
  };
  const recovery: NatsRecovery = new NatsRecovery({ room, restart: () => server.restart(), report });
  const server = await supervise(start, report);
  stops.push({
    stop: async () => {
      await recovery.stop();
      await server.stop();
    },
  });
  const { server: address, login } = server.current();
  return { NATS_URL: address, NATS_USER: login?.user, NATS_PASSWORD: login?.password, EVENT_LOG_FOLDER: storeDir };
};

/** The client reads no login from a URL: it is taken out. */
const loginOf = (natsUrl: string): Environment => {
  const url = new URL(natsUrl);
  const login = url.username ? { NATS_USER: decodeURIComponent(url.username), NATS_PASSWORD: decodeURIComponent(url.password) } : {};
  return { NATS_URL: `${url.protocol}//${url.host}`, ...login };
};
