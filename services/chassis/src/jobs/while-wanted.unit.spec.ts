import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { NotWanted, whileWanted, type WantedWork } from './while-wanted.js';

const signal = new AbortController().signal;
const limits = { everyMs: 1, signal, onFault: () => undefined, isWanted: async () => true };
const long: WantedWork<void>['work'] = (ended) => delay(60_000, undefined, { signal: ended });

describe('work that is wanted', () => {
  it('runs to its end, or to its own failure', async () => {
    expect(await whileWanted({ ...limits, work: () => delay(10, 'done') })).toBe('done');
    await expect(whileWanted({ ...limits, work: () => Promise.reject(new Error('broken')) })).rejects.toThrow('broken');
  });

  it('ends when nobody wants it any more', async () => {
    await expect(whileWanted({ ...limits, work: long, isWanted: async () => false })).rejects.toBeInstanceOf(NotWanted);
  });

  it('goes on while nobody knows whether it is wanted', async () => {
    const faults: unknown[] = [];
    const isWanted = (): Promise<boolean> => Promise.reject(new Error('away'));
    expect(await whileWanted({ ...limits, work: () => delay(20, 'done'), isWanted, onFault: (error) => faults.push(error) })).toBe('done');
    expect(faults.length).toBeGreaterThan(0);
  });

  it('ends with the signal of whoever gave it', async () => {
    const handBack = AbortSignal.abort(new Error('handed back'));
    await expect(whileWanted({ ...limits, work: long, signal: handBack })).rejects.toMatchObject({ name: 'AbortError' });
  });
});
