import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { refreshByEvents } from './refresh.js';

type Told = (event: { readonly type: string }) => void;

const SLOW_MS = 900;

describe('what is fetched again by events', () => {
  const asked = { quick: 0, slow: 0, kept: 0 };
  let tell: Told;
  let ends: (() => void)[];
  beforeEach(() => {
    vi.useFakeTimers();
    Object.assign(asked, { quick: 0, slow: 0, kept: 0 });
    const client = new QueryClient();
    refreshByEvents(client, { subscribe: (listener) => ((tell = listener as Told), () => true) }, () => Date.now());
    const watch = (name: keyof typeof asked, queryKey: readonly string[], tookMs: number): (() => void) =>
      new QueryObserver(client, {
        queryKey,
        queryFn: async () => {
          asked[name] += 1;
          await new Promise((resolve) => setTimeout(resolve, tookMs));
          return asked[name];
        },
      }).subscribe(() => undefined);
    ends = [watch('quick', ['manage', 'quick'], 5), watch('slow', ['manage', 'slow'], SLOW_MS), watch('kept', ['playlists'], 5)];
  });
  afterEach(() => {
    for (const end of ends) end();
    vi.useRealTimers();
  });

  /** Lets time pass, during which events come a hundred times a second. */
  const scanFor = async (ms: number): Promise<void> => {
    for (let at = 0; at < ms; at += 10) {
      tell({ type: 'scan.progress' });
      await vi.advanceTimersByTimeAsync(10);
    }
  };

  it('rests ten times as long as it took; what is slow holds up nothing else', async () => {
    await scanFor(60_000);
    expect(asked.quick).toBeGreaterThanOrEqual(29);
    expect(asked.quick).toBeLessThanOrEqual(31);
    expect(asked.slow).toBeGreaterThanOrEqual(5);
    expect(asked.slow).toBeLessThanOrEqual(7);
    expect(asked.kept).toBe(1);
  });

  it('is fetched once more after the last event, also when that came during a fetch', async () => {
    await vi.advanceTimersByTimeAsync(SLOW_MS / 2);
    tell({ type: 'scan.finished' });
    await vi.advanceTimersByTimeAsync(5000);
    expect(asked.slow).toBe(1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toEqual({ quick: 2, slow: 2, kept: 1 });
  });

  it.each(['reset', 'current'])('is everything after events were missed or came too early: %s', async (type) => {
    await vi.advanceTimersByTimeAsync(60_000);
    tell({ type });
    await vi.advanceTimersByTimeAsync(2000 + SLOW_MS);
    expect(asked).toEqual({ quick: 2, slow: 2, kept: 2 });
  });
});
