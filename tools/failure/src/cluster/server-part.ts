import type { Part } from './part.js';

interface LocalServer {
  readonly pid: number;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Postgres or NATS as a part: each start uses the port and the data of the one before.
 * A scenario and whoever looks after the server may both start it again: one call runs after the other, and what runs already is not started.
 */
export class ServerPart<S extends LocalServer> implements Part {
  readonly #start: () => Promise<S>;
  #server: S;
  #isUp = true;
  #turn: Promise<void> = Promise.resolve();

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

  kill(): Promise<void> {
    return this.#inTurn(async () => {
      this.#isUp = false;
      await this.#server.kill();
    });
  }

  revive(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#isUp) return;
      this.#server = await this.#start();
      this.#isUp = true;
    });
  }

  stop(): Promise<void> {
    return this.#inTurn(async () => {
      this.#isUp = false;
      await this.#server.stop();
    });
  }

  #inTurn(step: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(step);
    this.#turn = done.catch(() => undefined);
    return done;
  }
}
