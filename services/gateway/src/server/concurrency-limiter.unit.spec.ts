import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ConcurrencyLimiter } from './concurrency-limiter.js';

describe('ConcurrencyLimiter', () => {
  it('runs no more tasks at once than it has slots, and runs all of them', async () => {
    const limiter = new ConcurrencyLimiter(3);
    let running = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      running += 1;
      most = Math.max(most, running);
      await delay(1);
      running -= 1;
    };
    await Promise.all(Array.from({ length: 20 }, () => limiter.run(work)));
    expect([most, running]).toEqual([3, 0]);
  });

  it('rejects a task when the queue is full, and releases the slot of a failed task', async () => {
    const limiter = new ConcurrencyLimiter(1, 1);
    const release = await limiter.acquire();
    const waiting = limiter.acquire();
    await expect(limiter.acquire()).rejects.toMatchObject({ code: 'unavailable' });
    release();
    release();
    (await waiting)();
    await expect(limiter.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await limiter.run(async () => 'free')).toBe('free');
  });

  it('leaves room for others when one holder has its most slots', async () => {
    const limiter = new ConcurrencyLimiter(3, 2, 2);
    const [first] = await Promise.all([limiter.acquire(7), limiter.acquire(7)]);
    const third = limiter.acquire(7);
    const order: string[] = [];
    const waiting = third.then(() => order.push('third of 7'));
    const other = await limiter.acquire(8);
    const fourth = limiter.acquire(9).then(() => order.push('first of 9'));
    await expect(limiter.acquire(10)).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
    other();
    await fourth;
    first?.();
    await waiting;
    expect(order).toEqual(['first of 9', 'third of 7']);
    expect([limiter.used, limiter.queued]).toEqual([3, 0]);
  });
});
