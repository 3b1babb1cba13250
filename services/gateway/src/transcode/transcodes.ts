import type { Readable } from 'node:stream';
import type { TranscodeSource, TranscodeTarget } from '@continuo/contracts';
import type { ByteRange } from '../server/byte-range.js';

/** A transcode that is finished: a file like any other, with ranges. */
export interface FinishedTranscode {
  readonly state: 'finished';
  readonly mime: string;
  readonly sizeBytes: number;
  /** Strong entity tag, with its quotes. */
  readonly etag: string;
  open(range?: ByteRange): Promise<Readable>;
}

/** A transcode under way: its bytes come as they are made, and nobody knows yet how many. Destroying the stream ends the listener's interest in it. */
export interface GrowingTranscode {
  readonly state: 'growing';
  readonly mime: string;
  readonly body: Readable;
}

/** Opens transcodes on any transcoding worker with a free slot. */
export interface Transcodes {
  /**
   * Finds or begins a transcode. The same source and target always mean the same bytes: whoever asks while it is made shares it.
   * @param accountId account that listens, for operators to see; absent where it is not known
   * @throws Rejection `transcode.busy` (with the seconds to wait as its subject) when all slots of all workers are taken, `unavailable` when no worker answers,
   *   `media.not-found` when the file is gone, `transcode.failed` when ffmpeg can make nothing of it
   */
  open(source: TranscodeSource, target: TranscodeTarget, accountId?: number): Promise<FinishedTranscode | GrowingTranscode>;
  /**
   * Has a transcode made that nobody waits for yet, by a worker with a place to spare, which gives it up when somebody listens. Keeps its promise when it is
   * begun, or there already; nobody hears how it ends.
   * @throws Rejection as {@link Transcodes.open}
   */
  prepare(source: TranscodeSource, target: TranscodeTarget): Promise<void>;
}

/** Opens transcodes of media. */
export interface HasTranscodes {
  readonly transcodes: Transcodes;
}
