import { relative, sep } from 'node:path';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { fileKind } from '../walk/file-kinds.js';
import { RootUnusable } from '../walk/walk.js';
import { errorCode } from '../walk/list-folder.js';
import { videoFileKind } from '../video/video-files.js';
import { FolderTree } from './folder-tree.js';
import { ChangedPathsBuffer, type Touched } from './changed-paths.js';

/** Options of a watch. */
export interface WatchOptions {
  /** Real path of the root. */
  readonly root: string;
  /** Quiet time before changed paths are scanned, ms. */
  readonly quietMs: number;
  /** Takes in what is new among what was touched; removes nothing. Called once at a time; what comes meanwhile waits. */
  readonly onNew: (touched: Touched | 'all') => Promise<void>;
  /**
   * Records what is gone of what was touched, once everything new has been taken in and nothing more has happened. Whoever has found that something is gone asks
   * `stillQuiet` before it is recorded, which throws {@link ChangedDuringCheck} when something happened: it may turn up elsewhere.
   */
  readonly onQuiet: (touched: Touched, stillQuiet: () => Promise<void>) => Promise<void>;
  readonly log: Logger;
}

/** Something happened in a catalog while it was looked at for what is gone. */
export class ChangedDuringCheck extends Error {
  override readonly name = 'ChangedDuringCheck';
}

/** Somebody who copies for hours is looked at in between, ms. */
const LONGEST_WAIT_MS = 60_000;
/** Where it is never quiet, the whole catalog is looked at for what is gone after this time, ms. */
const LONGEST_UNREST_MS = 10 * 60_000;
/** The system reports a change within this time, ms. */
const TOLD_WITHIN_MS = 100;
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
  readonly #touched = new ChangedPathsBuffer();
  /** Of what was looked at for what is new: what is to be looked at for what is gone. */
  readonly #unsettled = new ChangedPathsBuffer();
  #unsettledSince: number | undefined;
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
    this.options.log.info({ root: this.options.root, folders: this.#tree.size }, 'watching catalog');
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
    if (limit === undefined) return log.warn({ err: error, root }, 'watching catalog failed');
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
    if (this.#closed || (this.#touched.isEmpty && this.#unsettled.isEmpty)) return;
    const touched = this.#touched.take();
    try {
      await this.#takeIn(touched);
      await this.#settle();
    } catch (err) {
      const { log, root } = this.options;
      log.warn({ err, root }, 'scan of changed paths failed');
      // A root that comes back is scanned as a whole.
      if (err instanceof RootUnusable) this.#forgetUnsettled();
      else this.#lookAgain(touched);
    }
  }

  async #takeIn(touched: Touched | 'all'): Promise<void> {
    await this.options.onNew(touched);
    if (touched === 'all') return this.#forgetUnsettled();
    this.#unsettledSince ??= performance.now();
    this.#unsettled.putBack(touched);
  }

  /**
   * A move is reported twice, at its old and its new path: nothing counts as removed while changed paths wait to be scanned for new files, or while
   * not every folder is watched.
   */
  async #settle(): Promise<void> {
    if (this.#unsettled.isEmpty) return;
    const isNeverQuiet = performance.now() - (this.#unsettledSince ?? 0) > LONGEST_UNREST_MS;
    if (this.#limit !== undefined || isNeverQuiet) return this.#takeIn('all');
    if (!(await this.#isQuiet())) return this.#lookLater();
    const leaving = this.#unsettled.take();
    try {
      if (leaving === 'all') return await this.#takeIn('all');
      await this.options.onQuiet(leaving, () => this.#stillQuiet());
      this.#unsettledSince = undefined;
    } catch (error) {
      this.#unsettled.putBack(leaving);
      // The next look follows what happened.
      if (!(error instanceof ChangedDuringCheck)) throw error;
      this.#lookLater();
    }
  }

  async #stillQuiet(): Promise<void> {
    if (!(await this.#isQuiet())) throw new ChangedDuringCheck('something happens in the catalog');
  }

  /** True when nothing has happened since the last look at what is new began. The system has told of everything by then that happened before the question. */
  async #isQuiet(): Promise<boolean> {
    await delay(TOLD_WITHIN_MS);
    // Timers come before what the system tells, in a turn of the loop.
    await nextTurn();
    await this.#tree.caughtUp();
    return !this.#closed && this.#touched.isEmpty && this.#limit === undefined;
  }

  #forgetUnsettled(): void {
    this.#unsettled.take();
    this.#unsettledSince = undefined;
  }

  /** With whatever happens next, or else after a while: a full disk, a scan for something else that is under way, a library that is away. */
  #lookAgain(touched: Touched | 'all'): void {
    this.#touched.putBack(touched);
    this.#lookLater();
  }

  /** Unless something has happened: then that is looked at soon. */
  #lookLater(): void {
    if (this.#closed || this.#firstAt !== undefined) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), LONGEST_WAIT_MS);
    this.#timer.unref();
  }
}
