import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { initialiseForTest } from '@continuo/local-servers';
import { scanFolder, startStandalone, type Standalone } from '@continuo/standalone';
import type { ScanTable } from '@continuo/contracts';

/** Credentials that the journeys preset. */
export const administrator = { name: 'journey', password: 'a journey of a thousand songs', apiKey: 'journey-key-0123456789' } as const;

let dataOnceStarted: Promise<string> | undefined;

/** Data folder of a server that was started once and holds nothing but its administrator: a first start takes more than twice the processor time of any other. */
const startedData = (): Promise<string> =>
  (dataOnceStarted ??= (async () => {
    const journey = await Journey.prepareNew();
    process.once('exit', () => rmSync(journey.folder, { recursive: true, force: true }));
    await journey.start();
    await journey.stop();
    return journey.data;
  })());

/** A whole server over a throw-away data folder. */
export class Journey {
  readonly folder: string;
  #server: Standalone | undefined;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Makes the folder with the data of a server without any music, the same in every journey; {@link start} starts it. */
  static async prepare(): Promise<Journey> {
    const journey = await Journey.prepareEmpty();
    await promisify(execFile)('cp', ['-a', await startedData(), journey.data]);
    return journey;
  }

  /** Makes the folder with an empty database cluster in it, for a server with an identity of its own. */
  static async prepareNew(): Promise<Journey> {
    const journey = await Journey.prepareEmpty();
    await mkdir(journey.data, { mode: 0o711 });
    await initialiseForTest(join(journey.data, 'postgres'));
    return journey;
  }

  /** Makes the folder; the first {@link start} makes everything that it needs in it. */
  static async prepareEmpty(): Promise<Journey> {
    return new Journey(await mkdtemp(join(await realpath(tmpdir()), 'continuo-e2e-')));
  }

  /** Where the journey's music goes; the server's own data lie beside it. */
  get music(): string {
    return join(this.folder, 'music');
  }

  /** The server's own data. */
  get data(): string {
    return join(this.folder, 'data');
  }

  get server(): Standalone {
    if (!this.#server) throw new Error('the server has not been started');
    return this.#server;
  }

  /** Starts the server, or starts it again over the same data. `settings` are further environment variables, undefined for those that are not to be set; without a `secret` the folder's is used, without a `port` any. */
  async start(settings: Readonly<Record<string, string | undefined>> = {}, secret?: string, port = 0): Promise<void> {
    const environment = {
      CONTINUO_ADMIN_USER: administrator.name,
      CONTINUO_ADMIN_PASSWORD: administrator.password,
      CONTINUO_ADMIN_API_KEY: administrator.apiKey,
      LOG_LEVEL: 'error',
      ...settings,
    };
    const places = { dataFolder: this.data, host: '127.0.0.1', port, databaseUrl: settings['DATABASE_URL'] };
    this.#server = await startStandalone({ ...places, environment, secret });
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
    this.#server = undefined;
  }

  /** Stops the server and deletes everything. */
  async end(): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Scans the music folder to the end and answers how the scan went. */
  async scan(): Promise<ScanTable> {
    for await (const { scan, done } of scanFolder(this.server, this.music)) if (done) return scan;
    throw new Error('the scan did not end');
  }

  /** A request to the server. `query` values are encoded. */
  request(path: string, query: Record<string, string> = {}, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.server.url}${path}?${new URLSearchParams(query).toString()}`, init);
  }

  /** The metrics of all services, as Prometheus text. */
  async metrics(): Promise<string> {
    return (await fetch(`${this.server.metricsUrl}/metrics`)).text();
  }

  /** A JSON answer, whatever its status. */
  async json<T>(path: string, query: Record<string, string> = {}, init: RequestInit = {}): Promise<T> {
    return (await (await this.request(path, query, init)).json()) as T;
  }
}
