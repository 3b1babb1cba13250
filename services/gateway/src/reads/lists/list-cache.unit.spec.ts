import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IdList } from './id-list.js';
import { ListCache } from './list-cache.js';

const LONG = 100_000;
const short = (): IdList => new IdList(Int32Array.of(1, 2));
const long = (): IdList => new IdList(new Int32Array(LONG));

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

describe('kept lists', () => {
  it('are made once per version, also for those who ask at the same time', async () => {
    const cache = new ListCache(1_000_000);
    const make = vi.fn<() => Promise<IdList>>(async () => short());
    const [one, other] = await Promise.all([cache.get('a', '1', make), cache.get('a', '1', make)]);
    expect(one).toBe(other);
    expect(await cache.get('a', '1', make)).toBe(one);
    expect(await cache.get('a', '2', make)).not.toBe(one);
    expect(make).toHaveBeenCalledTimes(2);
  });
  it('are shown as they were while a long one is made anew, for ten seconds', async () => {
    const cache = new ListCache(10_000_000);
    const first = await cache.get('a', '1', async () => long());
    expect(await cache.get('a', '2', () => new Promise(() => {}))).toBe(first);
    vi.advanceTimersByTime(10_001);
    const third = await cache.get('a', '3', async () => long());
    expect(third).not.toBe(first);
    expect(await cache.get('a', '4', async () => long(), true)).not.toBe(third);
  });
  it('are made anew one after the other, with rests of four times as long as that took', async () => {
    const cache = new ListCache(10_000_000);
    const made: string[] = [];
    const makeIn = (version: string, ms: number) => async (): Promise<IdList> => {
      made.push(version);
      await Promise.resolve();
      vi.advanceTimersByTime(ms);
      return long();
    };
    const ask = (version: string, ms = 0): Promise<IdList> => cache.get('a', version, makeIn(version, ms));
    await ask('1', 1000);
    await ask('2');
    vi.advanceTimersByTime(3999);
    await ask('3');
    expect(made).toEqual(['1']);
    vi.advanceTimersByTime(1);
    let finish: (list: IdList) => void = () => undefined;
    await cache.get('a', '4', () => new Promise((resolve) => (finish = resolve)));
    await ask('5');
    expect(made).toEqual(['1']);
    const fourth = long();
    finish(fourth);
    await vi.waitFor(async () => expect(await cache.get('a', '4', makeIn('4', 0))).toBe(fourth));
  });
  it('come again after a failure, which everybody who waited gets', async () => {
    const cache = new ListCache(1_000_000);
    const failing = () => Promise.reject(new Error('no database'));
    await expect(cache.get('a', '1', failing)).rejects.toThrow('no database');
    expect((await cache.get('a', '1', async () => short())).total).toBe(2);
  });
  it('tell of a failure that no caller sees', async () => {
    const heard: unknown[] = [];
    const cache = new ListCache(10_000_000, { onFailure: (error) => heard.push(error) });
    const first = await cache.get('a', '1', async () => long());
    expect(await cache.get('a', '2', () => Promise.reject(new Error('no database')))).toBe(first);
    await vi.waitFor(() => expect(heard).toEqual([new Error('no database')]), 20_000);
  });
  it('make room for each other', async () => {
    const cache = new ListCache(1000);
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) await cache.get(key, '1', async () => short());
    expect(cache.peek('a')).toBeUndefined();
    expect(cache.peek('f')?.total).toBe(2);
    await cache.get('g', '1', async () => long());
    expect(cache.peek('g')).toBeUndefined();
  });
});
