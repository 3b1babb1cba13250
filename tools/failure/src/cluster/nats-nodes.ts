import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, locateNats, type ServerProcess, startServerProcess } from '@continuo/local-servers';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { until } from '../until.js';
import { ServerPart } from './server-part.js';

/** Where one server of the cluster runs. */
export interface NatsHost {
  /** Address that services, and the other servers, reach it under. */
  readonly address: string;
  /** Words before the program's own, for example those that enter a network namespace. The first is an absolute path. */
  readonly prefix: readonly string[];
  /** The nats-server of the next start; the one that is found when left out. */
  readonly program?: string;
}

/** Three servers on this machine. */
export const threeLocalHosts: readonly [NatsHost, NatsHost, NatsHost] = [
  { address: '127.0.0.1', prefix: [] },
  { address: '127.0.0.1', prefix: [] },
  { address: '127.0.0.1', prefix: [] },
];

interface Ports {
  readonly client: number;
  readonly route: number;
}

/** A running cluster. */
export interface NatsNodes {
  readonly user: string;
  readonly password: string;
  readonly urls: readonly string[];
  readonly nodes: readonly ServerPart<ServerProcess>[];
}

const READY_MS = 60_000;

/** Starts three servers that form one cluster, with durable settings. @throws Error when one of them does not come up */
export const startNatsNodes = async (folder: string, hosts: readonly NatsHost[], started: (() => Promise<void>)[]): Promise<NatsNodes> => {
  const { path: binary } = await locateNats();
  const [user, password] = ['continuo', randomBytes(12).toString('hex')];
  const ports: Ports[] = [];
  for (const _ of hosts) ports.push({ client: await freePort(), route: await freePort() });
  const routes = hosts.map(({ address }, index) => `nats://${address}:${ports[index]?.route}`);
  const starts = hosts.map((host, index) => async (): Promise<ServerProcess> => {
    const name = `nats-${index + 1}`;
    const file = join(folder, `${name}.conf`);
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(file, configOf({ name, host, ports: ports[index] as Ports, routes, folder, user, password }), { mode: 0o600 });
    const [bin, ...args] = [...host.prefix, host.program ?? binary, '-c', file];
    return startServerProcess({ name, bin: bin ?? binary, args, cwd: folder, stopSignal: 'TERM' });
  });
  const nodes: ServerPart<ServerProcess>[] = [];
  for (const [index, start] of starts.entries()) {
    const node = new ServerPart(`nats-${index + 1}`, start, await start());
    nodes.push(node);
    started.push(() => node.stop());
  }
  const urls = hosts.map(({ address }, index) => `nats://${address}:${ports[index]?.client}`);
  await untilElected({ user, password, urls, nodes });
  return { user, password, urls, nodes };
};

/** Streams can be made only when the servers have a leader. */
const untilElected = async ({ user, password, urls }: NatsNodes): Promise<void> => {
  const nats = await connect({
    servers: [...urls],
    user,
    pass: password,
    waitOnFirstConnect: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 100,
  });
  try {
    await until('the NATS cluster has a leader', READY_MS, async () => {
      const manager = await jetstreamManager(nats, { checkAPI: false });
      return (await manager.getAccountInfo()).streams >= 0;
    });
  } finally {
    await nats.close();
  }
};

interface NodeConfig {
  readonly name: string;
  readonly host: NatsHost;
  readonly ports: Ports;
  readonly routes: readonly string[];
  readonly folder: string;
  readonly user: string;
  readonly password: string;
}

const configOf = ({ name, host, ports, routes, folder, user, password }: NodeConfig): string => {
  const text = JSON.stringify;
  return [
    `server_name: ${name}`,
    `listen: ${text(`${host.address}:${ports.client}`)}`,
    'max_payload: 8388608',
    `log_file: ${text(join(folder, `${name}.log`))}`,
    'jetstream {',
    `  store_dir: ${text(join(folder, name))}`,
    '  sync_interval: always',
    '}',
    'cluster {',
    '  name: failure',
    `  listen: ${text(`${host.address}:${ports.route}`)}`,
    `  routes: [${routes.map((route) => text(route)).join(', ')}]`,
    '}',
    `authorization { user: ${text(user)}, password: ${text(password)} }`,
    '',
  ].join('\n');
};
