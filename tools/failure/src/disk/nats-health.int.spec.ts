import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { freePort, locateNats, type ServerProcess, startServerProcess } from '@continuo/local-servers';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { unmount } from './mounted.js';
import { SmallDisk } from './small-disk.js';

const run = promisify(execFile);
const project = resolve(import.meta.dirname, '../../../..');
const script = join(project, 'deploy/nats-health.sh');
const EXPECTED = { timeout: 60_000, interval: 200 };

/** The part of nc and wget that the script asks of the image of NATS, for machines that lack them. */
const PROGRAMS = {
  nc: '#!/bin/bash\nset -e\nexec 3<>"/dev/tcp/$3/$4"\ncat >&3\ncat <&3\n',
  wget: '#!/bin/bash\nexec curl --silent --fail --max-time 3 --output /dev/null "${!#}"\n',
};

interface Server {
  readonly disk: string;
  readonly client: number;
  readonly monitor: number;
  readonly start: () => Promise<void>;
  process: ServerProcess;
}

let home: string;
let disk: SmallDisk | undefined;
let cannotMount: string | undefined;
let nats: NatsConnection | undefined;
let servers: Server[] = [];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'continuo-nats-health-'));
  await mkdir(join(home, 'bin'));
  for (const [name, text] of Object.entries(PROGRAMS)) await writeFile(join(home, 'bin', name), text, { mode: 0o755 });
  disk = await SmallDisk.mount(join(home, 'nats-0'), 48).catch((error: unknown) => {
    cannotMount = `needs to mount a tmpfs: ${String(error)}`;
    return undefined;
  });
});

afterEach(async () => {
  await nats?.close();
  for (const server of servers) await server.process.kill();
  servers = [];
  if (disk) await unmount(disk.folder);
  await rm(home, { recursive: true, force: true });
});

/** Starts as many servers, the first of them on the small disk. */
const startServers = async (count: number): Promise<void> => {
  const { path: bin } = await locateNats();
  const ports: { readonly client: number; readonly monitor: number; readonly route: number }[] = [];
  for (let index = 0; index < count; index += 1)
    ports.push({ client: await freePort(), monitor: await freePort(), route: await freePort() });
  const routes = ports.map(({ route }) => `"nats://127.0.0.1:${route}"`).join(', ');
  for (const [index, { client, monitor, route }] of ports.entries()) {
    const name = `nats-${index}`;
    const file = join(home, `${name}.conf`);
    const cluster = count > 1 ? `cluster { name: spec, listen: "127.0.0.1:${route}", routes: [${routes}] }` : '';
    await writeFile(
      file,
      `server_name: ${name}\nlisten: "127.0.0.1:${client}"\nhttp: "127.0.0.1:${monitor}"\njetstream { store_dir: "${join(home, name)}", max_file_store: 1GB, sync_interval: always }\n${cluster}\n`,
    );
    const start = (): Promise<ServerProcess> =>
      startServerProcess({ name, bin, args: ['-c', file], cwd: home, stopSignal: 'TERM', log: () => undefined });
    const server: Server = {
      disk: join(home, name),
      client,
      monitor,
      process: await start(),
      start: async () => {
        server.process = await start();
      },
    };
    servers.push(server);
  }
};

/** Asks the health check of a server. */
const isHealthy = ({ disk: store, monitor, process: { pid } }: Server): Promise<boolean> =>
  run('sh', [script, store, String(monitor), String(pid)], { env: { PATH: `${join(home, 'bin')}:/usr/bin:/bin` } }).then(
    () => true,
    () => false,
  );

const hasEnded = ({ process: { ended } }: Server): Promise<boolean> =>
  Promise.race([ended.then(() => true), new Promise<false>((answer) => setTimeout(() => answer(false), 100))]);

const answerOf = async ({ monitor }: Server): Promise<string> => (await fetch(`http://127.0.0.1:${monitor}/healthz?details=true`)).text();

const append = async (): Promise<boolean> => {
  if (!nats) return false;
  const written = jetstream(nats).publish('log.event', new Uint8Array(16 * 1024), { timeout: 1000 });
  return written.then(
    () => true,
    () => false,
  );
};

const makeStream = async (): Promise<void> => {
  nats = await connect({
    servers: servers.map(({ client }) => `127.0.0.1:${client}`),
    waitOnFirstConnect: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 100,
  });
  const manager = await jetstreamManager(nats, { checkAPI: false });
  await expect
    .poll(
      () =>
        manager.streams.add({ name: 'LOG', subjects: ['log.>'], num_replicas: servers.length }).then(
          () => true,
          () => false,
        ),
      EXPECTED,
    )
    .toBe(true);
  await expect.poll(append, EXPECTED).toBe(true);
};

it('has the same health check of NATS in compose and in the chart', async () => {
  expect(await readFile(join(project, 'helm/continuo/files/nats-health.sh'), 'utf8')).toBe(await readFile(script, 'utf8'));
});

it.for([
  { count: 1, fault: 'write error' },
  // A server of a cluster switches JetStream off.
  { count: 3, fault: 'JetStream not enabled' },
])(
  'ends one of $count servers after a write that the disk has refused, but only when there is room',
  { timeout: 240_000 },
  async ({ count, fault }, context) => {
    if (!disk) return context.skip(cannotMount);
    await startServers(count);
    await makeStream();
    const [server] = servers as [Server];
    await expect.poll(() => isHealthy(server), EXPECTED).toBe(true);
    await disk.fill();
    await expect
      .poll(async () => {
        await append();
        return answerOf(server);
      }, EXPECTED)
      .toContain(fault);
    for (let look = 0; look < 3; look += 1) expect(await isHealthy(server)).toBe(true);
    expect(await hasEnded(server)).toBe(false);
    await disk.empty();
    expect(await isHealthy(server)).toBe(false);
    await server.process.ended;
    await server.start();
    await expect.poll(append, EXPECTED).toBe(true);
    await expect.poll(() => answerOf(server), EXPECTED).toContain('"status":"ok"');
    expect(await isHealthy(server)).toBe(true);
  },
);

it('leaves a server alone whose cluster has no leader, and tells of one that is gone', { timeout: 120_000 }, async () => {
  await startServers(3);
  await makeStream();
  const [server, ...others] = servers as [Server, Server, Server];
  for (const other of others) await other.process.kill();
  await expect.poll(() => answerOf(server), EXPECTED).toContain('not established contact with a meta leader');
  expect(await isHealthy(server)).toBe(true);
  expect(await hasEnded(server)).toBe(false);
  await server.process.kill();
  expect(await isHealthy(server)).toBe(false);
});
