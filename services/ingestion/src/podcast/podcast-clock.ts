import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import type { PodcastSchedule } from './podcast-schedule.js';

/** Between the end of a round and the next, ms. */
const PAUSE_MS = 60_000;

/** Runs the rounds of the schedule, one after the other, from start to end of the service. */
export class PodcastClock implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> = Promise.resolve();

  /** `schedule` is absent where feeds are visited only when somebody asks. */
  constructor(
    private readonly schedule: PodcastSchedule | undefined,
    private readonly log: Logger,
  ) {}

  /** The first round comes after a pause: a start has other things to do. */
  onApplicationBootstrap(): void {
    if (this.schedule) this.#wait(this.schedule);
  }

  /** Lets the visit under way end. */
  async onApplicationShutdown(): Promise<void> {
    this.#stopped.abort();
    clearTimeout(this.#timer);
    await this.#round;
  }

  #wait(schedule: PodcastSchedule): void {
    this.#timer = setTimeout(() => {
      this.#round = this.#run(schedule);
    }, PAUSE_MS);
    this.#timer.unref();
  }

  async #run(schedule: PodcastSchedule): Promise<void> {
    try {
      await schedule.round(this.#stopped.signal);
    } catch (error) {
      this.log.error({ err: error }, 'a round of visits to feeds of podcasts failed');
    }
    if (!this.#stopped.signal.aborted) this.#wait(schedule);
  }
}
