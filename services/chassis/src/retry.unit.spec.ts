import { describe, expect, it } from 'vitest';
import { doublingPauses, poll, randomPauses, retry } from './retry.js';

const failing = (times: number): ((tries: number) => Promise<number>) => {
  return (tries) => (tries <= times ? Promise.reject(new Error(`failure ${tries}`)) : Promise.resolve(tries));
};
const pauseMs = (): number => 1;

describe('retry', () => {
  it('tries until the work succeeds, and tells of each pause', async () => {
    const told: unknown[] = [];
    const onRetry = (error: unknown, ms: number): number => told.push([(error as Error).message, ms]);
    expect(await retry(failing(2), { pauseMs: (tries) => tries, onRetry })).toBe(3);
    expect(told).toEqual([
      ['failure 1', 1],
      ['failure 2', 2],
    ]);
  });

  it('passes the last error on after so many tries, and when time is over', async () => {
    await expect(retry(failing(9), { pauseMs, tries: 3 })).rejects.toThrow('failure 3');
    await expect(retry(failing(9), { pauseMs: () => 50, withinMs: 20 })).rejects.toThrow('failure 1');
  });

  it('passes an error on at once that another try would meet again', async () => {
    await expect(retry(failing(9), { pauseMs, isTransient: () => false })).rejects.toThrow('failure 1');
  });

  it('ends with its signal: before a try and within a pause', async () => {
    await expect(retry(failing(0), { pauseMs, signal: AbortSignal.abort(new Error('stop')) })).rejects.toThrow('stop');
    const stopping = new AbortController();
    const tried = retry(failing(9), {
      pauseMs: () => 60_000,
      signal: stopping.signal,
      onRetry: () => setImmediate(() => stopping.abort()),
    });
    await expect(tried).rejects.toMatchObject({ name: 'AbortError' });
  });
});

it('pauses double up to the longest one', () => {
  expect([1, 2, 3, 4, 5, 2000].map(doublingPauses(100, 1000))).toEqual([100, 200, 400, 800, 1000, 1000]);
});

it('random pauses grow with the tries', () => {
  for (const tries of [1, 5]) expect(randomPauses(10)(tries)).toBeLessThan(10 * tries);
});

describe('poll', () => {
  it('asks until there is an answer', async () => {
    let asked = 0;
    expect(await poll(async () => ((asked += 1) < 3 ? undefined : asked), { everyMs: 1, withinMs: 5000 })).toBe(3);
  });

  it('asks once at least, and gives up when time is over', async () => {
    expect(await poll(async () => 1, { everyMs: 1, withinMs: 0 })).toBe(1);
    expect(await poll(async () => undefined, { everyMs: 1, withinMs: 5 })).toBeUndefined();
  });
});
