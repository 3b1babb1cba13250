import { describe, expect, it } from 'vitest';
import { cutOf, endOfMs } from './cut.js';
import type { IndexedMessage } from './message-index.js';

async function* messages(
  ...given: readonly (readonly [timeNs: number, batch?: string, place?: number, isLast?: boolean])[]
): AsyncGenerator<IndexedMessage> {
  for (const [index, [timeNs, id, place = 1, isLast = false]] of given.entries())
    yield { position: index + 1, timeNs: BigInt(timeNs), ...(id && { batch: { id, place, isLast } }) };
}

describe('where a stream ends at a moment', () => {
  it('is behind the last message of that moment', async () => {
    expect(await cutOf(messages([10], [20], [20], [30]), 20n)).toBe(3);
    expect(await cutOf(messages([10], [20]), 99n)).toBe(2);
    expect(await cutOf(messages([10], [20]), 9n)).toBe(0);
    expect(await cutOf(messages(), 9n)).toBe(0);
  });

  it('is never within a batch', async () => {
    const batch = [[10], [20, 'a', 1], [21, 'a', 2], [22, 'a', 3, true], [30]] as const;
    expect(await cutOf(messages(...batch), 20n)).toBe(1);
    expect(await cutOf(messages(...batch), 21n)).toBe(1);
    expect(await cutOf(messages(...batch), 22n)).toBe(4);
    expect(await cutOf(messages(...batch), 30n)).toBe(5);
    expect(await cutOf(messages([10], [20, 'a', 1], [20, 'a', 2]), 30n)).toBe(1);
    expect(await cutOf(messages([20, 'a', 1], [20, 'a', 2, true], [20, 'b', 1], [25, 'b', 2, true]), 20n)).toBe(2);
  });

  it('takes a millisecond whole', () => expect(endOfMs(5)).toBe(5_999_999n));
});
