import { mkdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { connectNats, createLogger, NatsCommandClient, openDatabase, type CommandClient } from '@continuo/chassis';
import { startNats, startPostgres, type NatsServer, type PostgresServer } from '@continuo/local-servers';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Kysely } from 'kysely';
import { searchPath } from '../config.js';
import { until } from '../until.js';
import type { Part } from './part.js';
import { ServerPart } from './server-part.js';
import { ServiceProcess, type SelfExit } from './service-process.js';

const services = {
  'library-1': 'library',
  'library-2': 'library',
  ingestion: 'ingestion',
  'ingestion-2': 'ingestion',
  social: 'social',
  'playback-1': 'playback',
  'playback-2': 'playback',
  'transcoding-1': 'transcoding',
  'transcoding-2': 'transcoding',
  'transcoding-3': 'transcoding',
} as const;

/** Parts by name. */
export type ServiceName = keyof typeof services;
export type PartName = ServiceName | 'nats' | 'postgres';

/** Connections of the observer; they outlive every kill. */
export interface Links {
  readonly nats: NatsConnection;
  readonly commands: CommandClient;
  readonly db: Kysely<unknown>;
}

/** Real servers with durable settings and each service as a process of its own. */
export interface Cluster extends Links {
  readonly partNames: readonly PartName[];
  readonly part: (name: PartName) => Part;
  readonly selfExits: () => readonly SelfExit[];
  /** Returns when every service says that it is ready. */
  readonly ready: (withinMs: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** What to start. */
export interface ClusterOptions {
  /** Folder of all data and outputs; emptied first. */
  readonly home: string;
  readonly services: readonly ServiceName[];
  /** Further settings of all services. */
  readonly settings?: Readonly<Record<string, string>>;
}

const SECRET = 'a secret of the failure suite, long enough';
const READY_MS = 60_000;

/** Starts servers and services and waits until they take work. @throws Error when one of them does not start */
export const startCluster = async ({ home, services: wanted, settings = {} }: ClusterOptions): Promise<Cluster> => {
  await rm(home, { recursive: true, force: true });
  await mkdir(join(home, 'media'), { recursive: true });
  const started: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of started.splice(0).toReversed()) await end();
  };
  try {
    const servers = await startServers(home, started);
    const processes = await startServices(home, wanted, { ...servers, started, settings });
    const links = await openLinks(servers, started);
    const parts = new Map<string, Part>([servers.nats, servers.postgres, ...processes].map((part) => [part.name, part]));
    const ready = (withinMs: number): Promise<void> =>
      until('every service is ready', withinMs, async () => {
        const answers = await Promise.all(processes.map((process) => process.isReady()));
        return answers.every(Boolean);
      });
    await ready(READY_MS);
    return {
      ...links,
      partNames: ['nats', 'postgres', ...wanted],
      part: (name) => {
        const part = parts.get(name);
        if (!part) throw new Error(`the cluster has no part ${name}`);
        return part;
      },
      selfExits: () => processes.flatMap((process) => [...process.selfExits]),
      ready,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
};

interface Servers {
  readonly nats: ServerPart<NatsServer>;
  readonly postgres: ServerPart<PostgresServer>;
  /** As services are told them. */
  readonly addresses: Readonly<Record<'DATABASE_URL' | 'NATS_URL' | 'NATS_USER' | 'NATS_PASSWORD', string>>;
}

const startServers = async (home: string, started: (() => Promise<void>)[]): Promise<Servers> => {
  const database = await startPostgres({ dataDir: join(home, 'postgres') });
  const { url, port: databasePort } = database;
  const postgres = new ServerPart('postgres', () => startPostgres({ dataDir: join(home, 'postgres'), port: databasePort }), database);
  started.push(() => postgres.stop());
  const broker = await startNats({ storeDir: join(home, 'nats') });
  const nats = new ServerPart('nats', () => startNats({ storeDir: join(home, 'nats'), port: broker.port }), broker);
  started.push(() => nats.stop());
  const { user, password } = broker.login ?? { user: '', password: '' };
  return {
    nats,
    postgres,
    addresses: { DATABASE_URL: url, NATS_URL: `nats://${broker.server}`, NATS_USER: user, NATS_PASSWORD: password },
  };
};

const startServices = async (
  home: string,
  wanted: readonly ServiceName[],
  {
    addresses,
    started,
    settings,
  }: Servers & { readonly started: (() => Promise<void>)[]; readonly settings: Readonly<Record<string, string>> },
): Promise<ServiceProcess[]> => {
  const environment = { ...addresses, PATH: searchPath, CONTINUO_SECRET: SECRET, CONTINUO_DATA: join(home, 'media'), LOG_LEVEL: 'info' };
  const processes: ServiceProcess[] = [];
  for (const name of wanted) {
    const own = { ...environment, ...settings, TRANSCODE_CACHE: join(home, `cache of ${name}`), TRANSCODE_SLOTS: '1' };
    const spec = { name, service: services[name], environment: own, healthPort: await freePort(), outputFile: join(home, `${name}.log`) };
    const process = new ServiceProcess(spec);
    processes.push(process);
    started.push(() => process.stop());
  }
  return processes;
};

const openLinks = async ({ addresses }: Servers, started: (() => Promise<void>)[]): Promise<Links> => {
  const log = createLogger('failure', 'silent');
  const nats = await connectNats('failure', addresses, log);
  started.push(() => nats.close());
  const db = openDatabase({ url: addresses.DATABASE_URL, poolSize: 3, applicationName: 'continuo-failure', log });
  started.push(() => db.destroy());
  return { nats, db, commands: new NatsCommandClient(nats) };
};

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => (address !== null && typeof address === 'object' ? resolve(address.port) : reject(new Error('no free port'))));
    });
  });
