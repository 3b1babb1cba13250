import { relative, sep } from 'node:path';
import type { Logger } from 'pino';
import { fileKind } from '../walk/file-kinds.js';
import { RootUnusable } from '../walk/walk.js';
import { errorCode } from '../walk/list-folder.js';
import { videoFileKind } from '../video/video-files.js';
import { FolderTree } from './folder-tree.js';
import { TouchedPlaces, type Touched } from './touched-places.js';

/** What a watch is told when it begins. */
export interface WatchOptions {
  /** Real path of the root. */
  readonly root: string;
  /** How long nothing may happen until what was touched is looked at, ms. */
  readonly quietMs: number;
  /** Called with what was touched, once at a time; what comes meanwhile waits. */
  readonly onQuiet: (touched: Touched | 'all') => Promise<void>;
  readonly log: Logger;
}

/** Somebody who copies for hours is looked at in between, ms. */
const LONGEST_WAIT_MS = 60_000;
/** The system gives no further watches, or no further open files. */
const LIMITS: Readonly<Record<string, string>> = {
  ENOSPC: 'the system gives no more watches: raise fs.inotify.max_user_watches to more than the number of folders',
  EMFILE: 'the system opens no more files for this process: raise fs.inotify.max_user_instances and the limit of open files',
};

/**
 * Watches the folders of one catalog. Only folders are kept in memory, not files: what happens to a file shows at its folder. Touched places are told when
 * nothing has happened for a while.
 */
export class CatalogWatch {
  readonly #touched = new TouchedPlaces();
  readonly #tree: FolderTree;
  #timer: NodeJS.Timeout | undefined;
  #firstAt: number | undefined;
  #looking: Promise<void> = Promise.resolve();
  #closed = false;
  #limit: string | undefined;

  constructor(private readonly options: WatchOptions) {
    const { root } = options;
    this.#tree = new FolderTree(root, {
      onFolder: (path) => this.#touchTree(path),
      onFile: (folder, name) => this.#touchFile(folder, name),
      onError: (error) => this.#fail(error),
    });
  }

  /** Resolves when every folder is watched that can be. */
  async ready(): Promise<void> {
    await this.#tree.ready;
    this.options.log.info({ root: this.options.root, folders: this.#tree.size }, 'a catalog is watched');
  }

  /** Why not everything can be watched; undefined when it can. */
  get limit(): string | undefined {
    return this.#limit;
  }

  /** Ends the watch; a look that is under way comes to its end. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#tree.close();
    await this.#looking;
  }

  #fail(error: unknown): void {
    const limit = LIMITS[errorCode(error)];
    const { root, log } = this.options;
    if (limit === undefined) return log.warn({ err: error, root }, 'watching a catalog meets a fault');
    if (this.#limit === undefined) log.error({ root }, `not all folders of a catalog can be watched: ${limit}`);
    this.#limit = limit;
  }

  #pathOf(absolute: string): string {
    return relative(this.options.root, absolute).split(sep).join('/');
  }

  #touchTree(absolute: string): void {
    this.#touched.tree(this.#pathOf(absolute));
    this.#wait();
  }

  #touchFile(folder: string, name: string): void {
    const kind = fileKind(name);
    if (kind === undefined && videoFileKind(name) === undefined) return;
    // Texts and pictures belong to other files of their folder and below it, playlists name songs from anywhere: they come with the folder.
    if (kind !== undefined && kind !== 'media') return this.#touchTree(folder);
    this.#touched.file(this.#pathOf(folder), name);
    this.#wait();
  }

  #wait(): void {
    if (this.#closed) return;
    const now = performance.now();
    this.#firstAt ??= now;
    const leftMs = Math.max(0, this.#firstAt + LONGEST_WAIT_MS - now);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), Math.min(this.options.quietMs, leftMs));
    this.#timer.unref();
  }

  #look(): void {
    this.#firstAt = undefined;
    this.#looking = this.#tell(this.#looking);
  }

  /** One look after the other. */
  async #tell(before: Promise<void>): Promise<void> {
    await before;
    if (this.#closed || this.#touched.isEmpty) return;
    const { onQuiet, log, root } = this.options;
    const touched = this.#touched.take();
    try {
      await onQuiet(touched);
    } catch (err) {
      log.warn({ err, root }, 'what was touched in a catalog could not be looked at');
      // A root that comes back is scanned as a whole.
      if (!(err instanceof RootUnusable)) this.#lookAgain(touched);
    }
  }

  /** With whatever happens next, or else after a while: a full disk, a scan for something else that is under way, a library that is away. */
  #lookAgain(touched: Touched | 'all'): void {
    this.#touched.putBack(touched);
    if (this.#closed || this.#firstAt !== undefined) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), LONGEST_WAIT_MS);
    this.#timer.unref();
  }
}
