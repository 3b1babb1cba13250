import { setTimeout as delay } from 'node:timers/promises';
import type { JetStreamManager } from '@nats-io/jetstream';
import { isNotFound } from '../not-found.js';
import { gapsOf, joined, sizeOf, type Gap } from './gaps.js';

/** Positions per request. */
const BATCH_POSITIONS = 1000;
const BATCH_BYTES = 4 * 1024 * 1024;
/** A copy that is a moment behind has what is missing soon. */
const LOOKS = 2;
const LOOK_PAUSE_MS = 300;
/** Of a longer gap only so many positions are asked for one by one. */
const MOST_ASKED = 50;

/** Range of positions to read, and options. */
export interface PositionRange extends Gap {
  readonly signal?: AbortSignal | undefined;
  /** Reads about so many positions a second; as many as there are when absent. */
  readonly perSecond?: number;
  /** Told after each batch. */
  readonly onProgress?: (position: number) => void;
}

/**
 * Reads every message of a range and answers the positions that the server does not give. It checks each message against its checksum when it reads it, and leaves out what does not match
 * without a word; that, and what was cut off, shows as a gap. Ends early when the signal fires.
 */
export const missingPositions = async (manager: JetStreamManager, stream: string, range: PositionRange): Promise<Gap[]> => {
  const gaps: Gap[] = [];
  const startedMs = performance.now();
  for (let next = range.from; next <= range.to && range.signal?.aborted !== true;) {
    const found = await readBatch(manager, stream, { from: next, to: range.to });
    for (const gap of found.gaps) gaps.push(...(await confirmed(manager, stream, gap)));
    next = found.end + 1;
    range.onProgress?.(found.end);
    if (range.perSecond === undefined) continue;
    const aheadMs = ((next - range.from) / range.perSecond) * 1000 - (performance.now() - startedMs);
    if (aheadMs > 0) await delay(aheadMs, undefined, { ref: false });
  }
  return joined(gaps);
};

/** One request: the gaps up to the last message that came, or up to the end when none did. */
const readBatch = async (manager: JetStreamManager, stream: string, { from, to }: Gap): Promise<{ gaps: Gap[]; end: number }> => {
  const gaps: Gap[] = [];
  let next = from;
  try {
    const batch = Math.min(BATCH_POSITIONS, to - from + 1);
    const messages = await manager.direct.getBatch(stream, { seq: from, batch, max_bytes: BATCH_BYTES, next_by_subj: '>' });
    for await (const { seq } of messages) {
      if (seq > next) gaps.push({ from: next, to: Math.min(seq - 1, to) });
      next = seq + 1;
    }
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  if (next > from) return { gaps: gaps.filter((gap) => gap.from <= to), end: Math.min(next - 1, to) };
  return { gaps: [{ from, to }], end: to };
};

/** Keeps the positions that the stream's leader misses, too. A copy that misses some, or is a moment behind, does not count. */
const confirmed = async (manager: JetStreamManager, stream: string, gap: Gap): Promise<Gap[]> => {
  const size = sizeOf([gap]);
  const asked = size <= MOST_ASKED ? Array.from({ length: size }, (_, n) => gap.from + n) : [gap.from, gap.to];
  const missing = await missingAtLeader(manager, stream, asked);
  if (missing.length === 0 && size <= MOST_ASKED) return [];
  if (missing.length === asked.length) return [gap];
  if (size <= MOST_ASKED) return gapsOf(missing);
  const middle = Math.floor((gap.from + gap.to) / 2);
  return [
    ...(await confirmed(manager, stream, { from: gap.from, to: middle })),
    ...(await confirmed(manager, stream, { from: middle + 1, to: gap.to })),
  ];
};

/** Returns the positions that the leader misses, also at a second request: one that has just been elected may still be reading. */
const missingAtLeader = async (manager: JetStreamManager, stream: string, positions: readonly number[]): Promise<readonly number[]> => {
  let missing = positions;
  for (let look = 1; look <= LOOKS && missing.length > 0; look += 1) {
    if (look > 1) await delay(LOOK_PAUSE_MS);
    const there = await Promise.all(missing.map((position) => isThere(manager, stream, position)));
    missing = missing.filter((_, index) => there[index] !== true);
  }
  return missing;
};

const isThere = async (manager: JetStreamManager, stream: string, position: number): Promise<boolean> => {
  try {
    return (await manager.streams.getMessage(stream, { seq: position })) !== null;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
};
