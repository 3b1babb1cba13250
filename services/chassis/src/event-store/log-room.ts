import { statfs } from 'node:fs/promises';

const FRESH_MS = 1000;
const RESERVED_SHARE = 0.05;
const MOST_RESERVED_BYTES = 512 * 1024 * 1024;

/** Sizes of a file system, bytes. */
export interface FileSystemRoom {
  readonly totalBytes: number;
  /** Free bytes that an unprivileged program may still write. */
  readonly freeBytes: number;
}

/** Asks the system for the sizes of the file system that a folder lies on. @throws Error of the system, such as `ENOENT` */
export const fileSystemRoom = async (folder: string): Promise<FileSystemRoom> => {
  const { blocks, bavail, bsize } = await statfs(folder);
  return { totalBytes: blocks * bsize, freeBytes: bavail * bsize };
};

/** Room that stays free on the file system of the event log when nothing else is set: a twentieth of it, at most 512 MiB. */
export const defaultLogReserve = (totalBytes: number): number => Math.min(MOST_RESERVED_BYTES, Math.floor(totalBytes * RESERVED_SHARE));

/** Tells whether the file system of the event log has less room than the reserve. The system is asked at most once a second. */
export class LogRoom {
  static readonly #shared = new Map<string, LogRoom>();

  readonly #folder: string;
  readonly #keepFreeBytes: number | undefined;
  #asked: { readonly atMs: number; readonly isScarce: Promise<boolean> } | undefined;

  /**
   * @param folder on the file system of the event log
   * @param keepFreeBytes the reserve; {@link defaultLogReserve} when left out
   */
  constructor(folder: string, keepFreeBytes?: number) {
    this.#folder = folder;
    this.#keepFreeBytes = keepFreeBytes;
  }

  /** The one of this process, so that its services share one look. Parameters as those of the constructor. */
  static of(folder: string, keepFreeBytes?: number): LogRoom {
    const key = `${keepFreeBytes} ${folder}`;
    const room = LogRoom.#shared.get(key) ?? new LogRoom(folder, keepFreeBytes);
    LogRoom.#shared.set(key, room);
    return room;
  }

  /** @throws Error of the system when the folder is not there */
  isScarce(): Promise<boolean> {
    const now = performance.now();
    if (!this.#asked || now - this.#asked.atMs > FRESH_MS) this.#asked = { atMs: now, isScarce: this.#look() };
    return this.#asked.isScarce;
  }

  async #look(): Promise<boolean> {
    const { totalBytes, freeBytes } = await fileSystemRoom(this.#folder);
    return freeBytes < (this.#keepFreeBytes ?? defaultLogReserve(totalBytes));
  }
}
