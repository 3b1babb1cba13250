import type { StreamEntry } from '../format/manifest.js';
import { readIndex, type IndexedMessage } from './message-index.js';

const NS_PER_MS = 1_000_000n;

/** The last position of each event stream that stays. */
export type Cut = ReadonlyMap<string, number>;

/** The last position at or before a moment, never within an atomic batch: one of which a part lies behind the moment is left out whole. */
export const cutOf = async (messages: AsyncIterable<IndexedMessage>, untilNs: bigint): Promise<number> => {
  let [whole, before] = [0, 0];
  let open: string | undefined;
  for await (const { position, timeNs, batch } of messages) {
    if (timeNs > untilNs) return whole;
    if (batch && batch.id !== open) [before, open] = [whole, batch.id];
    if (!batch) open = undefined;
    whole = batch && !batch.isLast ? before : position;
    if (batch?.isLast) open = undefined;
  }
  return whole;
};

/** The moment at which a message was taken, ns. Undefined when the stream has no such message. */
export const timeOf = async (folder: string, stream: StreamEntry, position: number): Promise<bigint | undefined> => {
  if (!stream.index) return undefined;
  for await (const message of readIndex(folder, stream.index)) if (message.position === position) return message.timeNs;
  return undefined;
};

/** The end of the given millisecond, ns. */
export const endOfMs = (ms: number): bigint => BigInt(ms + 1) * NS_PER_MS - 1n;

/** Where each event stream of a backup ends when everything after a moment is left out. */
export const cutsAt = async (folder: string, streams: readonly StreamEntry[], untilNs: bigint): Promise<Cut> => {
  const cuts = new Map<string, number>();
  for (const { name, index } of streams) if (index) cuts.set(name, await cutOf(readIndex(folder, index), untilNs));
  return cuts;
};
