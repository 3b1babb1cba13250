import { setTimeout as delay } from 'node:timers/promises';
import { LocalServerError } from '../error.js';
import type { ServerProcess } from './server-process.js';

/** How long a server of a test may take to start, ms. */
export interface Patience {
  readonly withinMs: number;
  readonly pauseMs: number;
}

/**
 * Waits until a server that was started answers.
 * @throws LocalServerError with its last lines when it ends before, or takes too long; it is ended then
 */
export const untilAnswering = async (
  name: string,
  child: ServerProcess,
  answers: () => Promise<boolean>,
  { withinMs, pauseMs }: Patience = { withinMs: 20_000, pauseMs: 50 },
): Promise<void> => {
  const untilMs = performance.now() + withinMs;
  while (!(await answers())) {
    const hasEnded = await Promise.race([child.ended.then(() => true), delay(pauseMs, false)]);
    if (!hasEnded && performance.now() < untilMs) continue;
    await child.kill();
    throw new LocalServerError(`${name} does not start: ${child.lastLines()}`);
  }
};

/** Whether an address answers with success. */
export const isServed = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
