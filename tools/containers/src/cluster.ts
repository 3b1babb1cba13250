import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { GenericContainer, getContainerRuntimeClient, Network, Wait, type StartedNetwork, type StartedTestContainer } from 'testcontainers';
import { config } from './config.js';

/** Services that have an image each. */
export const serviceNames = ['gateway', 'library', 'playback', 'social', 'ingestion', 'transcoding', 'sonic'] as const;
export type ServiceName = (typeof serviceNames)[number];
/** What can be killed. */
export type Part = ServiceName | 'nats' | 'postgres';

/** Credentials that the suites preset. */
export const administrator = { name: 'operator', password: 'the password of the operator', apiKey: 'operator-key-0123456789' } as const;

const PASSWORD = 'between-the-containers';
const STARTUP_MS = 180_000;
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

/** A port of this machine that stays the same when the container starts again. */
const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('the system gave no port');
  return address.port;
};

/** NATS, Postgres and the services of one installation in containers of their own, as deploy/compose.yaml has them. */
export class Cluster {
  /** Folder of this machine with the media; `/media` in the containers. */
  readonly music: string;
  readonly #folder: string;
  readonly #network: StartedNetwork;
  readonly #port: number;
  readonly #started = new Map<string, StartedTestContainer>();

  private constructor(folder: string, network: StartedNetwork, port: number) {
    this.#folder = folder;
    this.#network = network;
    this.#port = port;
    this.music = join(folder, 'music');
  }

  /** Makes the folders and the network; nothing runs yet. */
  static async prepare(): Promise<Cluster> {
    const folder = await mkdtemp(join(tmpdir(), 'continuo-containers-'));
    await chmod(folder, 0o755);
    for (const name of ['music', 'data']) await mkdir(join(folder, name));
    // The services' account is none of this machine's.
    await chmod(join(folder, 'data'), 0o777);
    return new Cluster(folder, await new Network().start(), await freePort());
  }

  /** Starts everything, once each. */
  async start(): Promise<void> {
    await Promise.all([this.#startNats(), this.#startPostgres()]);
    await Promise.all(serviceNames.map((name) => this.startService(name)));
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Starts one more copy of a service. @param copy number of the copy, from 1 */
  async startService(name: ServiceName, copy = 1, settings: Readonly<Record<string, string>> = {}): Promise<void> {
    let container = new GenericContainer(`${config.images}${name}:${config.version}`)
      .withNetwork(this.#network)
      .withNetworkAliases(copy === 1 ? name : `${name}-${copy}`)
      .withEnvironment({ ...environment, ...settings })
      .withBindMounts([
        { source: join(this.#folder, 'data'), target: '/data', mode: 'rw' },
        { source: this.music, target: '/media', mode: 'ro' },
      ])
      .withTmpFs({ '/tmp': 'rw' })
      .withHealthCheck({ test: ['CMD', 'node', '/health.mjs'], interval: 1000, timeout: 4000, retries: 60, startPeriod: 60_000 })
      .withWaitStrategy(Wait.forHealthCheck())
      .withStartupTimeout(STARTUP_MS);
    if (name === 'gateway' && copy === 1) container = container.withExposedPorts({ container: 8080, host: this.#port });
    this.#started.set(`${name}-${copy}`, await container.start());
  }

  /** Ends a copy as an orchestrator does: SIGTERM, then time to finish. */
  async stopService(name: ServiceName, copy: number): Promise<void> {
    await this.#of(name, copy).stop({ timeout: 30_000 });
    this.#started.delete(`${name}-${copy}`);
  }

  /** kill -9 from outside, and a new start of the same container over the same data. */
  async killAndRestart(part: Part, copy = 1): Promise<void> {
    const { container } = await getContainerRuntimeClient();
    const running = container.getById(this.#of(part, copy).getId());
    await running.kill({ signal: 'SIGKILL' });
    await running.start();
  }

  /** Names of the hosts of all running copies of a service, as they call themselves. */
  hostsOf(name: ServiceName): string[] {
    return [...this.#started].filter(([key]) => key.startsWith(`${name}-`)).map(([, started]) => started.getId().slice(0, 12));
  }

  /** What a copy has logged so far. */
  async logsOf(part: Part, copy = 1): Promise<string> {
    const stream = await this.#of(part, copy).logs();
    let text = '';
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await Promise.race([once(stream, 'end'), new Promise((done) => setTimeout(done, 1000).unref())]);
    stream.destroy();
    return text;
  }

  /** Runs a program in a copy and answers what it prints. */
  async exec(part: Part, command: string[], copy = 1): Promise<string> {
    const { output, exitCode } = await this.#of(part, copy).exec(command);
    if (exitCode !== 0) throw new Error(`${command.join(' ')} ended with ${exitCode}: ${output}`);
    return output;
  }

  /** Ends and deletes everything. */
  async end(): Promise<void> {
    await Promise.all([...this.#started.values()].map((container) => container.stop({ timeout: 0 })));
    await this.#network.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  #of(part: Part, copy: number): StartedTestContainer {
    const started = this.#started.get(`${part}-${copy}`);
    if (!started) throw new Error(`there is no copy ${copy} of ${part}`);
    return started;
  }

  async #startNats(): Promise<void> {
    const container = new GenericContainer(config.nats)
      .withNetwork(this.#network)
      .withNetworkAliases('nats')
      .withEnvironment({ NATS_PASSWORD: PASSWORD })
      .withBindMounts([{ source: natsConfig, target: '/etc/nats/nats.conf', mode: 'ro' }])
      .withCommand(['--config', '/etc/nats/nats.conf'])
      .withWaitStrategy(Wait.forLogMessage(/Server is ready/))
      .withStartupTimeout(STARTUP_MS);
    this.#started.set('nats-1', await container.start());
  }

  async #startPostgres(): Promise<void> {
    const container = new GenericContainer(config.postgres)
      .withNetwork(this.#network)
      .withNetworkAliases('postgres')
      .withEnvironment({
        POSTGRES_USER: 'continuo',
        POSTGRES_DB: 'continuo',
        POSTGRES_PASSWORD: PASSWORD,
        PGDATA: '/var/lib/postgresql/data/pgdata',
        POSTGRES_INITDB_ARGS: '--encoding=UTF8 --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8',
      })
      .withHealthCheck({ test: ['CMD', 'pg_isready', '-h', '127.0.0.1', '-U', 'continuo'], interval: 1000, timeout: 3000, retries: 60 })
      .withWaitStrategy(Wait.forHealthCheck())
      .withStartupTimeout(STARTUP_MS);
    this.#started.set('postgres-1', await container.start());
  }
}
