import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@continuo/local-servers';
import { GenericContainer, getContainerRuntimeClient, Network, Wait, type StartedNetwork, type StartedTestContainer } from 'testcontainers';
import { config } from './config.js';
import { allOf, LockedContainer, UntilHealthy } from './start.js';

/** Services that have an image each. */
export const serviceNames = ['gateway', 'library', 'playback', 'social', 'ingestion', 'transcoding', 'sonic'] as const;
export type ServiceName = (typeof serviceNames)[number];
/** Part that a test can kill. */
export type Part = ServiceName | 'nats' | 'postgres';
/** Services of which several copies run all the time, so that nothing may rely on being alone. */
const copies: Readonly<Partial<Record<ServiceName, number>>> = { gateway: 2, library: 2 };

/** Credentials that the suites preset. */
export const administrator = { name: 'operator', password: 'the password of the operator', apiKey: 'operator-key-0123456789' } as const;

const PASSWORD = 'between-the-containers';
const STARTUP_MS = 300_000;
/** Says of a container whose it is, also when it never came up. */
const LABEL = 'continuo.containers';
/** As in compose and the chart: from SIGTERM to SIGKILL, and how long listeners of a worker may take to hear their songs out. */
const GRACE_S = 45;
const WORKER_GRACE_S = 90;
const workerSettings = { DRAIN_TIMEOUT_MS: '75000' };
/** One a second. */
const NETWORK_TRIES = 30;
/** The settings that compose gives, from the same file. */
const natsConfig = resolve(import.meta.dirname, '../../../deploy/nats.conf');

const environment = {
  CONTINUO_SECRET: 'a secret of containers that live for a test only',
  DATABASE_URL: `postgres://continuo:${PASSWORD}@postgres:5432/continuo`,
  NATS_URL: 'nats://nats:4222',
  NATS_USER: 'continuo',
  NATS_PASSWORD: PASSWORD,
  LOG_LEVEL: 'warn',
  // Eight containers start on whatever machine runs the tests: what was written may take longer to be read.
  READ_YOUR_WRITES_TIMEOUT_MS: '20000',
  COMMAND_TIMEOUT_MS: '20000',
  CONTINUO_ADMIN_USER: administrator.name,
  CONTINUO_ADMIN_PASSWORD: administrator.password,
  CONTINUO_ADMIN_API_KEY: administrator.apiKey,
};

/** There is no curl in the images. */
const READ_METRICS = `fetch('http://127.0.0.1:9090/metrics').then(async (answer) => process.stdout.write(await answer.text()))`;

/** NATS, Postgres and the services of one installation in containers of their own, as deploy/compose.yaml has them. */
export class Cluster {
  /** Folder of this machine with the media; `/media` in the containers. */
  readonly music: string;
  readonly #folder: string;
  readonly #network: StartedNetwork;
  readonly #ports: readonly number[];
  readonly #started = new Map<string, StartedTestContainer>();

  private constructor(folder: string, network: StartedNetwork, ports: readonly number[]) {
    this.#folder = folder;
    this.#network = network;
    this.#ports = ports;
    this.music = join(folder, 'music');
  }

  /** Makes the folders and the network; nothing runs yet. */
  static async prepare(): Promise<Cluster> {
    const folder = await mkdtemp(join(tmpdir(), 'continuo-containers-'));
    await chmod(folder, 0o755);
    for (const name of ['music', 'data']) await mkdir(join(folder, name));
    // The services' account is none of this machine's.
    await chmod(join(folder, 'data'), 0o777);
    return new Cluster(folder, await new Network().start(), await Promise.all([freePort(), freePort()]));
  }

  /** Starts everything: two gateways, two libraries, the others once. */
  async start(): Promise<void> {
    await allOf([this.#startNats(), this.#startPostgres()]);
    await allOf(
      serviceNames.flatMap((name) => Array.from({ length: copies[name] ?? 1 }, (_, index) => this.startService(name, index + 1))),
    );
  }

  /** Addresses of the gateways. */
  get urls(): readonly string[] {
    return this.#ports.map((port) => `http://127.0.0.1:${port}`);
  }

  /** Starts one more copy of a service. @param copy number of the copy, from 1 */
  async startService(name: ServiceName, copy = 1, settings: Readonly<Record<string, string>> = {}): Promise<void> {
    const healthy = new UntilHealthy();
    let container = new LockedContainer(`${config.images}${name}:${config.version}`)
      .withDroppedCapabilities('ALL')
      .withSecurityOpt('no-new-privileges:true')
      .withNetwork(this.#network)
      .withLabels({ [LABEL]: this.#network.getId() })
      .withNetworkAliases(copy === 1 ? name : `${name}-${copy}`)
      .withEnvironment({ ...environment, ...(name === 'transcoding' && workerSettings), ...settings })
      .withBindMounts([
        { source: join(this.#folder, 'data'), target: '/data', mode: 'rw' },
        { source: this.music, target: '/media', mode: 'ro' },
      ])
      .withTmpFs({ '/tmp': 'rw' })
      .withHealthCheck({ test: ['CMD', '/health.sh'], interval: 3000, timeout: 10_000, retries: 60, startPeriod: 60_000 })
      .withWaitStrategy(healthy)
      .withStartupTimeout(STARTUP_MS);
    const port = name === 'gateway' ? this.#ports[copy - 1] : undefined;
    if (port !== undefined) container = container.withExposedPorts({ container: 8080, host: port });
    const started = await container.start().catch(healthy.of(`${name}-${copy}`));
    this.#started.set(`${name}-${copy}`, started);
  }

  /** Ends a copy as an orchestrator does: SIGTERM, then time to finish. Answers how it ended: 0 when it did so by itself, 137 when it had to be killed. */
  async stopService(name: ServiceName, copy = 1): Promise<number> {
    const { container } = await getContainerRuntimeClient();
    const running = container.getById(this.#of(name, copy).getId());
    await running.stop({ t: name === 'transcoding' ? WORKER_GRACE_S : GRACE_S });
    const { State } = await running.inspect();
    await running.remove({ v: true });
    this.#started.delete(`${name}-${copy}`);
    return State.ExitCode;
  }

  /** The running copies of services. */
  get services(): readonly (readonly [name: ServiceName, copy: number])[] {
    const parts = [...this.#started.keys()].map((key) => key.split('-'));
    return parts.flatMap(([part, copy]) => serviceNames.filter((name) => name === part).map((name) => [name, Number(copy)] as const));
  }

  /** kill -9 from outside, and a new start of the same container over the same data. */
  async killAndRestart(part: Part, copy = 1): Promise<void> {
    const { container } = await getContainerRuntimeClient();
    const running = container.getById(this.#of(part, copy).getId());
    await running.kill({ signal: 'SIGKILL' });
    await running.start();
  }

  /** Resolves when a part that was killed is healthy again. */
  async untilBack(part: Part, copy = 1): Promise<void> {
    const { container } = await getContainerRuntimeClient();
    const killed = container.getById(this.#of(part, copy).getId());
    for (;;) {
      const { State } = await killed.inspect();
      if (State.Health === undefined || State.Health.Status === 'healthy') return;
      await delay(1000);
    }
  }

  /** A counter of a copy's metrics, summed up over its labels. */
  async counterOf(part: ServiceName, counter: string, copy = 1): Promise<number> {
    const metrics = await this.exec(part, ['node', '-e', READ_METRICS], copy);
    const lines = metrics.matchAll(new RegExp(`^${counter}(?:\\{[^}]*\\})? (\\d+)`, 'gm'));
    return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
  }

  /** Runs a program in a copy and answers what it prints. */
  async exec(part: Part, command: string[], copy = 1): Promise<string> {
    const { output, exitCode } = await this.#of(part, copy).exec(command);
    if (exitCode !== 0) throw new Error(`${command.join(' ')} ended with ${exitCode}: ${output}`);
    return output;
  }

  /** Ends and deletes everything, what never came up as well. */
  async end(): Promise<void> {
    const { container } = await getContainerRuntimeClient();
    const filters = { label: [`${LABEL}=${this.#network.getId()}`] };
    const left = await container.dockerode.listContainers({ all: true, filters });
    await Promise.all(left.map(({ Id }) => container.getById(Id).remove({ force: true, v: true })));
    await this.#removeNetwork();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** The engine may still count a container in for a while that it has just removed: what it counts is cut off, and the network is removed again. */
  async #removeNetwork(): Promise<void> {
    const { container } = await getContainerRuntimeClient();
    const network = container.dockerode.getNetwork(this.#network.getId());
    for (let left = NETWORK_TRIES; ; left -= 1) {
      try {
        await this.#network.stop();
        return;
      } catch (error) {
        if (left === 0) throw error;
        const { Containers = {} } = (await network.inspect()) as { Containers?: Record<string, unknown> };
        await Promise.allSettled(Object.keys(Containers).map((Container) => network.disconnect({ Container, Force: true })));
        await delay(1000);
      }
    }
  }

  #of(part: Part, copy: number): StartedTestContainer {
    const started = this.#started.get(`${part}-${copy}`);
    if (!started) throw new Error(`there is no copy ${copy} of ${part}`);
    return started;
  }

  async #startNats(): Promise<void> {
    const container = new GenericContainer(config.nats)
      .withNetwork(this.#network)
      .withLabels({ [LABEL]: this.#network.getId() })
      .withNetworkAliases('nats')
      .withEnvironment({ NATS_PASSWORD: PASSWORD, NATS_MAX_FILE_STORE: '-1' })
      .withBindMounts([{ source: natsConfig, target: '/etc/nats/nats.conf', mode: 'ro' }])
      .withCommand(['--config', '/etc/nats/nats.conf'])
      .withWaitStrategy(Wait.forLogMessage(/Server is ready/))
      .withStartupTimeout(STARTUP_MS);
    this.#started.set('nats-1', await container.start());
  }

  async #startPostgres(): Promise<void> {
    const healthy = new UntilHealthy();
    const container = new GenericContainer(config.postgres)
      .withNetwork(this.#network)
      .withLabels({ [LABEL]: this.#network.getId() })
      .withNetworkAliases('postgres')
      // Two replicas of everything take more than the hundred that it admits by itself; the same as in compose.
      .withCommand(['postgres', '-c', 'max_connections=200'])
      .withEnvironment({
        POSTGRES_USER: 'continuo',
        POSTGRES_DB: 'continuo',
        POSTGRES_PASSWORD: PASSWORD,
        PGDATA: '/var/lib/postgresql/18/docker',
        POSTGRES_INITDB_ARGS: '--encoding=UTF8 --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8',
      })
      .withHealthCheck({ test: ['CMD', 'pg_isready', '-h', '127.0.0.1', '-U', 'continuo'], interval: 3000, timeout: 10_000, retries: 60 })
      .withWaitStrategy(healthy)
      .withStartupTimeout(STARTUP_MS);
    this.#started.set('postgres-1', await container.start().catch(healthy.of('postgres')));
  }
}
