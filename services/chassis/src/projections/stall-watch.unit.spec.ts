import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { watchForStall } from './stall-watch.js';

let end: () => void = () => undefined;
afterEach(() => end());

interface Reader {
  readonly arrived: () => number;
  readonly isWorking?: boolean;
  readonly last: number;
}

const watched = (reader: Reader): (() => number) => {
  let stalls = 0;
  end = watchForStall(
    {
      arrived: reader.arrived,
      isWorking: () => reader.isWorking ?? false,
      isAwaited: () => false,
      lastPosition: () => Promise.resolve(reader.last),
      onStall: () => {
        stalls += 1;
      },
    },
    5,
  );
  return () => stalls;
};

describe('a watch over a reader', () => {
  it('calls out when the stream has more and nothing arrives', async () => {
    const stalls = watched({ arrived: () => 3, last: 4 });
    await delay(60);
    expect(stalls()).toBeGreaterThan(0);
  });

  it('is silent at the end of the stream, while events arrive, and while they are worked on', async () => {
    for (const reader of [
      { arrived: () => 4, last: 4 },
      { arrived: () => performance.now(), last: Number.MAX_SAFE_INTEGER },
      { arrived: () => 3, isWorking: true, last: 4 },
    ]) {
      const stalls = watched(reader);
      await delay(40);
      end();
      expect(stalls()).toBe(0);
    }
  });

  it('asks less often when nothing has happened for long, and as often as before when something arrives or somebody waits', async () => {
    let asked = 0;
    let arrived = 4;
    let isAwaited = false;
    const lastPosition = (): Promise<number> => {
      asked += 1;
      return Promise.resolve(arrived);
    };
    vi.useFakeTimers();
    const reader = { arrived: () => arrived, isWorking: () => false, isAwaited: () => isAwaited, lastPosition, onStall: () => undefined };
    end = watchForStall(reader, 5);
    await vi.advanceTimersByTimeAsync(5 * 13);
    const [often] = [asked, (asked = 0)];
    await vi.advanceTimersByTimeAsync(5 * 12);
    const [rarely] = [asked, (asked = 0)];
    isAwaited = true;
    await vi.advanceTimersByTimeAsync(5 * 10);
    const [awaited] = [asked, (asked = 0)];
    isAwaited = false;
    arrived += 1;
    await vi.advanceTimersByTimeAsync(5 * 10);
    vi.useRealTimers();
    expect([often, rarely, awaited, asked]).toEqual([12, 1, 10, 9]);
  });
});
