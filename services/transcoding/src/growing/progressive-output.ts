import { close, fsync, open, read, write } from 'node:fs';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { SpilledBytes } from './spilled-bytes.js';

const openFile = promisify(open);
const closeFile = promisify(close);
const syncFile = promisify(fsync);
const writeFile = promisify(write);
const readFile = promisify(read);

/** Size of one read, bytes. */
const READ_BYTES = 128 * 1024;

/** Options of {@link ProgressiveOutput}. */
export interface ProgressiveOutputOptions {
  /** A file of its own, which does not exist yet. */
  readonly path: string;
  /** Called when the disk takes no more; answers whether it may do so now. */
  readonly makeRoom: () => Promise<boolean>;
  /** Called once when the bytes cannot be kept. */
  readonly onSpill: (error: unknown) => void;
  /** Called once when the first bytes are gone: those who follow get the rest, nobody else can join. */
  readonly onTrim: () => void;
}

interface Reader {
  position: number;
  gone: boolean;
  reading: Promise<unknown>;
  /** Called when there may be more. */
  wake: () => void;
}

/**
 * Bytes that one writer makes and many readers follow, each at its own pace from the beginning on. They lie in a file, so that slow readers cost no memory and
 * hold nobody up. When the disk is full, what comes after goes through memory: then the slowest reader sets the pace, and nobody can join any more.
 */
export class ProgressiveOutput {
  readonly #options: ProgressiveOutputOptions;
  readonly #readers = new Set<Reader>();
  #descriptor: number | undefined;
  #fileBytes = 0;
  #spilled: SpilledBytes | undefined;
  #end: 'open' | 'complete' | Error = 'open';
  #writerIsThere = true;
  #isClosed = false;

  private constructor(options: ProgressiveOutputOptions) {
    this.#options = options;
  }

  /** Does not fail for want of a disk: then everything goes through memory. */
  static async create(options: ProgressiveOutputOptions): Promise<ProgressiveOutput> {
    const bytes = new ProgressiveOutput(options);
    try {
      bytes.#descriptor = await openFile(options.path, 'wx+', 0o600);
    } catch (error) {
      bytes.#startSpilling(error);
    }
    return bytes;
  }

  get writtenBytes(): number {
    return this.#spilled?.endBytes ?? this.#fileBytes;
  }

  /** True while all bytes are in the file. */
  get isKept(): boolean {
    return this.#spilled === undefined;
  }

  /** Adds bytes and lets the readers go on. Waits while memory is full of what nobody has read. */
  async append(piece: Buffer): Promise<void> {
    const rest = this.#spilled ? piece : await this.#toFile(piece);
    const room = rest.length > 0 ? this.#spilled?.add(rest) : undefined;
    this.#wakeAll();
    await room;
  }

  /** Changes bytes that are in the file already, for what is known only at the end. */
  async patch(position: number, piece: Uint8Array): Promise<void> {
    if (this.#descriptor !== undefined) await writeFile(this.#descriptor, piece, 0, piece.length, position);
  }

  /** Reads back what is in the file. */
  async peek(position: number, length: number): Promise<Buffer> {
    if (this.#descriptor === undefined) return Buffer.alloc(0);
    const buffer = Buffer.allocUnsafe(length);
    const { bytesRead } = await readFile(this.#descriptor, buffer, 0, length, position);
    return buffer.subarray(0, bytesRead);
  }

  /** Nothing more will come: readers end behind the last byte, or fail. */
  finish(failure?: Error): void {
    if (this.#end !== 'open') return;
    this.#end = failure ?? 'complete';
    this.#wakeAll();
    this.#spilled?.release();
  }

  /** Waits until the bytes are on the disk. */
  async sync(): Promise<void> {
    if (this.#descriptor !== undefined) await syncFile(this.#descriptor);
  }

  /** The writer is through; the file is closed once the last reader has gone. */
  async leave(): Promise<void> {
    this.#writerIsThere = false;
    await this.#closeWhenUnused();
  }

  /** A stream of everything from the first byte on; undefined when the first bytes are no longer there, or the file is closed already. */
  follow(): Readable | undefined {
    if (this.#spilled?.isTrimmed === true || this.#isClosed) return undefined;
    const reader: Reader = { position: 0, gone: false, reading: Promise.resolve(), wake: () => undefined };
    this.#readers.add(reader);
    const feed = async (stream: Readable): Promise<void> => {
      const piece = await this.#next(reader);
      if (!reader.gone) stream.push(piece);
    };
    return new Readable({
      highWaterMark: READ_BYTES,
      read() {
        feed(this).catch((error: unknown) => this.destroy(error instanceof Error ? error : new Error(String(error))));
      },
      destroy: (error, callback) => void this.#dismiss(reader, error, callback),
    });
  }

  /** The next bytes for a reader; null behind the last one. */
  async #next(reader: Reader): Promise<Buffer | null> {
    while (!reader.gone) {
      const piece = await this.#present(reader);
      if (piece) return piece;
      if (this.#end === 'complete') return null;
      if (this.#end !== 'open') throw this.#end;
      await new Promise<void>((resolve) => {
        reader.wake = resolve;
      });
    }
    return null;
  }

  async #present(reader: Reader): Promise<Buffer | undefined> {
    if (reader.position < this.#fileBytes) {
      const reading = this.peek(reader.position, Math.min(READ_BYTES, this.#fileBytes - reader.position));
      reader.reading = reading;
      const piece = await reading;
      if (piece.length === 0) throw new Error('the file has lost what was written to it');
      reader.position += piece.length;
      return piece;
    }
    const piece = this.#spilled?.at(reader.position);
    if (piece) {
      reader.position += piece.length;
      this.#trim();
    }
    return piece;
  }

  async #dismiss(reader: Reader, error: Error | null, callback: (error: Error | null) => void): Promise<void> {
    reader.gone = true;
    reader.wake();
    try {
      // A file must not be closed under a read that is under way.
      await reader.reading.catch(() => undefined);
      this.#readers.delete(reader);
      this.#trim();
      await this.#closeWhenUnused();
      callback(error);
    } catch (cause) {
      callback(error ?? (cause instanceof Error ? cause : new Error(String(cause))));
    }
  }

  async #closeWhenUnused(): Promise<void> {
    if (this.#writerIsThere || this.#readers.size > 0 || this.#descriptor === undefined) return;
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    this.#isClosed = true;
    await closeFile(descriptor);
  }

  /** Answers what the disk did not take. */
  async #toFile(piece: Buffer): Promise<Buffer> {
    let rest = piece;
    let triedAgain = false;
    while (rest.length > 0 && this.#descriptor !== undefined) {
      try {
        const { bytesWritten } = await writeFile(this.#descriptor, rest, 0, rest.length, this.#fileBytes);
        this.#fileBytes += bytesWritten;
        rest = rest.subarray(bytesWritten);
      } catch (error) {
        const again = !triedAgain && (await this.#options.makeRoom());
        triedAgain = true;
        if (!again) {
          this.#startSpilling(error);
          return rest;
        }
      }
    }
    return rest;
  }

  #startSpilling(error: unknown): void {
    this.#spilled = new SpilledBytes(this.#fileBytes);
    this.#options.onSpill(error);
  }

  #trim(): void {
    if (this.#readers.size === 0 || !this.#spilled) return;
    const wasWhole = !this.#spilled.isTrimmed;
    this.#spilled.trim(Math.min(...[...this.#readers].map(({ position }) => position)));
    if (wasWhole && this.#spilled.isTrimmed) this.#options.onTrim();
  }

  #wakeAll(): void {
    for (const reader of this.#readers) reader.wake();
  }
}
