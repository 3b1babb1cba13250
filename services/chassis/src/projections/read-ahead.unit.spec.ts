import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readAhead } from './read-ahead.js';

/** Counts up, then waits until it is ended; notes what it has made. */
async function* numbers(made: (number | 'ended')[], { signal }: AbortController, last: number): AsyncGenerator<number> {
  try {
    for (let number = 1; number <= last; number += 1) {
      made.push(number);
      yield number;
    }
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve());
    });
  } finally {
    made.push('ended');
  }
}

describe('reading ahead', () => {
  it('has the next item made while one is worked on, where there is more', async () => {
    const made: (number | 'ended')[] = [];
    const ending = new AbortController();
    for await (const number of readAhead(numbers(made, ending, 3), ending, (item) => item < 2)) {
      await turn();
      expect(made).toEqual(number === 3 ? [1, 2, 3] : [1, 2]);
      if (number === 3) break;
    }
    expect(made).toEqual([1, 2, 3, 'ended']);
  });

  it('ends a source that waits when the work on an item fails', async () => {
    const made: (number | 'ended')[] = [];
    const ending = new AbortController();
    const work = async (): Promise<void> => {
      for await (const number of readAhead(numbers(made, ending, 1), ending, () => true)) throw new Error(`${number} was refused`);
    };
    await expect(work()).rejects.toThrow('1 was refused');
    expect(made).toEqual([1, 'ended']);
  });

  it('tells a failure of the source after what came before it', async () => {
    async function* failing(): AsyncGenerator<number> {
      await turn();
      yield 1;
      throw new Error('a gap');
    }
    const seen: number[] = [];
    const work = async (): Promise<void> => {
      for await (const number of readAhead(failing(), new AbortController(), () => true)) {
        await turn();
        seen.push(number);
      }
    };
    await expect(work()).rejects.toThrow('a gap');
    expect(seen).toEqual([1]);
  });
});
