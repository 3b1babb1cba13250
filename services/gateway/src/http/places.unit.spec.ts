import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Places } from './places.js';

describe('places', () => {
  it('let no more work run at once than there are, and none is forgotten', async () => {
    const places = new Places(3);
    let running = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      running += 1;
      most = Math.max(most, running);
      await delay(1);
      running -= 1;
    };
    await Promise.all(Array.from({ length: 20 }, () => places.run(work)));
    expect([most, running]).toEqual([3, 0]);
  });

  it('are refused when the queue is full, and given back after a failure', async () => {
    const places = new Places(1, 1);
    const giveBack = await places.take();
    const waiting = places.take();
    await expect(places.take()).rejects.toMatchObject({ code: 'unavailable' });
    giveBack();
    giveBack();
    (await waiting)();
    await expect(places.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await places.run(async () => 'free')).toBe('free');
  });
});
