import { realpath, stat } from 'node:fs/promises';
import { LeaderLock, nextBeat } from '@continuo/chassis';
import type { CatalogId } from '@continuo/contracts';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { errorCode, inodeKey } from '../walk/list-folder.js';
import { automaticCatalogs, isBeforeViews } from './automatic-catalogs.reads.js';
import { CatalogWatch } from './catalog-watch.js';
import { addChangedPath, removeMissingPaths, startWholeScan, type ChangedPathsScanDependencies } from './changed-paths-scan.js';

export interface KeeperDependencies extends ChangedPathsScanDependencies {
  /** Pool on which the lock lives. */
  readonly lockDb: Kysely<unknown>;
  /** Whether catalogs are watched that do not say it themselves. */
  readonly isWatchedByDefault: boolean;
  readonly quietMs: number;
  /** Time between two looks at which catalogs there are, ms. */
  readonly lookIntervalMs: number;
}

interface Kept {
  readonly path: string;
  /** Device and inode of the root: another disk in its place is watched anew. */
  readonly key: string;
  readonly watch: CatalogWatch;
}

const LOCK = 'ingestion-watch';

/**
 * Watches local catalogs that are enabled, by their own choice or by the setting, in one worker of the whole cluster: whoever holds the lock. A catalog whose root goes
 * away is left alone, and watched again with a scan before when it is back, as it is after every start: nobody saw what happened meanwhile.
 */
export class CatalogWatcher implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #stopped = new AbortController();
  readonly #kept = new Map<CatalogId, Kept>();
  #running: Promise<void> = Promise.resolve();

  constructor(private readonly deps: KeeperDependencies) {}

  onApplicationBootstrap(): void {
    this.#running = this.#run();
  }

  async onApplicationShutdown(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      try {
        const lock = (await this.#wanted()).size > 0 ? await LeaderLock.tryAcquire(this.deps.lockDb, LOCK) : undefined;
        if (lock) await this.#lead(lock);
      } catch (err) {
        if (isBeforeViews(err)) this.deps.log.debug('watching waits for the views of the library');
        else this.deps.log.warn({ err }, 'watching catalogs was interrupted');
      }
      await nextBeat(this.deps.lookIntervalMs, this.#stopped.signal);
    }
  }

  async #lead(lock: LeaderLock): Promise<void> {
    try {
      while (!this.#stopped.signal.aborted && !lock.lost.aborted) {
        const wanted = await this.#wanted();
        await this.#look(wanted);
        if (wanted.size === 0) return;
        await nextBeat(this.deps.lookIntervalMs, this.#stopped.signal);
      }
    } finally {
      await Promise.all([...this.#kept.keys()].map((id) => this.#leave(id)));
      await lock.release();
    }
  }

  /** Roots of the catalogs that are to be watched. */
  async #wanted(): Promise<ReadonlyMap<CatalogId, string>> {
    const catalogs = await automaticCatalogs(this.deps.db);
    const chosen = catalogs.filter(({ type, watched }) => type === 'local' && (watched ?? this.deps.isWatchedByDefault));
    return new Map(chosen.map(({ id, path }) => [id as CatalogId, path]));
  }

  async #look(wanted: ReadonlyMap<CatalogId, string>): Promise<void> {
    for (const [id, kept] of this.#kept) if (wanted.get(id) !== kept.path || (await keyOf(kept.path)) !== kept.key) await this.#leave(id);
    for (const [id, path] of wanted) if (!this.#kept.has(id)) await this.#begin(id, path);
  }

  async #begin(id: CatalogId, path: string): Promise<void> {
    const key = await keyOf(path);
    if (key === undefined) return;
    const { quietMs, log } = this.deps;
    const watch = new CatalogWatch({
      root: await realpath(path),
      quietMs,
      log,
      onNew: (touched) => addChangedPath(this.deps, id, touched),
      onQuiet: (touched, stillQuiet) => removeMissingPaths(this.deps, id, touched, stillQuiet),
    });
    this.#kept.set(id, { path, key, watch });
    await watch.ready();
    // Changes made while nothing was watched.
    await startWholeScan(this.deps, id, 'watch').catch((err: unknown) => {
      log.warn({ err, catalogId: id }, 'scan before watching catalog failed');
    });
  }

  async #leave(id: CatalogId): Promise<void> {
    const kept = this.#kept.get(id);
    this.#kept.delete(id);
    await kept?.watch.close();
  }
}

/** Undefined when the root is not there. */
const keyOf = async (path: string): Promise<string | undefined> => {
  try {
    return inodeKey(await stat(path));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EIO', 'ESTALE', 'ENOTCONN', 'EHOSTDOWN'].includes(errorCode(error))) return undefined;
    throw error;
  }
};
