import { constants, createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat, utimes, type FileHandle } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { every } from '@continuo/chassis';
import type { Logger } from 'pino';
import type { CacheMetrics } from '../metrics.js';
import { filesIn, leastRecentlyUsed, totalBytes } from './eviction.js';
import { Workspace } from './workspace.js';

/** Part of a cache's cap that is kept after something had to go, so that not every new file sends one away. */
const KEEP_SHARE = 0.9;
/** A file that takes more than this part of the cap would send too many others away. */
const LARGEST_SHARE = 0.5;
/** Interval of recounting the folder, ms: other workers may keep things in the same folder. */
const COUNT_MS = 5 * 60_000;
const READ_BYTES = 256 * 1024;

/** A transcode that is finished. */
export interface CachedTranscode {
  readonly key: string;
  readonly sizeBytes: number;
}

/** Options of the cache. */
export interface CacheOptions {
  readonly folder: string;
  /** Everything in it together, about. */
  readonly capBytes: number;
  readonly log: Logger;
  readonly metrics: CacheMetrics;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/**
 * Finished transcodes by their keys, in `<folder>/<first two digits>/<key>`. A file gets its name when it is complete and on the disk; its time of change is the time
 * of its last use, by which the oldest are thrown away. Several workers may share a folder: what one throws away while another reads it stays readable to the end.
 */
export class TranscodeCache {
  readonly #options: CacheOptions;
  readonly #workspace: Workspace;
  readonly #read = new Map<string, number>();
  #bytes = 0;
  #evicting: Promise<void> | undefined;
  #endCounts: () => void = () => undefined;

  private constructor(options: CacheOptions) {
    this.#options = { ...options, folder: resolve(options.folder) };
    this.#workspace = new Workspace(join(this.#options.folder, 'making'), options.log);
  }

  /**
   * Makes the folder where it is missing, clears what dead workers left in it, and counts.
   * @throws Error with a sentence for the operator when the folder cannot be used
   */
  static async open(options: CacheOptions): Promise<TranscodeCache> {
    const cache = new TranscodeCache(options);
    const { folder } = cache.#options;
    try {
      await mkdir(folder, { recursive: true });
      await cache.#workspace.start();
      await cache.#evict(0);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`The folder for transcodes, ${folder}, cannot be used (${reason}). Name another one in TRANSCODE_CACHE.`, { cause });
    }
    cache.#endCounts = every(COUNT_MS, () => {
      cache.#evict(0).catch((err: unknown) => options.log.warn({ err }, 'failed to measure transcode cache folder'));
    });
    return cache;
  }

  /** Size of all finished transcodes, as last counted, and their cap. */
  get use(): { readonly bytes: number; readonly capBytes: number } {
    return { bytes: this.#bytes, capBytes: this.#options.capBytes };
  }

  /** A path for a file that is being made. */
  temporaryPath(): string {
    return this.#workspace.newPath();
  }

  /** Finds the entry of a key and counts it as used. */
  async find(key: string): Promise<CachedTranscode | undefined> {
    const path = this.#pathOf(key);
    try {
      const { size } = await stat(path);
      await this.#touch(path);
      return { key, sizeBytes: size };
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  }

  /** Opens a part of a file, both ends inclusive; undefined when it is there no longer. It is not thrown away while it is read. */
  async read(key: string, range?: { start: number; end: number }): Promise<{ body: Readable; sizeBytes: number } | undefined> {
    this.#hold(key, 1);
    let handle: FileHandle | undefined;
    try {
      handle = await open(this.#pathOf(key), constants.O_RDONLY);
      const { size } = await handle.stat();
      const body = createReadStream('', { ...range, fd: handle, highWaterMark: READ_BYTES });
      body.once('close', () => this.#hold(key, -1));
      return { body, sizeBytes: size };
    } catch (error) {
      this.#hold(key, -1);
      await handle?.close();
      if (isAbsent(error)) return undefined;
      throw error;
    }
  }

  /**
   * Takes in a finished file, which must be on the disk already. The name is durable some time later: a crash may lose the file, never half of it.
   * False when it is too large to be kept.
   */
  async admit(key: string, temporaryPath: string, sizeBytes: number): Promise<boolean> {
    if (sizeBytes > this.#options.capBytes * LARGEST_SHARE) return false;
    const path = this.#pathOf(key);
    await mkdir(dirname(path), { recursive: true });
    await rename(temporaryPath, path);
    await this.#touch(path);
    this.#count(sizeBytes);
    if (this.#bytes > this.#options.capBytes) await this.#evict(0);
    return true;
  }

  /** Throws a file away that nobody shall keep. */
  async discard(temporaryPath: string): Promise<void> {
    await rm(temporaryPath, { force: true });
  }

  /** Throws away as much as that and what is over the cap; answers whether anything went. */
  async makeRoom(bytes: number): Promise<boolean> {
    const before = this.#bytes;
    await this.#evict(bytes);
    return this.#bytes < before;
  }

  /** Leaves nothing behind but finished files. */
  async close(): Promise<void> {
    this.#endCounts();
    await this.#evicting;
    await this.#workspace.stop();
  }

  /** One at a time: two would choose the same files. */
  async #evict(bytes: number): Promise<void> {
    while (this.#evicting) await this.#evicting;
    this.#evicting = this.#evictNow(bytes).finally(() => {
      this.#evicting = undefined;
    });
    await this.#evicting;
  }

  async #evictNow(bytes: number): Promise<void> {
    const { folder, capBytes, metrics, log } = this.#options;
    const files = await filesIn(folder);
    this.#bytes = totalBytes(files);
    const over = this.#bytes > capBytes ? this.#bytes - capBytes * KEEP_SHARE : 0;
    const needed = Math.max(over, bytes);
    for (const { path, key, sizeBytes } of needed > 0 ? leastRecentlyUsed(files, needed, (one) => this.#read.has(one.key)) : []) {
      await rm(path, { force: true });
      metrics.evictions.inc();
      this.#bytes -= sizeBytes;
      log.debug({ key, sizeBytes }, 'transcode evicted from cache');
    }
    this.#count(0);
  }

  async #touch(path: string): Promise<void> {
    const at = this.#options.now() / 1000;
    await utimes(path, at, at);
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    this.#options.metrics.bytes.set(this.#bytes);
  }

  #hold(key: string, by: number): void {
    const readers = (this.#read.get(key) ?? 0) + by;
    if (readers > 0) this.#read.set(key, readers);
    else this.#read.delete(key);
  }

  #pathOf(key: string): string {
    return join(this.#options.folder, key.slice(0, 2), key);
  }
}

const isAbsent = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';
