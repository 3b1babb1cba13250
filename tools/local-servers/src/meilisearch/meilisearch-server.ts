import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServerProcess, type ServerProcess } from '../child/server-process.js';
import { isServed, untilAnswering } from '../child/until-answering.js';
import { LocalServerError } from '../error.js';
import { freePort } from '../free-port.js';
import type { TestMeilisearch } from './test-meilisearch.js';

const KEY = 'the master key of a test';

interface FailedTasks {
  readonly results: readonly { readonly type: string; readonly error: { readonly message: string } | null }[];
}

/** A real Meilisearch on 127.0.0.1, over a folder that is thrown away. */
export class MeilisearchServer implements TestMeilisearch {
  readonly key = KEY;
  readonly url: string;
  readonly #bin: string;
  readonly #home: string;
  #process: ServerProcess | undefined;

  private constructor(bin: string, home: string, port: number) {
    this.#bin = bin;
    this.#home = home;
    this.url = `http://127.0.0.1:${port}`;
  }

  /** Starts the program at this path. @throws LocalServerError when it does not come up */
  static async start(bin: string): Promise<MeilisearchServer> {
    const home = await mkdtemp(join(tmpdir(), 'continuo-test-meilisearch-'));
    const server = new MeilisearchServer(bin, home, await freePort());
    await server.up();
    return server;
  }

  async up(): Promise<void> {
    await mkdir(this.#data, { recursive: true });
    const paths = ['--db-path', this.#data, '--dump-dir', join(this.#home, 'dumps'), '--snapshot-dir', join(this.#home, 'snapshots')];
    const args = [...paths, '--http-addr', new URL(this.url).host, '--env', 'production', '--no-analytics', '--log-level', 'WARN'];
    this.#process = await startServerProcess({
      name: 'meilisearch',
      bin: this.#bin,
      args,
      // Not an argument: those can be seen by all users of the machine.
      env: { MEILI_MASTER_KEY: KEY, HOME: this.#home },
      cwd: this.#home,
      stopSignal: 'TERM',
      removeAfterCrash: this.#home,
    });
    await untilAnswering('meilisearch', this.#process, () => isServed(`${this.url}/health`));
  }

  /** Ends it at once (SIGKILL). */
  async down(): Promise<void> {
    const process = this.#process;
    this.#process = undefined;
    await process?.kill();
    // A thread of it that is still ending may hold the port.
    await process?.ended;
  }

  async loseEverything(): Promise<void> {
    const wasUp = this.#process !== undefined;
    await this.down();
    await rm(this.#data, { recursive: true, force: true });
    if (wasUp) await this.up();
  }

  async documentsIn(index: string): Promise<number | undefined> {
    const stats = await this.#get<{ readonly numberOfDocuments: number }>(`/indexes/${index}/stats`);
    return stats?.numberOfDocuments;
  }

  /** Names of all indexes, in order. */
  async indexes(): Promise<readonly string[]> {
    const found = await this.#get<{ readonly results: readonly { readonly uid: string }[] }>('/indexes?limit=1000');
    return (found?.results ?? []).map(({ uid }) => uid).toSorted();
  }

  async refused(): Promise<readonly string[]> {
    const failed = await this.#get<FailedTasks>('/tasks?statuses=failed&limit=100');
    return (failed?.results ?? []).map(({ type, error }) => `${type}: ${error?.message ?? 'no reason given'}`);
  }

  async stop(): Promise<void> {
    await this.#process?.stop();
    await rm(this.#home, { recursive: true, force: true });
  }

  get #data(): string {
    return join(this.#home, 'data');
  }

  /** Undefined for what is not there. */
  async #get<T>(path: string): Promise<T | undefined> {
    const answer = await fetch(`${this.url}${path}`, { headers: { authorization: `Bearer ${KEY}` } });
    if (answer.status === 404) return undefined;
    if (!answer.ok) throw new LocalServerError(`Meilisearch answers ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as T;
  }
}
