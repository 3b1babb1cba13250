import { doublingPauses, retry, type RetryLimits } from '@continuo/chassis';

const pausesMs = doublingPauses(100, 3000);

/** Tries until it works: a database or message server that restarts must not end a scan of hours. */
export const retryTransient = <T>(work: () => Promise<T>, limits: Omit<RetryLimits, 'pauseMs'>): Promise<T> =>
  retry(work, { ...limits, pauseMs: (tries) => pausesMs(tries) * (0.5 + Math.random()) });
