import { expect, it } from 'vitest';
import { Slots } from './slots.js';
import { WaitEstimate } from './work/wait-estimate.js';

it('places are as many as there are, and each is given back once', () => {
  const used: number[] = [];
  const slots = new Slots(2, (n) => used.push(n));
  const [one, two] = [slots.take(), slots.take()];
  expect(slots.take()).toBeUndefined();
  one?.free();
  one?.free();
  expect(slots.free).toBe(1);
  two?.free();
  expect([slots.free, slots.total]).toEqual([2, 2]);
  expect(used).toEqual([1, 2, 1, 0]);
});

it('the time to wait follows what transcodes take, within bounds', () => {
  const waits = new WaitEstimate();
  const begunMs = (agoMs: number) => [{ startedAtMs: performance.now() - agoMs }];
  expect(waits.seconds(begunMs(0))).toBe(5);
  expect(waits.seconds(begunMs(3100))).toBe(2);
  expect(waits.seconds(begunMs(60_000))).toBe(1);
  for (let n = 0; n < 50; n += 1) waits.note(600_000);
  expect(waits.seconds(begunMs(0))).toBe(30);
});
