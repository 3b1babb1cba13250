import { setTimeout as delay } from 'node:timers/promises';

/** Waits, or returns early when the signal fires. */
export const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  try {
    await delay(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
};
