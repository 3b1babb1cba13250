import { close, read } from 'node:fs';
import { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { callbackify, promisify } from 'node:util';

/** Size of a read: media is sent in order. */
const PIECE_BYTES = 256 * 1024;
/** As many pieces are kept for the next streams. */
const MOST_KEPT = 64;

const readFile = promisify(read);
const closeFile = promisify(close);
const kept: Buffer[] = [];

const takePiece = (): Buffer => kept.pop() ?? Buffer.allocUnsafeSlow(PIECE_BYTES);
const keepPiece = (piece: Buffer): void => {
  if (kept.length < MOST_KEPT) kept.push(piece);
};

/** Hands a piece over and waits until nothing needs it any more: until the kernel has it. */
const written = (answer: ServerResponse, piece: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    answer.write(piece, (error) => (error ? reject(error) : resolve()));
  });

/** The part of a file that is read, both ends inclusive; absent: all of it. */
export interface FilePart {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads a short part of an open file at once, and closes it: a stream would cost more than the bytes. Undefined for a longer part, of which nothing is read.
 * @throws Error when the file has become shorter
 */
export const readAtOnce = async (descriptor: number, { start, end }: FilePart): Promise<Buffer | undefined> => {
  const length = end - start + 1;
  if (length > PIECE_BYTES) return undefined;
  try {
    const bytes = Buffer.allocUnsafeSlow(length);
    const { bytesRead } = await readFile(descriptor, bytes, 0, length, start);
    if (bytesRead < length) throw new Error('the file has become shorter while it was read');
    return bytes;
  } finally {
    // What has been read is sent meanwhile; closing a file that was only read loses nothing.
    closeFile(descriptor).catch(() => undefined);
  }
};

/**
 * The bytes of an open file, which is closed when they end, fail or are destroyed. A stream like any other, except that an HTTP answer is written from a few pieces of
 * memory that are used again and again: a new one for each read costs more than reading and sending, since the garbage collector of a large process looks at everything each time.
 */
export class FileBytes extends Readable {
  #position: number;
  #left: number;
  #reading: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly descriptor: number,
    part?: FilePart,
  ) {
    super({ highWaterMark: PIECE_BYTES });
    this.#position = part?.start ?? 0;
    this.#left = part ? part.end - part.start + 1 : Number.POSITIVE_INFINITY;
  }

  override _read(size: number): void {
    this.#next(Buffer.allocUnsafeSlow(Math.min(size, this.#left || 1))).then(
      (piece) => this.push(piece.length === 0 ? null : piece),
      (error: unknown) => this.destroy(error as Error),
    );
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#close((failure) => callback(error ?? failure));
  }

  override pipe<T extends NodeJS.WritableStream>(destination: T, options?: { end?: boolean }): T {
    // Anything else may hold on to what was written to it.
    if (!(destination instanceof ServerResponse) || this.readableFlowing !== null || this.readableLength > 0)
      return super.pipe(destination, options);
    this.#send(destination).catch((error: unknown) => this.destroy(error as Error));
    return destination;
  }

  // A descriptor that is closed under a read could be another file's before the read is done.
  readonly #close = callbackify(async (): Promise<void> => {
    await this.#reading;
    await closeFile(this.descriptor);
  });

  /** Reads on; nothing is left to be read when the piece that it answers is empty. */
  async #next(into: Buffer): Promise<Buffer> {
    if (this.#left <= 0) return into.subarray(0, 0);
    const reading = readFile(this.descriptor, into, 0, Math.min(into.length, this.#left), this.#position);
    // Whoever waits for it before closing does not care how it ends.
    this.#reading = reading.catch(() => undefined);
    const { bytesRead } = await reading;
    // A part that is promised must not end early, as if that were all of it.
    if (bytesRead === 0 && Number.isFinite(this.#left)) throw new Error('the file has become shorter while it was read');
    this.#position += bytesRead;
    this.#left -= bytesRead;
    return into.subarray(0, bytesRead);
  }

  /** Writes everything: the next piece is read while the last one is on its way. */
  async #send(answer: ServerResponse): Promise<void> {
    const pieces = [takePiece(), takePiece()] as const;
    let writing: Promise<void> | undefined;
    for (let turn = 0; ; turn += 1) {
      const piece = await this.#next(pieces[turn % 2] as Buffer);
      await writing;
      if (this.destroyed || answer.destroyed) return void this.destroy();
      if (piece.length === 0) break;
      writing = written(answer, piece);
      // It is awaited after the next read, and must not count as unhandled until then.
      writing.catch(() => undefined);
    }
    // Only pieces that nobody holds any more are used again; those of a broken connection are left to the collector.
    for (const piece of pieces) keepPiece(piece);
    answer.end();
    this.push(null);
    this.resume();
  }
}
