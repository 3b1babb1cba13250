import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { Rejection } from '@continuo/contracts';
import { TransientError } from './retries.js';

/** Bytes of which nothing came for so long count as broken off, ms. */
const STALL_MS = 30_000;
/** Attempts to resume an interrupted body without receiving a byte. */
const TRIES = 4;
const PAUSE_MS = 250;
/** A storage that restarts is back within this time, and a player has about as much in its buffer, ms. */
const OUTAGE_MS = 30_000;

/** Some bytes that flow, and how they are given up, also while nothing comes. */
export interface Flow {
  readonly bytes: AsyncIterator<Uint8Array, unknown, undefined>;
  readonly abort: () => void;
}

/** Options of {@link resumingBody}. */
export interface ResumingOptions {
  /** First and last byte. */
  readonly start: number;
  readonly end: number;
  /** The bytes from the start on. */
  readonly first: Flow;
  /** Opens the rest from a byte on. An error ends the body, as when the file is another one now; one that may pass does after half a minute. */
  readonly again: (start: number) => Promise<Flow>;
  /** Time without a byte after which the body counts as interrupted, ms. */
  readonly stallMs?: number;
}

class Stalled extends Error {
  override readonly name = 'Stalled';
}

/** Asks for the next piece, but not for ever. Only reading counts: a listener who pauses does not make the storage slow. */
const nextOf = async ({ bytes }: Flow, stallMs: number): Promise<IteratorResult<Uint8Array, unknown>> => {
  const watch = new AbortController();
  const late = delay(stallMs, undefined, { signal: watch.signal, ref: false }).then(
    () => {
      throw new Stalled(`nothing came for ${stallMs} ms`);
    },
    () => new Promise<never>(() => undefined),
  );
  try {
    return await Promise.race([bytes.next(), late]);
  } finally {
    watch.abort();
  }
};

const mayPass = (error: unknown): boolean => error instanceof Rejection && error.cause instanceof TransientError;

/** Opens the rest of a body, also while the storage is away for a while. */
const reopen = async (again: ResumingOptions['again'], at: number): Promise<Flow> => {
  const untilMs = performance.now() + OUTAGE_MS;
  for (;;) {
    try {
      return await again(at);
    } catch (error) {
      if (!mayPass(error) || performance.now() > untilMs) throw error;
      await delay(PAUSE_MS, undefined, { ref: false });
    }
  }
};

async function* resuming({ start, end, first, again, stallMs = STALL_MS }: ResumingOptions): AsyncGenerator<Uint8Array, void, undefined> {
  let flow = first;
  let at = start;
  let failures = 0;
  try {
    while (at <= end) {
      const failed = await nextOf(flow, stallMs).then(
        (result) => (result.done ? new Error('the answer ended early') : result.value),
        (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
      );
      if (!(failed instanceof Error)) {
        failures = 0;
        const piece = failed.byteLength > end - at + 1 ? failed.subarray(0, end - at + 1) : failed;
        at += piece.byteLength;
        yield piece;
        continue;
      }
      flow.abort();
      failures += 1;
      if (failures > TRIES) throw failed;
      await delay(PAUSE_MS * failures, undefined, { ref: false });
      flow = await reopen(again, at);
    }
  } finally {
    flow.abort();
  }
}

/** A body that is taken up again where it broke off, so that a connection that is cut does not cut a song. It ends with an error when that does not help. */
export const resumingBody = (options: ResumingOptions): Readable =>
  Readable.from(resuming(options), { objectMode: false, highWaterMark: 256 * 1024 });
