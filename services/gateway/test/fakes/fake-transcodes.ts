import { Readable } from 'node:stream';
import { transcodeMimeOf, type Rejection, type TranscodeSource, type TranscodeTarget } from '@continuo/contracts';
import type { Transcodes } from '../../src/transcode/transcodes.js';

/** Request that the fake received. */
export interface CapturedTranscode {
  readonly source: TranscodeSource;
  readonly target: TranscodeTarget;
}

/** Options of the fake. */
export interface FakeTranscodesOptions {
  /** Default: `growing` for the first request of a transcode, `finished` from then on. */
  readonly state?: 'growing' | 'finished';
  /** Bytes of the answer; default: a text that describes the request. */
  readonly bytes?: (request: CapturedTranscode) => Uint8Array;
  /** Rejection to throw instead of an answer; undefined to answer. */
  readonly refusal?: (request: CapturedTranscode) => Rejection | undefined;
}

/** Transcodes without a worker: remembers what it is asked for, and answers bytes that differ by request. */
export interface FakeTranscodes extends Transcodes {
  readonly requests: readonly CapturedTranscode[];
  /** Requests to make a transcode ahead. */
  readonly prepared: readonly CapturedTranscode[];
}

const described = ({ source, target }: CapturedTranscode): Uint8Array =>
  Buffer.from(`${source.path} as ${JSON.stringify(target)}\n`.repeat(100));

/** Bytes in pieces, as a transcode has them. */
const flowing = (bytes: Uint8Array): Readable => Readable.from([bytes.subarray(0, 16), bytes.subarray(16)], { objectMode: false });

/** Makes the fake. */
export const fakeTranscodes = ({ state, bytes = described, refusal }: FakeTranscodesOptions = {}): FakeTranscodes => {
  const requests: CapturedTranscode[] = [];
  const prepared: CapturedTranscode[] = [];
  const known = new Set<string>();
  return {
    requests,
    prepared,
    async prepare(source, target) {
      const refused = refusal?.({ source, target });
      if (refused) throw refused;
      prepared.push({ source, target });
      known.add(JSON.stringify({ source, target }));
    },
    async open(source, target) {
      const request = { source, target };
      requests.push(request);
      const refused = refusal?.(request);
      if (refused) throw refused;
      const key = JSON.stringify(request);
      const answered = state ?? (known.has(key) ? 'finished' : 'growing');
      known.add(key);
      const content = bytes(request);
      const mime = transcodeMimeOf(target);
      if (answered === 'growing') return { state: 'growing', mime, body: flowing(content) };
      const open = async (range?: { start: number; end: number }): Promise<Readable> =>
        flowing(range ? content.subarray(range.start, range.end + 1) : content);
      return { state: 'finished', mime, sizeBytes: content.length, etag: `"fake-${content.length.toString(16)}"`, open };
    },
  };
};
