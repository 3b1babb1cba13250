import { setTimeout as delay } from 'node:timers/promises';

/** Pauses before the second, third … try, ms; a fifth of each is left to chance, so that many do not come back at the same moment. */
const PAUSES_MS = [200, 600, 1800];
const BY_CHANCE = 0.2;

/** How often and how long something is tried. */
export interface Patience {
  readonly pausesMs?: readonly number[];
  readonly signal?: AbortSignal | undefined;
}

/** A failure that may pass by itself; `afterMs` is how long the other side asks to be left alone. */
export class Passing extends Error {
  override readonly name = 'Passing';
  constructor(
    message: string,
    readonly afterMs: number = 0,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The longest that is waited because the other side says so, ms. */
const MAX_ASKED_MS = 10_000;

/** Tries something again, with growing pauses, while it fails with {@link Passing}. @throws the last failure */
export const withPatience = async <T>(attempt: () => Promise<T>, { pausesMs = PAUSES_MS, signal }: Patience = {}): Promise<T> => {
  for (const pauseMs of pausesMs) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Passing)) throw error;
      const ownMs = pauseMs * (1 - BY_CHANCE * Math.random());
      await delay(Math.max(ownMs, Math.min(error.afterMs, MAX_ASKED_MS)), undefined, signal ? { signal } : {});
    }
  }
  return attempt();
};

/** Seconds of a `Retry-After` header as ms; 0 where it says nothing that can be used. */
export const askedPauseMs = (header: string | undefined): number => {
  const seconds = Number(header ?? '');
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 0;
};
