import type { ByteRange } from '../file-storage.js';
import type { Flow } from '../resuming-body.js';
import type { RemoteSong } from './remote-song.js';

/** A part of a file that another server sends. */
export interface RemotePart {
  readonly flow: Flow;
  readonly start: number;
  readonly end: number;
  readonly sizeBytes: number;
}

/** Songs of one page, at most. */
export const SONGS_PER_PAGE = 500;

/**
 * API of another server. Transient failures are `TransientError`, refusals of the whole server `StorageUnavailable`, a missing file the rejection `media.not-found`.
 */
export interface RemoteApi {
  /** Asks whether the account may be used. */
  check(): Promise<void>;
  /** Songs from an offset in the server's own order on; an empty page is the end. */
  songs(offset: number, signal?: AbortSignal): Promise<readonly RemoteSong[]>;
  song(id: string): Promise<RemoteSong>;
  /** The original file, or a part of it. */
  bytes(id: string, part?: ByteRange): Promise<RemotePart>;
  /** A picture; undefined when the server has none. */
  picture(artId: string): Promise<Uint8Array | undefined>;
}

/** The name under which this server asks others, so that another Continuo shows it only what is its own: two that are catalogs of each other must not grow for ever. */
export const CATALOG_CLIENT = 'continuo-catalog';
