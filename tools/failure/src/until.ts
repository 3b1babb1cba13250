import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 100;

/**
 * Waits for a condition. A fault of the look itself (a server is away) counts as "not yet".
 * @throws Error that says what was waited for, with the last fault as its cause
 */
export const until = async (what: string, withinMs: number, holds: () => Promise<boolean>): Promise<void> => {
  let fault: unknown;
  for (const end = Date.now() + withinMs; Date.now() < end; await delay(POLL_MS)) {
    try {
      if (await holds()) return;
      fault = undefined;
    } catch (error) {
      fault = error;
    }
  }
  throw new Error(`not within ${Math.round(withinMs / 1000)} s: ${what}`, { cause: fault });
};

/** Repeats a look that servers which are away may fail. @throws Error with the last fault after `withinMs` */
export const retryUntil = async <T>(what: string, withinMs: number, look: () => Promise<T>): Promise<T> => {
  let found: { readonly value: T } | undefined;
  await until(what, withinMs, async () => {
    found = { value: await look() };
    return true;
  });
  if (!found) throw new Error(`nothing was found: ${what}`);
  return found.value;
};
