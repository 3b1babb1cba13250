import { retry } from '@continuo/chassis';

/** Pauses before the second, third … try, ms; a fifth of each is left to chance, so that many do not come back at the same moment. */
const PAUSES_MS = [200, 600, 1800];
const BY_CHANCE = 0.2;

/** Retry pauses and abort signal. */
export interface RetryOptions {
  readonly pausesMs?: readonly number[];
  readonly signal?: AbortSignal | undefined;
}

/** A failure that may pass by itself; `afterMs` is how long the other side asks to be left alone. */
export class TransientError extends Error {
  override readonly name = 'TransientError';
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

/** Tries something again, with growing pauses, while it fails with {@link TransientError}. @throws the last failure */
export const withRetries = <T>(attempt: () => Promise<T>, { pausesMs = PAUSES_MS, signal }: RetryOptions = {}): Promise<T> => {
  const pauseMs = (tries: number, error: unknown): number => {
    const ownMs = (pausesMs[tries - 1] ?? 0) * (1 - BY_CHANCE * Math.random());
    return Math.max(ownMs, error instanceof TransientError ? Math.min(error.afterMs, MAX_ASKED_MS) : 0);
  };
  return retry(attempt, { pauseMs, tries: pausesMs.length + 1, isTransient: (error) => error instanceof TransientError, signal });
};

/** Seconds of a `Retry-After` header as ms; 0 where it says nothing that can be used. */
export const retryAfterMs = (header: string | undefined): number => {
  const seconds = Number(header ?? '');
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 0;
};
