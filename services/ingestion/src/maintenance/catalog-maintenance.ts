import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  isElsewhere,
  Rejection,
  type CommandMessage,
  type LogPosition,
  type maintainPath,
  type MessageContext,
  type PathTask,
  type ReadModel,
  type rereadSongs,
  type ScannedTrack,
  type ScanMode,
  type SongId,
  type ScannedCatalog,
} from '@continuo/contracts';
import { contextOf } from '@continuo/chassis';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { isInside } from '@continuo/media-store';
import { CatalogScan, type ScanPart, type ScanDependencies } from '../scan/catalog-scan.js';
import { kindOfFiles } from '../scan/walked-parts.js';
import { FolderSender } from '../scan/folder-sender.js';
import { catalogById, presentFolders, tracksOfFolders } from '../scan/known-folders.reads.js';
import { zeroCounts } from '../scan/scan.decider.js';
import { ScanTally } from '../scan/scan-tally.js';
import { RootUnusable } from '../walk/walk.js';
import { catalogRoot, pathInCatalog, requireWalkable, type CatalogPath } from './catalog-path.js';
import { deleteFile, rootForDeletion, type DeletableFile } from './file-deletion.js';
import { locateRemoteFile, readRemoteTags } from './remote-file.js';
import { isKnownFile, songPlaces, type SongPlace } from './song-places.reads.js';

/** Outcome of maintenance. */
export type MaintenanceOutcome = z.input<typeof rereadSongs.result>;
/** An outcome with the places in the log to wait for. */
export interface MaintenanceResult<R> {
  readonly result: R;
  readonly positions: readonly LogPosition[];
}

export interface MaintenanceDependencies extends ScanDependencies {
  readonly db: Kysely<ReadModel>;
  /** Whether files may be deleted from the disk. */
  readonly deletesFromDisk: boolean;
}

/** Longest time for one task; a larger folder is a matter for a scan of the catalog. */
const TASK_LIMIT_MS = 20 * 60_000;
/** Time to wait until readers see a removal, ms. */
const SHOWN_PATIENCE_MS = 30_000;
const FOLDERS_PER_PAGE = 500;

const modes: Readonly<Record<Exclude<PathTask, 'remove'>, ScanMode>> = { add: 'add', clean: 'clean', verify: 'verify' };

interface Target {
  readonly catalog: ScannedCatalog;
  readonly kind: 'file' | 'folder';
  readonly place: CatalogPath;
}

/** One maintenance: who asked, what has been counted and how far it has written. */
class Run {
  readonly tally = new ScanTally(zeroCounts);
  readonly signal = AbortSignal.timeout(TASK_LIMIT_MS);
  #last: LogPosition | undefined;

  constructor(readonly context: MessageContext) {}

  wrote(position: LogPosition | undefined): void {
    if (position && position.position > (this.#last?.position ?? 0)) this.#last = position;
  }

  get positions(): LogPosition[] {
    return this.#last ? [this.#last] : [];
  }

  get outcome(): MaintenanceOutcome {
    const { foldersSeen: _folders, filesSeen: _files, ...counts } = this.tally.counts();
    return { filesRead: this.tally.filesRead, ...counts, skipped: [...this.tally.samples] };
  }
}

/** Only files of this machine are ever deleted. */
const filesStay = (): Rejection => new Rejection('feature.disabled', undefined, 'delete_from_disk');

const folderOf = (path: string): string => (path.includes('/') ? dirname(path) : '');

/** Maintains single files, folders and songs while somebody waits. Beside a running scan, the folders' events settle who came first. */
export class CatalogMaintenance {
  constructor(private readonly deps: MaintenanceDependencies) {}

  /** @throws Rejection as {@link maintainPath} says */
  async maintain(
    { catalogId, kind, path, tasks }: z.output<typeof maintainPath.schema>,
    message: CommandMessage,
  ): Promise<MaintenanceResult<MaintenanceOutcome>> {
    if (tasks.includes('remove')) this.#requireDeletion();
    const catalog = await catalogById(this.deps.db, catalogId);
    if (catalog === undefined) throw new Rejection('catalog.not-found', undefined, String(catalogId));
    const isFar = isElsewhere(catalog.path);
    if (isFar && tasks.includes('remove')) throw filesStay();
    const place = isFar
      ? await locateRemoteFile(this.deps.openFiles, catalog.path, { kind, path, kindOf: kindOfFiles(catalog) })
      : await pathInCatalog(catalog.path, kind, path);
    if (!place.exists && !tasks.includes('clean')) throw new Rejection('media.not-found', undefined, path);
    const run = new Run(contextOf(message));
    for (const task of tasks) await this.#perform(task, { catalog, kind, place }, run);
    return { result: run.outcome, positions: run.positions };
  }

  async #perform(task: PathTask, target: Target, run: Run): Promise<void> {
    const { catalog, kind, place } = target;
    if (task === 'remove') return this.#removeAll(target, run);
    if (task === 'add' && place.exists && !isElsewhere(catalog.path))
      await requireWalkable(await catalogRoot(catalog.path), { kind, path: place.path, kindOf: kindOfFiles(catalog) });
    const part: ScanPart =
      kind === 'folder'
        ? { kind: 'trees', paths: [place.path] }
        : { kind: 'files', folders: new Map([[folderOf(place.path), new Set([basename(place.path)])]]) };
    await this.#scan(catalog, { mode: modes[task], part }, run);
  }

  async #scan(catalog: ScannedCatalog, what: { mode: ScanMode; part: ScanPart }, run: Run): Promise<void> {
    const { context, tally, signal } = run;
    try {
      run.wrote(await CatalogScan.execute(this.deps, { catalog, ...what, context, tally, signal }));
    } catch (error) {
      if (error instanceof RootUnusable) throw new Rejection('catalog.path-unusable', error.message, catalog.path, { cause: error });
      if (signal.aborted)
        throw new Rejection('unavailable', 'this takes too long; scan the whole catalog instead', undefined, { cause: error });
      throw error;
    }
  }

  /** Reads the files of songs again. @throws Rejection `catalog.path-unusable` */
  async reread(songIds: readonly SongId[], message: CommandMessage): Promise<MaintenanceResult<MaintenanceOutcome>> {
    const run = new Run(contextOf(message));
    const places = await songPlaces(this.deps.db, songIds);
    for (const ofCatalog of Map.groupBy(places, ({ catalog }) => catalog.id).values()) {
      const byFolder = Map.groupBy(ofCatalog, ({ folderPath }) => folderPath);
      const folders = new Map([...byFolder].map(([path, songs]) => [path, new Set(songs.map(({ fileName }) => fileName))]));
      await this.#scan((ofCatalog[0] as SongPlace).catalog, { mode: 'verify', part: { kind: 'files', folders } }, run);
    }
    return { result: run.outcome, positions: run.positions };
  }

  /** Reads the tags of a song's file. @throws Rejection `song.not-found`, `media.not-found` or `media.failed` */
  async tags(songId: SongId): Promise<{ file: string; track: ScannedTrack }> {
    const { catalog, folderPath, fileName } = await this.#place(songId);
    if (isElsewhere(catalog.path)) return readRemoteTags(this.deps, catalog.path, { folderPath, fileName, kindOf: kindOfFiles(catalog) });
    const { realRoot, path } = await this.#fileInside(catalog.path, join(folderPath, fileName));
    const { size, mtimeMs } = await lstat(path);
    const read = await this.deps.reader.readTrack({
      path,
      fileName,
      folderPath,
      sizeBytes: size,
      mtimeMs: Math.max(0, Math.trunc(mtimeMs)),
      lyricsPaths: [],
    });
    if (!read.ok) throw new Rejection(read.reason === 'vanished' ? 'media.not-found' : 'media.failed', read.message, String(songId));
    return { file: join(realRoot, folderPath, fileName), track: read.track };
  }

  async #fileInside(root: string, relativePath: string): Promise<{ realRoot: string; path: string }> {
    const realRoot = await catalogRoot(root);
    const path = await realpath(join(realRoot, relativePath)).catch((error: unknown) => {
      throw new Rejection('media.not-found', undefined, undefined, { cause: error });
    });
    if (!isInside(realRoot, path) || !(await lstat(path)).isFile()) throw new Rejection('media.not-found');
    return { realRoot, path };
  }

  /** Deletes a song's file, then the song. @throws Rejection as {@link deleteSongFile} says */
  async deleteSong(songId: SongId, message: CommandMessage): Promise<MaintenanceResult<Record<string, never>>> {
    this.#requireDeletion();
    const run = new Run(contextOf(message));
    const { catalog, ...file } = await this.#place(songId);
    if (file.isPart)
      throw new Rejection('media.failed', 'the song shares its file with others, which would be deleted with it', String(songId));
    if (isElsewhere(catalog.path)) throw filesStay();
    await this.#remove(catalog, [file], run);
    return { result: {}, positions: run.positions };
  }

  async #removeAll({ catalog, kind, place }: Target, run: Run): Promise<void> {
    if (kind === 'file') {
      const file = { folderPath: folderOf(place.path), fileName: basename(place.path) };
      if (await isKnownFile(this.deps.db, catalog, file)) await this.#remove(catalog, [file], run);
      return;
    }
    for (let afterId = 0; ;) {
      const page = await presentFolders(this.deps.db, { catalogId: catalog.id, within: place.path, afterId, limit: FOLDERS_PER_PAGE });
      const ids = page.map(({ id }) => id);
      for (const { path, names } of await tracksOfFolders(this.deps.db, catalog, ids)) {
        const files = names.map((fileName) => ({ folderPath: path, fileName }));
        await this.#remove(catalog, files, run);
      }
      if (page.length < FOLDERS_PER_PAGE) return;
      afterId = page.at(-1)?.id ?? afterId;
    }
  }

  /** The disk first: a song is recorded as gone only when its file is. What was deleted before a failure is recorded too. */
  async #remove(catalog: ScannedCatalog, files: readonly DeletableFile[], run: Run): Promise<void> {
    if (files.length === 0) return;
    const realRoot = await rootForDeletion(catalog.path);
    const { commands, watch } = this.deps;
    const sender = new FolderSender(commands, { catalog, context: run.context, signal: run.signal }, run.tally);
    for (const [path, inFolder] of Map.groupBy(files, ({ folderPath }) => folderPath)) {
      const goneFiles: string[] = [];
      try {
        for (const file of inFolder) {
          await deleteFile(realRoot, file);
          goneFiles.push(file.fileName);
        }
      } finally {
        if (goneFiles.length > 0) await sender.sendGone({ path, goneFiles });
      }
    }
    run.wrote(sender.lastPosition);
    if (sender.lastPosition) await watch.waitFor([sender.lastPosition], SHOWN_PATIENCE_MS);
  }

  async #place(songId: SongId): Promise<SongPlace> {
    const [place] = await songPlaces(this.deps.db, [songId]);
    if (place === undefined) throw new Rejection('song.not-found', undefined, String(songId));
    return place;
  }

  #requireDeletion(): void {
    if (!this.deps.deletesFromDisk) throw new Rejection('feature.disabled', undefined, 'delete_from_disk');
  }
}
