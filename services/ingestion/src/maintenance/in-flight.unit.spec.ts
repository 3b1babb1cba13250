import { expect, it } from 'vitest';
import { InFlight } from './in-flight.js';

it('does the work of a command once, also when it is asked for again while it runs or after it', async () => {
  const inFlight = new InFlight(2);
  let runs = 0;
  const work = async (): Promise<number> => (runs += 1);
  expect(await Promise.all([inFlight.run('a', work), inFlight.run('a', work)])).toEqual([1, 1]);
  expect(await inFlight.run('a', work)).toBe(1);
  expect(await inFlight.run('b', work)).toBe(2);
});

it('tries again what has failed', async () => {
  const inFlight = new InFlight(1);
  await expect(inFlight.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await inFlight.run('a', async () => 'yes')).toBe('yes');
});

it('lets no more than a number of works run at once, and all of them in the end', async () => {
  const inFlight = new InFlight(2);
  let [running, most] = [0, 0];
  const work = async (): Promise<void> => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
  };
  await Promise.all(Array.from({ length: 9 }, (_, n) => inFlight.run(String(n), work)));
  await inFlight.run('later', work);
  expect([most, running]).toEqual([2, 0]);
});
