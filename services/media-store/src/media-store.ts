import type { Readable } from 'node:stream';

/** Size and modification time of a stored file. */
export interface MediaStat {
  readonly sizeBytes: number;
  readonly mtimeMs: number;
}

/** Location, size and time of a stored file. */
export interface LocatedFile extends MediaStat {
  /** Absolute, without symbolic links; of a file that lies on no disk of this machine an `http:` address of this machine. */
  readonly realPath: string;
}

/** A stored file that is open. Either its bytes are read, once, or it is closed. */
export interface OpenMedia extends MediaStat {
  /** Reads all of it, or a byte range, both ends inclusive; a short one at once. The stream closes its file when it ends, fails or is destroyed. */
  read(range?: { start: number; end: number }): Promise<Readable | Buffer>;
  close(): Promise<void>;
}

/**
 * Media files by the root of their catalog and a path that is relative to it and checked to stay inside. Files that lie elsewhere may also be refused with `unavailable`: their
 * storage cannot be asked for the moment.
 */
export interface MediaStore {
  /** @throws Rejection `media.not-found` when the path is missing, not a regular file, unreadable, or leads out of the root. */
  stat(root: string, path: string): Promise<MediaStat>;
  /**
   * The same, with the path under which a program that has to open the file itself finds it.
   * @throws Rejection `media.not-found` as {@link MediaStore.stat}
   */
  locate(root: string, path: string): Promise<LocatedFile>;
  /**
   * Opens a file, to be looked at and read in one go.
   * @throws Rejection `media.not-found` as {@link MediaStore.stat}
   */
  openFile(root: string, path: string): Promise<OpenMedia>;
  /** Opens a byte range, both ends inclusive. The stream closes its file when it ends, fails or is destroyed. */
  open(root: string, path: string, range?: { start: number; end: number }): Promise<Readable>;
  /**
   * Names of what lies in the same folder as a path, the path itself among them; of a huge folder the first thousands.
   * @throws Rejection `media.not-found` as {@link MediaStore.stat}, the folder in place of the file
   */
  namesBeside(root: string, path: string): Promise<string[]>;
}

/** A stored picture. */
export interface StoredArt {
  /** Lower-case hex SHA-256 of its bytes. */
  readonly hash: string;
  readonly sizeBytes: number;
}

/** Images by the SHA-256 of their bytes. Storing the same bytes twice keeps one copy. All methods throw Rejection `unavailable` while the storage does not answer. */
export interface ArtStore {
  /** Writes the bytes durably if they are not there yet and answers their lower-case hex SHA-256. */
  put(bytes: Uint8Array): Promise<string>;
  /** @throws Rejection `art.not-found`. */
  stat(hash: string): Promise<Pick<StoredArt, 'sizeBytes'>>;
  /** @throws Rejection `art.not-found`. */
  open(hash: string): Promise<Readable>;
  /** All pictures, in no order; one that is stored meanwhile may be missing. */
  list(): AsyncIterable<StoredArt>;
  /** Checks that pictures can be stored, and answers where, in words for the operator. @throws Error that says why they cannot */
  check(): Promise<string>;
  close(): Promise<void>;
}
