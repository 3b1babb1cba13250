import { stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { watch, type FSWatcher } from 'chokidar';
import type { Logger } from 'pino';
import { fileKind, IGNORE_MARKER, isIgnoredName } from '../walk/file-kinds.js';
import { errorCode } from '../walk/list-folder.js';
import { videoFileKind } from '../video/video-files.js';
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

const isOfUse = (name: string): boolean => fileKind(name) !== undefined || videoFileKind(name) !== undefined;

/**
 * Watches the folders of one catalog. Only folders are kept in memory, not files: what happens to a file shows at its folder. Touched places are told when
 * nothing has happened for a while.
 */
export class CatalogWatch {
  readonly #touched = new TouchedPlaces();
  readonly #watcher: FSWatcher;
  readonly #ready: Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #firstAt: number | undefined;
  #looking: Promise<void> = Promise.resolve();
  #closed = false;
  #limit: string | undefined;

  constructor(private readonly options: WatchOptions) {
    const { root, log } = options;
    this.#watcher = watch(root, {
      ignoreInitial: true,
      followSymlinks: false,
      ignorePermissionErrors: true,
      ignored: (path, stats) => stats?.isFile() === true || (path !== root && isIgnoredName(basename(path))),
    });
    this.#watcher.on('addDir', (path) => this.#touchTree(path));
    this.#watcher.on('unlinkDir', (path) => this.#touchTree(path));
    this.#watcher.on('raw', (_event, name, details) => void this.#touch(name, details));
    this.#watcher.on('error', (error) => this.#fail(error));
    this.#ready = new Promise((resolve) => this.#watcher.once('ready', resolve));
    void this.#ready.then(() => log.info({ root, folders: Object.keys(this.#watcher.getWatched()).length }, 'a catalog is watched'));
  }

  /** Resolves when every folder is watched. */
  get ready(): Promise<void> {
    return this.#ready;
  }

  /** Why not everything can be watched; undefined when it can. */
  get limit(): string | undefined {
    return this.#limit;
  }

  /** Ends the watch; a look that is under way comes to its end. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#watcher.close();
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

  /** Something has happened to an entry of a folder, and only files are of interest: folders have events of their own. */
  async #touch(name: string | null, details: unknown): Promise<void> {
    const folder = (details as { watchedPath?: unknown } | undefined)?.watchedPath;
    if (typeof folder !== 'string' || name === null || name === '') return;
    const file = basename(name);
    if (file === IGNORE_MARKER) return this.#touchTree(folder);
    if (isIgnoredName(file) || !isOfUse(file)) return;
    const isFolder = await isFolderAt(join(folder, file));
    if (isFolder || this.#closed) return;
    // Playlists name songs from anywhere: they come with their folder.
    if (fileKind(file) === 'playlist') this.#touched.tree(this.#pathOf(folder));
    else this.#touched.file(this.#pathOf(folder), file);
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
    await onQuiet(this.#touched.take()).catch((err: unknown) => {
      log.warn({ err, root }, 'what was touched in a catalog could not be looked at');
    });
  }
}

const isFolderAt = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    // It went again: then it was of interest at most as a file.
    return false;
  }
};
