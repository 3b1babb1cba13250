import { TRANSCODE_SIGN_INTERVAL_MS, TRANSCODE_SIGN_SUBJECT, transcodeSign } from '@continuo/contracts';
import type { NatsConnection, Subscription } from '@nats-io/transport-node';

/** A worker that was silent for as long is not waited for. */
const SILENCE_MS = 2.5 * TRANSCODE_SIGN_INTERVAL_MS;

/** A worker whose bytes could not be had is not the first choice for this long: finding out again costs a listener up to the limit for a connection. */
const AVOIDED_MS = 15_000;

/** Which workers are there, by their signs of life. It only says how many answers are worth waiting for: a worker that it has not heard of is asked all the same. */
export class WorkerRoster {
  readonly #seenAtMs = new Map<string, number>();
  readonly #avoidedUntilMs = new Map<string, number>();
  readonly #now: () => number;

  /** @param now milliseconds of a clock that never goes back */
  constructor(now: () => number) {
    this.#now = now;
  }

  note(workerId: string, takes: boolean): void {
    if (takes) this.#seenAtMs.set(workerId, this.#now());
    else this.#seenAtMs.delete(workerId);
  }

  /** Notes that a worker answers but takes no connection. */
  avoid(workerId: string): void {
    this.#avoidedUntilMs.set(workerId, this.#now() + AVOIDED_MS);
  }

  /** True for a worker that lately took no connection: another one is better, if there is one. */
  isAvoided(workerId: string): boolean {
    const untilMs = this.#avoidedUntilMs.get(workerId);
    if (untilMs === undefined || this.#now() < untilMs) return untilMs !== undefined;
    this.#avoidedUntilMs.delete(workerId);
    return false;
  }

  /** The workers that were heard lately. */
  present(): readonly string[] {
    const since = this.#now() - SILENCE_MS;
    for (const [id, atMs] of this.#seenAtMs) if (atMs < since) this.#seenAtMs.delete(id);
    return [...this.#seenAtMs.keys()];
  }
}

/** Keeps the roster by what the workers say of themselves. */
export const followWorkers = (nats: NatsConnection, roster: WorkerRoster): Subscription =>
  nats.subscribe(TRANSCODE_SIGN_SUBJECT, {
    callback: (error, message) => {
      const sign = error ? undefined : transcodeSign.safeParse(jsonOf(() => message.json()));
      if (sign?.success) roster.note(sign.data.workerId, sign.data.takes);
    },
  });

/** What was sent, or undefined when it is no JSON: signs of other releases are passed over. */
export const jsonOf = (read: () => unknown): unknown => {
  try {
    return read();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};
