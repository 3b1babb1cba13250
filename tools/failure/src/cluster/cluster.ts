import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { connectNats, createLogger, LogRoom, NatsCommandClient, openDatabase, type CommandClient } from '@continuo/chassis';
import { freePort, NatsRecovery, type NatsServer, type PostgresServer, startNats, startPostgres } from '@continuo/local-servers';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Kysely } from 'kysely';
import { searchPath } from '../config.js';
import { until } from '../until.js';
import { startNatsNodes, type NatsHost } from './nats-nodes.js';
import type { Part } from './part.js';
import { ServerPart } from './server-part.js';
import { ServiceProcess, type ServiceSpec, type UnexpectedExit } from './service-process.js';

const services = {
  'gateway-1': 'gateway',
  'gateway-2': 'gateway',
  'library-1': 'library',
  'library-2': 'library',
  ingestion: 'ingestion',
  'ingestion-2': 'ingestion',
  social: 'social',
  sonic: 'sonic',
  'playback-1': 'playback',
  'playback-2': 'playback',
  'transcoding-1': 'transcoding',
  'transcoding-2': 'transcoding',
  'transcoding-3': 'transcoding',
} as const;

/** Parts by name. */
export type ServiceName = keyof typeof services;
export type NatsNodeName = `nats-${1 | 2 | 3}`;
export type PartName = ServiceName | 'nats' | NatsNodeName | 'postgres';
/** Settings by name. */
export type Settings = Readonly<Record<string, string>>;

/** Services that a gateway needs beside `library-1` to be ready: it reads tables of all. */
export const behindGateways = ['social', 'ingestion', 'playback-1', 'transcoding-1', 'sonic'] as const satisfies readonly ServiceName[];

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
  /** `http://host:port` of a gateway. */
  readonly gatewayUrl: (name: ServiceName) => string;
  readonly addresses: Addresses;
  readonly selfExits: () => readonly UnexpectedExit[];
  /** Starts a further service, without waiting for it. */
  readonly launch: Launch;
  /** Returns when every service says that it is ready. */
  readonly ready: (withinMs: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Starts a service as a process of its own; `settings` come after those of all services. */
export type Launch = (
  spec: Pick<ServiceSpec, 'name' | 'service' | 'program'> & { readonly settings?: Settings | undefined },
) => Promise<ServiceProcess>;

/** Where the servers are, as services are told. */
export type Addresses = Readonly<Record<'DATABASE_URL' | 'NATS_URL' | 'NATS_USER' | 'NATS_PASSWORD' | 'NATS_REPLICAS', string>>;

/** Services and settings to start. */
export interface ClusterOptions {
  /** Folder of all data and outputs; emptied first. */
  readonly home: string;
  readonly services: readonly ServiceName[];
  /** Further settings of all services. */
  readonly settings?: Settings;
  /** Folders of servers that do not lie below `home`; they must be there, or be made by the server. The one of Postgres is looked at with each start. */
  readonly folders?: { postgres?: string; readonly nats?: string };
  /** Three NATS servers with three copies of each stream, on these hosts; one server on this machine when left out. */
  readonly natsHosts?: readonly [NatsHost, NatsHost, NatsHost];
  /** Called when the servers run: what single services are told instead of the true addresses, and further settings of theirs. What it opens is closed by `onEnd`. */
  readonly detour?: (addresses: Addresses, onEnd: (end: () => Promise<void>) => void) => Promise<Partial<Record<ServiceName, Settings>>>;
}

const SECRET = 'a secret of the failure suite, long enough';
const READY_MS = 240_000;

type Ends = (() => Promise<void>)[];

/** Starts servers and services and waits until they take work. @throws Error when one of them does not start */
export const startCluster = async (options: ClusterOptions): Promise<Cluster> => {
  const { home, detour } = options;
  await rm(home, { recursive: true, force: true });
  await mkdir(join(home, 'media'), { recursive: true });
  const started: Ends = [];
  const processes: ServiceProcess[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(processes.map((process) => process.stop()));
    for (const end of started.splice(0).toReversed()) await end();
  };
  try {
    const servers = await startServers(options, started);
    const own = (await detour?.(servers.addresses, (end) => void started.push(end))) ?? {};
    const launch = launcher(options, servers.addresses, processes);
    for (const name of options.services) await launch({ name, service: services[name], settings: own[name] });
    const links = await openLinks(servers, started);
    const ready = (withinMs: number): Promise<void> => untilReady(processes, withinMs);
    await ready(READY_MS);
    return { ...links, ...outlined(servers, processes), launch, ready, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

const untilReady = (processes: readonly ServiceProcess[], withinMs: number): Promise<void> =>
  until('every service is ready', withinMs, async () => {
    const answers = await Promise.all(processes.map((process) => process.isReady()));
    return answers.every(Boolean);
  });

const outlined = (
  { nats, postgres, addresses }: Servers,
  processes: readonly ServiceProcess[],
): Omit<Cluster, keyof Links | 'launch' | 'ready' | 'stop'> => {
  const parts = new Map<string, Part>([...nats, postgres, ...processes].map((part) => [part.name, part]));
  return {
    addresses,
    partNames: [...parts.keys()] as PartName[],
    part: (name) => {
      const part = parts.get(name);
      if (!part) throw new Error(`the cluster has no part ${name}`);
      return part;
    },
    gatewayUrl: (name) => {
      const port = processes.find((process) => process.name === name)?.setting('PORT');
      if (port === undefined) throw new Error(`the cluster has no gateway ${name}`);
      return `http://127.0.0.1:${port}`;
    },
    selfExits: () => processes.flatMap((process) => [...process.selfExits]),
  };
};

interface Servers {
  readonly nats: readonly Part[];
  readonly postgres: ServerPart<PostgresServer>;
  readonly addresses: Addresses;
}

const startServers = async ({ home, folders, natsHosts }: ClusterOptions, started: Ends): Promise<Servers> => {
  const dataDir = (): string => folders?.postgres ?? join(home, 'postgres');
  const database = await startPostgres({ dataDir: dataDir() });
  const { url, port: databasePort } = database;
  const postgres = new ServerPart('postgres', () => startPostgres({ dataDir: dataDir(), port: databasePort }), database);
  started.push(() => postgres.stop());
  const storeDir = folders?.nats ?? join(home, 'nats');
  const broker = natsHosts ? await startNatsNodes(storeDir, natsHosts, started) : await startOneNats(storeDir, started);
  const { user, password, urls, nodes } = broker;
  const addresses = {
    DATABASE_URL: url,
    NATS_URL: urls.join(','),
    NATS_USER: user,
    NATS_PASSWORD: password,
    NATS_REPLICAS: String(nodes.length),
  };
  return { nats: nodes, postgres, addresses };
};

const startOneNats = async (storeDir: string, started: Ends) => {
  // As the standalone does after a write that the disk has refused.
  const restart = async (): Promise<void> => {
    await part.stop();
    await part.revive();
  };
  const recovery: NatsRecovery = new NatsRecovery({ room: new LogRoom(storeDir), restart, report: () => undefined });
  const log = (line: string): void => recovery.notice(line);
  const broker: NatsServer = await startNats({ storeDir, log });
  const part: ServerPart<NatsServer> = new ServerPart('nats', () => startNats({ storeDir, port: broker.port, log }), broker);
  started.push(async () => {
    await recovery.stop();
    await part.stop();
  });
  return { ...(broker.login ?? { user: '', password: '' }), urls: [`nats://${broker.server}`], nodes: [part] };
};

const launcher = ({ home, settings }: ClusterOptions, addresses: Addresses, processes: ServiceProcess[]): Launch => {
  const base = { ...addresses, PATH: searchPath, CONTINUO_SECRET: SECRET, CONTINUO_DATA: join(home, 'media'), LOG_LEVEL: 'info' };
  return async ({ settings: own, ...spec }) => {
    const { name, service } = spec;
    const http: Settings = service === 'gateway' ? { PORT: String(await freePort()), HOST: '127.0.0.1' } : {};
    const cache = { TRANSCODE_CACHE: join(home, `cache of ${name}`), TRANSCODE_SLOTS: '1' };
    const environment = { ...base, ...cache, ...http, ...settings, ...own };
    const process = new ServiceProcess({
      ...spec,
      environment,
      healthPort: await freePort(),
      outputFile: join(home, `${name}.log`),
    });
    processes.push(process);
    return process;
  };
};

const openLinks = async ({ addresses }: Servers, started: Ends): Promise<Links> => {
  const log = createLogger('failure', 'silent');
  const nats = await connectNats('failure', addresses, log);
  started.push(() => nats.close());
  const db = openDatabase({ url: addresses.DATABASE_URL, poolSize: 3, applicationName: 'continuo-failure', log });
  started.push(() => db.destroy());
  return { nats, db, commands: new NatsCommandClient(nats) };
};
