import { describe, expect, it } from 'vitest';
import { Visits } from './visits.js';

describe('visits to a player', () => {
  it('happen one after the other, whatever comes of each', async () => {
    const visits = new Visits(1000);
    const seen: string[] = [];
    const visit = (name: string, fails = false) =>
      visits.do(async () => {
        seen.push(`${name} begins`);
        await new Promise((resolve) => setTimeout(resolve, 5));
        seen.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      });
    const outcomes = await Promise.allSettled([visit('a'), visit('b', true), visit('c')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('share a reading that has not begun, and never one that has', async () => {
    const visits = new Visits(1000);
    let count = 0;
    const read = () => visits.read('status', async () => (count += 1));
    const first = read();
    await Promise.resolve();
    await Promise.resolve();
    const changed = visits.do(async () => undefined);
    const others = [read(), read(), read()];
    await changed;
    expect(await first).toBe(1);
    expect(await Promise.all(others)).toEqual([2, 2, 2]);
    expect(await read()).toBe(3);
  });

  it('are refused when they would come too late, and what is read is read anew afterwards', async () => {
    let nowMs = 0;
    const visits = new Visits(100, () => nowMs);
    const slow = visits.do(async () => {
      nowMs += 200;
    });
    const read = () => visits.read('status', async () => 'read');
    const [told, asked] = [visits.do(async () => 'done'), read()];
    await slow;
    await expect(told).rejects.toMatchObject({ code: 'player.unreachable' });
    await expect(asked).rejects.toMatchObject({ code: 'player.unreachable' });
    expect(await read()).toBe('read');
  });
});
