import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';

/** Between the end of a round and the next, ms. */
const PAUSE_MS = 60_000;

/** Task that runs every minute. */
export interface PeriodicTask {
  round(signal: AbortSignal): Promise<void>;
}

/** Runs the rounds, one after the other, from start to end of the service. */
export class PodcastTimer implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> = Promise.resolve();

  constructor(
    private readonly rounds: readonly PeriodicTask[],
    private readonly log: Logger,
  ) {}

  /** The first round comes after a pause: a start has other things to do. */
  onApplicationBootstrap(): void {
    this.#wait();
  }

  /** Lets the visit under way end. */
  async onApplicationShutdown(): Promise<void> {
    this.#stopped.abort();
    clearTimeout(this.#timer);
    await this.#round;
  }

  #wait(): void {
    this.#timer = setTimeout(() => {
      this.#round = this.#run();
    }, PAUSE_MS);
    this.#timer.unref();
  }

  async #run(): Promise<void> {
    for (const one of this.rounds) {
      try {
        await one.round(this.#stopped.signal);
      } catch (error) {
        this.log.error({ err: error }, 'periodic podcast task failed');
      }
    }
    if (!this.#stopped.signal.aborted) this.#wait();
  }
}
