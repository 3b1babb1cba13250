import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { every, nextBeat } from './every.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('runs all work of one interval at the same moments', () => {
  const times: string[] = [];
  const ends = [every(1000, () => times.push(`a ${performance.now()}`))];
  vi.advanceTimersByTime(400);
  ends.push(every(1000, () => times.push(`b ${performance.now()}`)));
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1600);
  expect(times.map((time) => time.slice(0, 1))).toEqual(['a', 'b', 'a', 'b']);
  expect(times[0]?.slice(2)).toBe(times[1]?.slice(2));
  for (const end of ends) end();
});

it('has no timer left when all work has ended, and begins anew', () => {
  const work = vi.fn<() => void>();
  const [first, second] = [every(500, work), every(500, work)];
  first();
  first();
  vi.advanceTimersByTime(500);
  expect(work).toHaveBeenCalledTimes(1);
  second();
  expect(vi.getTimerCount()).toBe(0);
  const third = every(500, work);
  // Ended long ago: it must not end what came after it.
  second();
  vi.advanceTimersByTime(500);
  expect(work).toHaveBeenCalledTimes(2);
  third();
});

it('runs work of five and of ten seconds with one timer', () => {
  const times: string[] = [];
  const ends = [every(5000, () => times.push('5')), every(10_000, () => times.push('10'))];
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(20_000);
  expect(times).toEqual(['5', '5', '10', '5', '5', '10']);
  for (const end of ends) end();
  expect(vi.getTimerCount()).toBe(0);
});

it('neither runs work that was ended in the same moment, nor work that began in it', () => {
  const work = vi.fn<() => void>();
  const begun: (() => void)[] = [];
  const ends = [every(500, () => void (ends[1]?.(), begun.push(every(500, work)))), every(500, work)];
  vi.advanceTimersByTime(500);
  expect(work).not.toHaveBeenCalled();
  for (const end of [...ends, ...begun]) end();
});

it('runs what comes after work when that is done, or at the next beat', async () => {
  const times: string[] = [];
  const works = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ends = [every(5000, () => works[times.push('long') - 1]?.promise), every(5000, () => times.push('next'))];
  vi.advanceTimersByTime(5000);
  expect(times).toEqual(['long']);
  works[0]?.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(times).toEqual(['long', 'next']);
  times.pop();
  vi.advanceTimersByTime(5000);
  expect(times).toEqual(['long', 'long']);
  vi.advanceTimersByTime(2500);
  expect(times).toEqual(['long', 'long', 'next']);
  for (const end of ends) end();
});

it('can be waited for, until a signal ends the waiting', async () => {
  const { signal } = new AbortController();
  const waited = nextBeat(5000, signal).then(() => performance.now());
  await vi.advanceTimersByTimeAsync(6000);
  expect(await waited).toBe(5000);
  const stopping = new AbortController();
  const broken = nextBeat(5000, stopping.signal);
  stopping.abort();
  await broken;
  await nextBeat(5000, stopping.signal);
  expect(vi.getTimerCount()).toBe(0);
});

it('runs at once what a process has missed that stood still', () => {
  const work = vi.fn<() => void>();
  const end = every(10_000, work);
  vi.advanceTimersByTime(2400);
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 30_000);
  vi.advanceTimersByTime(100);
  expect(work).toHaveBeenCalledTimes(1);
  clock.mockRestore();
  end();
});
