import type { Part } from './part.js';

interface LocalServer {
  readonly pid: number;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** Postgres or NATS as a part: each start uses the port and the data of the one before. */
export class ServerPart<S extends LocalServer> implements Part {
  readonly #start: () => Promise<S>;
  #server: S;

  constructor(
    readonly name: string,
    start: () => Promise<S>,
    server: S,
  ) {
    this.#start = start;
    this.#server = server;
  }

  get pid(): number {
    return this.#server.pid;
  }

  async kill(): Promise<void> {
    await this.#server.kill();
  }

  async revive(): Promise<void> {
    this.#server = await this.#start();
  }

  async stop(): Promise<void> {
    await this.#server.stop();
  }
}
