import { setTimeout as delay } from 'node:timers/promises';

/**
 * Lines of nats-server after which a stream (2.14 and newer), or all of JetStream (before), takes no write any more until the server is started again.
 * https://github.com/nats-io/nats-server/issues/7654
 */
const WRITES_ENDED = /no space left on device|disk quota exceeded|critical write error|will be DISABLED|disabling JetStream/i;
const LOOK_EVERY_MS = 1000;
const BETWEEN_RESTARTS_MS = 10_000;

/** Options of {@link NatsRecovery}. */
export interface NatsRecoveryOptions {
  /** The file system of the event log. */
  readonly room: { isScarce(): Promise<boolean> };
  /** Returns when nats-server runs again. */
  readonly restart: () => Promise<void>;
  /** Receives sentences for the operator. */
  readonly report: (message: string) => void;
}

/** Restarts nats-server after a write of it has failed, as soon as there is room on its disk. Costs nothing until then. */
export class NatsRecovery {
  readonly #options: NatsRecoveryOptions;
  readonly #stop = new AbortController();
  #recovering: Promise<void> | undefined;
  #restartedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: NatsRecoveryOptions) {
    this.#options = options;
  }

  /** Takes a line that nats-server has written. */
  notice(line: string): void {
    if (this.#recovering || this.#stop.signal.aborted || !WRITES_ENDED.test(line)) return;
    this.#options.report(`nats-server could not write; it is started again when there is room on its disk. It said: ${line}`);
    this.#recovering = this.#recover()
      .catch((error: unknown) => {
        if (!this.#stop.signal.aborted) this.#options.report(`nats-server could not be started again: ${String(error)}`);
      })
      .finally(() => (this.#recovering = undefined));
  }

  /** Ends the waiting. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#recovering;
  }

  async #recover(): Promise<void> {
    const { room, restart, report } = this.#options;
    const { signal } = this.#stop;
    const isTooSoon = (): boolean => performance.now() - this.#restartedAtMs < BETWEEN_RESTARTS_MS;
    while (isTooSoon() || (await room.isScarce())) await delay(LOOK_EVERY_MS, undefined, { signal });
    await restart();
    this.#restartedAtMs = performance.now();
    report('nats-server runs again and can write.');
  }
}
