import { setTimeout as delay } from 'node:timers/promises';

/** Limits and pauses of {@link retry}. */
export interface RetryLimits {
  /** Pause before the next try, ms, after so many tries (from 1) and this error; with 0 it comes at once. */
  readonly pauseMs: (tries: number, error: unknown) => number;
  /** Most tries; default: no limit. */
  readonly tries?: number;
  /** Time within which the last try begins, ms; default: no limit. */
  readonly withinMs?: number;
  /** True for an error that another try may not meet; default: for every error. */
  readonly isTransient?: (error: unknown) => boolean;
  /** Called before each pause. */
  readonly onRetry?: ((error: unknown, pauseMs: number) => void) | undefined;
  /** Ends the tries. */
  readonly signal?: AbortSignal | undefined;
}

/** Tries until it works. @throws the last error, or that of the abort */
export const retry = async <T>(attempt: (tries: number) => Promise<T>, limits: RetryLimits): Promise<T> => {
  const { pauseMs, tries = Infinity, withinMs = Infinity, isTransient, onRetry, signal } = limits;
  const until = performance.now() + withinMs;
  for (let tried = 1; ; tried += 1) {
    signal?.throwIfAborted();
    try {
      return await attempt(tried);
    } catch (error) {
      const waitMs = pauseMs(tried, error);
      if (tried >= tries || isTransient?.(error) === false || performance.now() + waitMs > until) throw error;
      onRetry?.(error, waitMs);
      if (waitMs > 0) await delay(waitMs, undefined, signal ? { signal } : {});
    }
  }
};

/** Pauses that double from the first to the longest, ms. */
export const doublingPauses =
  (firstMs: number, longestMs = Infinity) =>
  (tries: number): number =>
    Math.min(firstMs * 2 ** (tries - 1), longestMs);

/** Pauses that many who wait for the same spread out by chance: any part of `stepMs` per try. */
export const randomPauses =
  (stepMs: number) =>
  (tries: number): number =>
    Math.random() * stepMs * tries;

/** Asks again and again until there is an answer; undefined when there is none in time. */
export const poll = async <T>(
  ask: () => Promise<T | undefined>,
  { everyMs, withinMs }: { readonly everyMs: number; readonly withinMs: number },
): Promise<T | undefined> => {
  for (const until = performance.now() + withinMs; ; await delay(everyMs)) {
    const answer = await ask();
    if (answer !== undefined || performance.now() >= until) return answer;
  }
};
