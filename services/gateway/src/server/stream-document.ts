import type { Readable } from 'node:stream';
import { streamParts, type KeepWhole, type Part } from '../render/index.js';
import type { Holder, ConcurrencyLimiter } from './concurrency-limiter.js';

/** A client that reads nothing for so long is disconnected: it is gone, or keeps a slot that others wait for. */
const STALLED_AFTER_MS = 60_000;

/** Holder of a long answer, and the limiter of such answers. */
export interface DocumentStreams {
  readonly limiter: ConcurrencyLimiter;
  readonly holder: Holder;
}

/**
 * Streams a long document; holds a slot of the long answers until the stream closes.
 * @throws ServerBusy when all slots and the queue are full; errors of the first parts
 */
export const streamDocument = async (
  parts: readonly Part[],
  { limiter, holder }: DocumentStreams,
  whole?: KeepWhole,
): Promise<Readable> => {
  const release = await limiter.acquire(holder);
  try {
    let stalled: NodeJS.Timeout | undefined;
    const stream = await streamParts(parts, () => stalled?.refresh(), whole);
    stalled = setTimeout(() => stream.destroy(new Error('the client takes nothing of its answer')), STALLED_AFTER_MS);
    return stream.once('close', () => {
      clearTimeout(stalled);
      release();
    });
  } catch (error) {
    release();
    throw error;
  }
};
