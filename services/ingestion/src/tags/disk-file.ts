import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { DiskPace } from '../disk-pace.js';
import type { ReadableFile } from './ranged-file.js';

/** Pipes must not block whoever opens them. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
/** Time in the file system beyond which a file counts as slow, ms: memory and flash answer in a fraction of it, a network or a disk that seeks does not. */
const SLOW_FILE_MS = 4;

const pace = new DiskPace(SLOW_FILE_MS);

/** A file that is read in this thread; for threads that do nothing else. */
class SynchronousFile implements ReadableFile {
  readonly #fd: number;
  #spentMs = 0;

  constructor(path: string) {
    this.#fd = this.#timed(() => openSync(path, FLAGS));
  }

  async read(target: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }> {
    return { bytesRead: this.#timed(() => readSync(this.#fd, target, offset, length, position)) };
  }

  async stat(): Promise<{ size: number; isFile(): boolean }> {
    return this.#timed(() => fstatSync(this.#fd));
  }

  async close(): Promise<void> {
    closeSync(this.#fd);
    pace.took(this.#spentMs);
  }

  #timed<T>(call: () => T): T {
    const from = performance.now();
    const result = call();
    this.#spentMs += performance.now() - from;
    return result;
  }
}

/** Opens a file of this machine. Pipes and devices are opened without blocking on them. @throws the file system's error */
export const openDiskFile = async (path: string): Promise<ReadableFile> => (pace.isFast() ? new SynchronousFile(path) : open(path, FLAGS));
