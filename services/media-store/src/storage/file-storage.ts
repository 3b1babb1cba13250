import type { Readable } from 'node:stream';
import type { MediaStat } from '../media-store.js';

/** A file of a storage; its path is relative to the root of the storage, with `/` between segments. */
export interface StorageFile extends MediaStat {
  readonly path: string;
}

/** A part of a file that flows. */
export interface StorageBody {
  readonly body: Readable;
  /** First and last byte that come, both counted from 0. */
  readonly start: number;
  readonly end: number;
  /** Of the whole file. */
  readonly sizeBytes: number;
}

/** Requested part of a file; without an end, everything from the start on. */
export interface ByteRange {
  readonly start: number;
  readonly end?: number;
}

/**
 * Files that lie elsewhere: in S3-compatible storage, or on another server. Each call waits out short failures by itself. Two things are kept apart everywhere: a file that
 * is certainly not there, and a storage that cannot be reached.
 */
export interface FileStorage {
  /** Folders that are there whatever is in them; absent where a folder is only what the paths of its files have in common. */
  readonly folders?: readonly string[];
  /** Checks that the storage is there and may be read. @throws StorageUnavailable with a sentence for the operator */
  check(): Promise<void>;
  /** @throws Rejection `media.not-found` for a file that is not there, `unavailable` when the storage cannot be reached */
  stat(path: string): Promise<MediaStat>;
  /**
   * Opens a file, or a part of it that is cut to what there is. A body that breaks off on the way is taken up again where it stopped.
   * @throws Rejection as {@link FileStorage.stat}; `media.range` for a start behind the end
   */
  read(path: string, part?: ByteRange): Promise<StorageBody>;
  /** False only for a file or folder that is certainly not there. */
  isThere(path: string): Promise<boolean>;
  /**
   * All files below a folder, empty for all, in the order of the bytes of their paths. What was listed when it fails is no whole list.
   * @throws StorageUnavailable
   */
  list(below: string, signal?: AbortSignal): AsyncIterable<StorageFile>;
  /** The files in a folder, without those below it; of a huge one the first thousands. @throws Rejection `unavailable` */
  filesIn(folder: string): Promise<StorageFile[]>;
}

/** A storage that cannot be reached, or refuses: its content is unknown. The message is for operators and holds no secret. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
}
