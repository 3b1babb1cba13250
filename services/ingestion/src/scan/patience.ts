import { setTimeout as delay } from 'node:timers/promises';

/** How often and how long to try again. */
export interface Patience {
  readonly signal: AbortSignal;
  /** Time after which the last error is passed on, ms. */
  readonly limitMs: number;
  /** Errors that no waiting will mend. */
  readonly isFinal?: (error: unknown) => boolean;
  readonly onRetry?: (error: unknown) => void;
}

const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 3000;

/** Tries until it works: a database or message server that restarts must not end a scan of hours. */
export const patiently = async <T>(work: () => Promise<T>, { signal, limitMs, isFinal, onRetry }: Patience): Promise<T> => {
  const until = performance.now() + limitMs;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (isFinal?.(error) || performance.now() + waitMs > until) throw error;
      onRetry?.(error);
    }
    await delay(waitMs * (0.5 + Math.random()), undefined, { signal });
  }
};
