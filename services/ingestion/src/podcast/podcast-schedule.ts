import { systemContext } from '@continuo/chassis';
import { Rejection, type MessageContext, type PodcastId } from '@continuo/contracts';
import type { Logger } from 'pino';

/** Dependencies of the schedule. */
export interface PodcastScheduleDependencies {
  /** Podcasts whose feed was not visited since a time (epoch ms), the longest not visited first, at most so many. */
  readonly due: (beforeMs: number, count: number) => Promise<readonly PodcastId[]>;
  readonly sync: (podcastId: PodcastId, context: MessageContext) => Promise<unknown>;
  readonly log: Logger;
  readonly now: () => number;
  /** Time between two visits to a feed, ms. */
  readonly intervalMs: number;
}

/** Feeds of one round, visited one after the other. */
const PER_ROUND = 50;
/** A feed that failed waits this long, twice as long each time, at most a day. */
const FIRST_PAUSE_MS = 10 * 60_000;
const LONGEST_PAUSE_MS = 86_400_000;
/** Failed feeds that are remembered; beyond that the oldest is tried as if it had not failed. */
const MAX_REMEMBERED = 10_000;

interface Failure {
  readonly pauseMs: number;
  readonly untilMs: number;
}

/**
 * Visits feeds whose time has come. Each replica has one; what two visit at the same moment is visited twice and recorded once. Feeds that fail wait longer each time;
 * that is known to the process alone.
 */
export class PodcastSchedule {
  readonly #failures = new Map<PodcastId, Failure>();

  constructor(private readonly deps: PodcastScheduleDependencies) {}

  /** Visits what is due until there is no more, or `signal` fires. */
  async round(signal: AbortSignal): Promise<void> {
    const { due, now, intervalMs } = this.deps;
    for (const podcastId of await due(now() - intervalMs, PER_ROUND + this.#failures.size)) {
      if (signal.aborted) return;
      if ((this.#failures.get(podcastId)?.untilMs ?? 0) <= now()) await this.#visit(podcastId);
    }
  }

  async #visit(podcastId: PodcastId): Promise<void> {
    try {
      await this.deps.sync(podcastId, systemContext());
      this.#failures.delete(podcastId);
    } catch (error) {
      this.#failed(podcastId, error);
    }
  }

  #failed(podcastId: PodcastId, error: unknown): void {
    const { log, now } = this.deps;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, (this.#failures.get(podcastId)?.pauseMs ?? FIRST_PAUSE_MS / 2) * 2);
    this.#failures.delete(podcastId);
    this.#failures.set(podcastId, { pauseMs, untilMs: now() + pauseMs });
    const [oldest] = this.#failures.keys();
    if (this.#failures.size > MAX_REMEMBERED && oldest !== undefined) this.#failures.delete(oldest);
    // A feed that is away is everyday life; anything else is ours.
    if (error instanceof Rejection) log.info({ podcastId, reason: error.message }, 'podcast feed could not be fetched');
    else log.error({ podcastId, err: error }, 'podcast feed refresh failed');
  }
}
