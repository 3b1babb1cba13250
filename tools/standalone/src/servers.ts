import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Environment } from '@continuo/chassis';
import { startNats, startPostgres, type NatsServer, type PostgresServer } from '@continuo/local-servers';
import type { StandaloneOptions } from './config.js';
import { readerLogin } from './reader-login.js';

const RESTART_DELAY_MS = 500;

/** Postgres and NATS as the services will reach them. */
export interface Servers {
  /** Connection settings for every service. */
  readonly environment: Environment;
  stop(): Promise<void>;
}

interface Supervised<S> {
  current(): S;
  stop(): Promise<void>;
}

/** Starts a server and, when it ends unasked, starts it again on the same port and data: the services reconnect by themselves. */
const supervise = async <S extends { port: number; ended: Promise<unknown>; stop(): Promise<void> }>(
  start: (port?: number) => Promise<S>,
  report: (message: string) => void,
): Promise<Supervised<S>> => {
  let stopping = false;
  let server = await start();
  const revive = async (): Promise<void> => {
    // Gives back what the dead process still holds: its pid file and its claim on the data folder.
    await server.stop();
    await delay(RESTART_DELAY_MS);
    if (!stopping) server = await start(server.port);
  };
  const watch = async (): Promise<void> => {
    for (;;) {
      await server.ended;
      if (stopping) return;
      report('A server process has ended unexpectedly; it is started again.');
      await revive().catch((error: unknown) =>
        report(`It could not be started again: ${error instanceof Error ? error.message : String(error)}`),
      );
    }
  };
  const watching = watch();
  return {
    current: () => server,
    stop: async () => {
      stopping = true;
      await server.stop();
      await Promise.allSettled([watching]);
    },
  };
};

/**
 * Brings up what is not configured to be elsewhere. @throws LocalServerError when a server does not start; nothing is left running then.
 * @param report receives sentences for the operator
 */
export const startServers = async (options: StandaloneOptions, secret: string, report: (message: string) => void): Promise<Servers> => {
  const stops: Supervised<unknown>[] = [];
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
  stops: Supervised<unknown>[],
  report: (message: string) => void,
): Promise<Environment> => {
  if (options.databaseUrl) return { DATABASE_URL: options.databaseUrl };
  const start = (port?: number): Promise<PostgresServer> =>
    startPostgres({ dataDir: join(options.dataFolder, 'postgres'), ...(port ? { port } : {}) });
  const server = await supervise(start, report);
  stops.push(server);
  const { url } = server.current();
  const password = createHmac('sha256', secret).update('database reader login').digest('hex');
  return { DATABASE_URL: url, DATABASE_READ_URL: await readerLogin(url, password) };
};

const natsServer = async (
  options: StandaloneOptions,
  stops: Supervised<unknown>[],
  report: (message: string) => void,
): Promise<Environment> => {
  if (options.natsUrl) return loginOf(options.natsUrl);
  const start = (port?: number): Promise<NatsServer> =>
    startNats({ storeDir: join(options.dataFolder, 'nats'), ...(port ? { port } : {}) });
  const server = await supervise(start, report);
  stops.push(server);
  const { server: address, login } = server.current();
  return { NATS_URL: address, NATS_USER: login?.user, NATS_PASSWORD: login?.password };
};

/** The client reads no login from a URL: it is taken out. */
const loginOf = (natsUrl: string): Environment => {
  const url = new URL(natsUrl);
  const login = url.username ? { NATS_USER: decodeURIComponent(url.username), NATS_PASSWORD: decodeURIComponent(url.password) } : {};
  return { NATS_URL: `${url.protocol}//${url.host}`, ...login };
};
