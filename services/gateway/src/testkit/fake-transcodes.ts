import { Readable } from 'node:stream';
import { transcodeMimeOf, type Rejection, type TranscodeSource, type TranscodeTarget } from '@continuo/contracts';
import type { Transcodes } from '../transcode/transcodes.js';

/** What somebody asked the fake for. */
export interface TranscodeRequest {
  readonly source: TranscodeSource;
  readonly target: TranscodeTarget;
}

/** How the fake answers. */
export interface FakeTranscodesOptions {
  /** Default: `growing` when a wish is uttered for the first time, `finished` from then on. */
  readonly state?: 'growing' | 'finished';
  /** What is answered; default: a text that says what was asked for. */
  readonly bytes?: (request: TranscodeRequest) => Uint8Array;
  /** Thrown in place of an answer when it is something. */
  readonly refusal?: (request: TranscodeRequest) => Rejection | undefined;
}

/** Transcodes without a worker: remembers what it is asked for, and answers bytes that tell the wishes apart. */
export interface FakeTranscodes extends Transcodes {
  readonly requests: readonly TranscodeRequest[];
  /** What was to be made ahead. */
  readonly prepared: readonly TranscodeRequest[];
}

const described = ({ source, target }: TranscodeRequest): Uint8Array =>
  Buffer.from(`${source.path} as ${JSON.stringify(target)}\n`.repeat(100));

/** Bytes in pieces, as a transcode has them. */
const flowing = (bytes: Uint8Array): Readable => Readable.from([bytes.subarray(0, 16), bytes.subarray(16)], { objectMode: false });

/** Makes the fake. */
export const fakeTranscodes = ({ state, bytes = described, refusal }: FakeTranscodesOptions = {}): FakeTranscodes => {
  const requests: TranscodeRequest[] = [];
  const prepared: TranscodeRequest[] = [];
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
      const wish = JSON.stringify(request);
      const answered = state ?? (known.has(wish) ? 'finished' : 'growing');
      known.add(wish);
      const content = bytes(request);
      const mime = transcodeMimeOf(target);
      if (answered === 'growing') return { state: 'growing', mime, body: flowing(content) };
      const open = async (range?: { start: number; end: number }): Promise<Readable> =>
        flowing(range ? content.subarray(range.start, range.end + 1) : content);
      return { state: 'finished', mime, sizeBytes: content.length, etag: `"fake-${content.length.toString(16)}"`, open };
    },
  };
};
