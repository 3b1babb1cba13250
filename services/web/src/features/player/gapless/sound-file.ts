import { UnjoinableError, type SoundFormat, type SoundFrame, type SoundInfo } from './sound-format.js';

/** A file of the server. */
export interface SoundFile {
  readonly url: string;
  readonly format: SoundFormat;
  /** Undefined until its beginning has been read. */
  info: SoundInfo | undefined;
  /** Bytes; 0 until its beginning has been read. */
  length: number;
}

/** The server does not send the file. */
export class RefusedError extends Error {}

const HEAD_BYTES = 65_536;
/** Pictures may stand before the sound. */
const LONGEST_HEAD_BYTES = 32 * 1024 ** 2;
/** A position is looked for so much earlier, s: bytes are spread unevenly over the time. */
const SPARE_S = 4;
/** Sound before the position is taken along, s: the first frame seldom begins right there. */
const BEFORE_S = 0.5;
const AGAIN_AFTER_MS = 1000;
const SERVER_ERROR = 500;

/** Waits, ms. */
export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** Asks for a range of bytes. @throws RefusedError; TypeError when the server cannot be reached, or cannot answer now */
const ask = async (url: string, range: string, signal: AbortSignal): Promise<Response> => {
  const response = await fetch(url, { headers: { range: `bytes=${range}` }, signal });
  if (response.status >= SERVER_ERROR) throw new TypeError(`The server answered ${response.status}.`);
  if (response.status !== 206 || !response.body) throw new RefusedError(`The server answered ${response.status}.`);
  return response;
};

/** Repeats what fails because the server cannot be reached. */
const patiently = async <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> => {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || !(error instanceof TypeError)) throw error;
      await pause(AGAIN_AFTER_MS);
    }
  }
};

/** Reads what a file tells of itself. @throws UnjoinableError, RefusedError */
const readHead = async (file: SoundFile, signal: AbortSignal): Promise<SoundInfo> => {
  for (let bytes = HEAD_BYTES; bytes <= LONGEST_HEAD_BYTES;) {
    const response = await ask(file.url, `0-${bytes - 1}`, signal);
    file.length = Number(response.headers.get('content-range')?.split('/')[1] ?? 0);
    const read = file.format.readInfo(new Uint8Array(await response.arrayBuffer()));
    if (typeof read !== 'number') {
      file.info = read;
      return read;
    }
    if (file.length <= bytes) break;
    bytes = Math.max(read, bytes + HEAD_BYTES);
  }
  throw new UnjoinableError('The file has no sound in it.');
};

/** Guesses the byte at which a position stands, s. */
const byteAt = (endByte: number, { firstFrameByte, samples, rate }: SoundInfo, atS: number): number => {
  const part = samples > 0 ? Math.min(1, (atS * rate) / samples) : 0;
  return part > 0 ? Math.floor(firstFrameByte + part * (endByte - firstFrameByte)) : firstFrameByte;
};

/** Frames of a file from a position on, s, as they arrive; goes on where the connection broke off. @throws UnjoinableError, RefusedError */
export async function* framesOf(file: SoundFile, fromS: number, signal: AbortSignal): AsyncGenerator<readonly SoundFrame[]> {
  const info = file.info ?? (await patiently(() => readHead(file, signal), signal));
  const endByte = Math.min(file.length, info.endByte);
  const sampleAt = (positionS: number): number => positionS * info.rate + info.leadSamples;
  let spareS = SPARE_S;
  let byte = byteAt(endByte, info, fromS - spareS);
  let frames = info.framesFrom(byte);
  let isFound = false;
  while (byte < endByte) {
    const { body } = await patiently(() => ask(file.url, `${byte}-${endByte - 1}`, signal), signal);
    if (!body) return;
    try {
      for await (const piece of body) {
        byte += piece.length;
        const taken = frames.take(piece, byte >= endByte);
        const [first] = taken;
        if (first && !isFound && first.sample > sampleAt(fromS)) {
          // This is too late in the file.
          spareS *= 4;
          byte = byteAt(endByte, info, fromS - spareS);
          frames = info.framesFrom(byte);
          break;
        }
        isFound ||= first !== undefined;
        yield taken.filter(({ sample }) => sample > sampleAt(fromS - BEFORE_S));
      }
    } catch (error) {
      if (signal.aborted || !(error instanceof TypeError)) throw error;
      await pause(AGAIN_AFTER_MS);
    }
  }
}
