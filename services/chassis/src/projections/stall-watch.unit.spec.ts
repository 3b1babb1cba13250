import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { watchForStall } from './stall-watch.js';

let end: () => void = () => undefined;
afterEach(() => end());

const watched = (reader: { arrived: () => number; isWorking?: boolean; last: number }): (() => number) => {
  let stalls = 0;
  end = watchForStall(
    {
      arrived: reader.arrived,
      isWorking: () => reader.isWorking ?? false,
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
});
