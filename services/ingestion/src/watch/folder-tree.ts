import { watch, type FSWatcher } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { IGNORE_MARKER, isIgnoredName } from '../walk/file-kinds.js';
import { errorCode } from '../walk/list-folder.js';

/** Callbacks of a folder watch. Paths are absolute. */
export interface TreeListener {
  /** A folder appeared or went, or nobody knows what happened in it. */
  readonly onFolder: (path: string) => void;
  /** Something happened to an entry of a folder that is no folder. */
  readonly onFile: (folder: string, name: string) => void;
  readonly onError: (error: unknown) => void;
}

/** Folders that are listed at the same time. */
const LISTED_AT_ONCE = 32;
const GONE = new Set(['ENOENT', 'ENOTDIR']);

/**
 * Watches a folder and all below it with a watch of the system for each, and nothing else in memory: libraries that watch trees keep much more of each, and look at every
 * file. Hidden folders and links are left alone.
 */
export class FolderTree {
  readonly #watches = new Map<string, FSWatcher>();
  readonly #ready: Promise<void>;
  readonly #underWay = new Set<Promise<void>>();
  #closed = false;

  constructor(
    root: string,
    private readonly listener: TreeListener,
  ) {
    this.#ready = this.#add(root);
  }

  /** Resolves when every folder is watched that can be. */
  get ready(): Promise<void> {
    return this.#ready;
  }

  /** Folders that are watched. */
  get size(): number {
    return this.#watches.size;
  }

  /** Resolves when everything is told that the system has told until now, and new folders that it was about are watched. */
  async caughtUp(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  close(): void {
    this.#closed = true;
    for (const one of this.#watches.values()) one.close();
    this.#watches.clear();
  }

  /** Watches a folder and those below it. Each is watched before it is listed, so that nothing that comes meanwhile is missed. */
  async #add(top: string): Promise<void> {
    const waiting = [top];
    while (waiting.length > 0 && !this.#closed) {
      const batch = waiting.splice(-LISTED_AT_ONCE).filter((path) => this.#watch(path));
      for (const below of await Promise.all(batch.map((path) => this.#foldersOf(path)))) waiting.push(...below);
    }
  }

  #watch(path: string): boolean {
    if (this.#watches.has(path)) return false;
    try {
      const one = watch(path, (event, name) => this.#hear(path, name, event === 'rename'));
      one.on('error', (error) => this.#fail(error));
      this.#watches.set(path, one);
      return true;
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  async #foldersOf(path: string): Promise<string[]> {
    try {
      const entries = await readdir(path, { withFileTypes: true });
      return entries.filter((entry) => entry.isDirectory() && !isIgnoredName(entry.name)).map(({ name }) => join(path, name));
    } catch (error) {
      this.#fail(error);
      return [];
    }
  }

  #hear(folder: string, name: string | null, cameOrWent: boolean): void {
    const work: Promise<void> = this.#happened(folder, name, cameOrWent).finally(() => this.#underWay.delete(work));
    this.#underWay.add(work);
  }

  /** `cameOrWent`: as far as the system tells, the entry is not the one that it was. */
  async #happened(folder: string, name: string | null, cameOrWent: boolean): Promise<void> {
    if (this.#closed) return;
    if (name === null || name === IGNORE_MARKER) return this.listener.onFolder(folder);
    if (isIgnoredName(name)) return;
    const path = join(folder, name);
    const isFolder = await this.#isFolder(path);
    if (this.#closed) return;
    const wasFolder = this.#watches.has(path);
    // Another folder of the same name has to be watched anew.
    if (wasFolder && (cameOrWent || !isFolder)) this.#drop(path);
    if (wasFolder !== isFolder || (isFolder && cameOrWent)) this.listener.onFolder(path);
    if (isFolder) await this.#add(path);
    else if (!wasFolder) this.listener.onFile(folder, name);
  }

  async #isFolder(path: string): Promise<boolean> {
    try {
      return (await lstat(path)).isDirectory();
    } catch (error) {
      if (!GONE.has(errorCode(error))) this.#fail(error);
      return false;
    }
  }

  #drop(top: string): void {
    for (const [path, one] of this.#watches) {
      if (path !== top && !path.startsWith(`${top}${sep}`)) continue;
      one.close();
      this.#watches.delete(path);
    }
  }

  /** Ignores errors of files that vanished meanwhile. */
  #fail(error: unknown): void {
    if (!this.#closed && !GONE.has(errorCode(error))) this.listener.onError(error);
  }
}
