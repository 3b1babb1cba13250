import type { CommandClient, ProjectionWatch } from '@continuo/chassis';
import {
  isElsewhere,
  type FolderId,
  type LogPosition,
  type MessageContext,
  type ReadModel,
  type ScanId,
  type ScanMode,
  type FolderPlan,
  type ScannedCatalog,
} from '@continuo/contracts';
import type { Kysely } from 'kysely';
import type { ArtStore } from '@continuo/media-store';
import type { CatalogFiles, OpenFiles } from '../catalog-files/catalog-files.js';
import type { ImportingScan, WalkedPlaylistFile, PlaylistImport } from '../playlist/playlist-import.js';
import type { TagReader } from '../tags/tag-reader.js';
import type { VideoReader } from '../video/video-reader.js';
import { VideoRecorder } from '../video/video-recorder.js';
import { RootUnusable, type WalkOptions } from '../walk/walk.js';
import type { WalkedFolder } from '../walk/walked-folder.js';
import { ArtKeeper } from './art-keeper.js';
import { ArtistPictures } from './artist-pictures.js';
import { isSettled, planFolder, removes, type KnownFolder } from './folder-plan.js';
import { FolderRecorder } from './folder-recorder.js';
import { FolderSender } from './folder-sender.js';
import { IdSet } from './id-set.js';
import { MoveFinder, type MoveCandidate } from './move-finder.js';
import { retryTransient } from './retry-transient.js';
import type { PictureNames } from './picture-names.js';
import { recordRemovals } from './removals.js';
import { filePath, ScanTally } from './scan-tally.js';
import { FolderWork } from './sharing/folder-work.js';
import { foldersToRecheck } from './folder-recheck.js';
import { zeroCounts } from './scan.decider.js';
import { ScanSharing, type SharingDependencies } from './sharing/scan-sharing.js';
import { compareFolders, emptyPlan, type UnchangedFolder } from './unchanged-folders.js';
import { inBatches, isBareFolder, kindOfFiles, likelyMoves, readAhead, singleFolders } from './walked-parts.js';

/** Dependencies of a scan. */
export interface ScanDependencies {
  readonly db: Kysely<ReadModel>;
  readonly commands: CommandClient;
  readonly openFiles: OpenFiles;
  readonly reader: TagReader;
  readonly videos: VideoReader;
  readonly art: ArtStore;
  readonly watch: ProjectionWatch;
  /** Absent: nothing is shared with other workers. */
  readonly sharing?: SharingDependencies;
  /** Folders whose files are read and sent at the same time. */
  readonly foldersInFlight: number;
  /** Name patterns of folder pictures; default: the usual names. */
  readonly pictureNames?: PictureNames;
  /** Name patterns of artist pictures; none are looked for without it. */
  readonly artistPictureNames?: PictureNames;
  /** Creates the playlist import of a scan. */
  readonly playlists: (scan: ImportingScan) => PlaylistImport;
}

/** A part of a catalog: folders with everything below them, or single files by their folders' paths. */
export type ScanPart =
  | { readonly kind: 'trees'; readonly paths: readonly string[] }
  | { readonly kind: 'files'; readonly folders: ReadonlyMap<string, ReadonlySet<string>> };

/** One run of a scan. */
export interface ScanRun {
  readonly catalog: ScannedCatalog;
  readonly mode: ScanMode;
  /** Known by this id, the run may be shared with other workers. */
  readonly scanId?: ScanId;
  /** The whole catalog without it. */
  readonly part?: ScanPart;
  readonly context: MessageContext;
  readonly tally: ScanTally;
  readonly signal: AbortSignal;
  /** Called when something was found to be gone, before that is recorded; throws to have it stay. */
  readonly beforeRemoval?: () => Promise<void>;
  /** Told of failures that are tried again, and with nothing when it goes on. */
  readonly onTrouble?: (error?: unknown) => void;
  /** True for a look in between, after which another removes what is gone. */
  readonly keepsGone?: boolean;
}

/** Time that the end of a scan waits for projections, ms. */
const SHOWN_PATIENCE_MS = 120_000;
/** Time that the database may be unavailable before this attempt ends, ms. */
const DATABASE_PATIENCE_MS = 60_000;

const noCandidates: ReadonlyMap<string, MoveCandidate[]> = new Map();

/** Walks a catalog, compares it with what the library knows, and records the differences. */
export class CatalogScan {
  readonly #recorder: Pick<FolderRecorder, 'record'>;
  readonly #sender: FolderSender;
  readonly #moves: MoveFinder;
  readonly #work: FolderWork;
  #helped: LogPosition | undefined;
  readonly #seen = new IdSet();
  readonly #withMissing: FolderId[] = [];
  readonly #unreadable: string[] = [];
  readonly #excluded: string[] = [];
  readonly #playlists: WalkedPlaylistFile[] = [];
  readonly #artistPictures: ArtistPictures | undefined;
  readonly #beganAt = Date.now();
  #knowsSomething: boolean;

  private constructor(
    private readonly deps: ScanDependencies,
    private readonly run: ScanRun,
    private readonly files: CatalogFiles,
  ) {
    const { catalog, context, signal, tally } = run;
    this.#sender = new FolderSender(deps.commands, { catalog, context, signal, onTrouble: run.onTrouble }, tally);
    this.#moves = new MoveFinder(deps.db, catalog, files);
    const recording = { files, sender: this.#sender, moves: this.#moves, tally, signal, movesOnly: run.mode === 'clean' };
    this.#recorder =
      catalog.gathers === 'video'
        ? new VideoRecorder({ ...recording, reader: deps.videos })
        : new FolderRecorder({ ...recording, reader: files.tags ?? deps.reader, art: new ArtKeeper(deps.art) });
    if (catalog.gathers !== 'video' && deps.artistPictureNames)
      this.#artistPictures = new ArtistPictures(
        { ...deps, reader: files.tags ?? deps.reader, files, art: new ArtKeeper(deps.art), catalog, context, tally, signal },
        deps.artistPictureNames,
      );
    this.#work = new FolderWork({
      inFlight: deps.foldersInFlight,
      record: ({ plan, candidates }) => this.#recorder.record(plan, candidates),
      signal,
      clockMs: () => performance.now(),
    });
    this.#knowsSomething = catalog.mediaCount > 0;
  }

  /**
   * Runs to the end; answers the furthest place in the library's log that it has written.
   * @throws RootUnusable when the catalog's folder is missing, unreadable or suddenly empty; nothing is removed then
   */
  static async execute(deps: ScanDependencies, run: ScanRun): Promise<LogPosition | undefined> {
    const files = await deps.openFiles(run.catalog.path);
    try {
      const scan = new CatalogScan(deps, run, files);
      await scan.#walk();
      await scan.#refuseEmptyRoot();
      if (scan.#knowsSomething && removes(run.mode) && !run.keepsGone) {
        await scan.#lookAgain();
        await scan.#removeGone();
      }
      await scan.#waitUntilShown();
      await scan.#importPlaylists();
      await scan.#recordArtistPictures();
      return scan.#lastPosition;
    } finally {
      await files.close();
    }
  }

  /** Records folders that another worker has looked at for its scan; answers the furthest place in the library's log that was written. */
  static async record(
    deps: ScanDependencies,
    run: ScanRun,
    { plans, knowsSomething }: { readonly plans: readonly FolderPlan[]; readonly knowsSomething: boolean },
  ): Promise<LogPosition | undefined> {
    const files = await deps.openFiles(run.catalog.path);
    try {
      const scan = new CatalogScan(deps, run, files);
      scan.#knowsSomething = knowsSomething;
      await scan.#recordAll(plans);
      return scan.#lastPosition;
    } finally {
      await files.close();
    }
  }

  /** Last log position of this worker and its helpers. */
  get #lastPosition(): LogPosition | undefined {
    const own = this.#sender.lastPosition;
    return (this.#helped?.position ?? 0) > (own?.position ?? 0) ? this.#helped : own;
  }

  #walked(): AsyncIterable<WalkedFolder> {
    const { part, signal } = this.run;
    const kindOf = kindOfFiles(this.run.catalog);
    if (part?.kind === 'files') return singleFolders(this.files, part.folders.keys(), { signal, kindOf });
    return this.#trees(part?.paths ?? [''], { signal, kindOf });
  }

  async *#trees(paths: readonly string[], options: WalkOptions): AsyncGenerator<WalkedFolder> {
    for (const from of paths) yield* this.files.walk({ ...options, from });
  }

  /** Waits until the scan's songs are readable, before it is reported as finished. */
  async #waitUntilShown(): Promise<void> {
    const last = this.#lastPosition;
    if (last) await this.deps.watch.waitFor([last], SHOWN_PATIENCE_MS);
  }

  async #recordArtistPictures(): Promise<void> {
    const last = await this.#artistPictures?.record();
    if (last) await this.deps.watch.waitFor([last], SHOWN_PATIENCE_MS);
  }

  /** Lists name songs, so that they come last; a look at single files or at what is known already leaves them alone. */
  async #importPlaylists(): Promise<void> {
    const { catalog, context, mode, part, signal, tally } = this.run;
    // Playlist files are read from folders of this machine alone: their entries are paths there.
    if (part?.kind === 'files' || isElsewhere(catalog.path) || !(mode === 'changes' || mode === 'add' || mode === 'update')) return;
    const { songsAdded, songsChanged, songsMoved } = tally.counts();
    const lists = this.deps.playlists({ catalog, root: this.files.root, context, tally, signal });
    await lists.run(this.#playlists, songsAdded + songsChanged + songsMoved > 0);
  }

  async #walk(): Promise<void> {
    const sharing = this.#share();
    try {
      for await (const batch of readAhead(inBatches(this.#walked()))) await this.#compare(batch);
    } finally {
      // Also after a failure: what is under way ends before the lease is given back.
      await this.#work.idle().finally(() => sharing?.stop());
      this.#helped = sharing?.lastPosition;
    }
  }

  #share(): ScanSharing | undefined {
    const { sharing } = this.deps;
    const { scanId, catalog, mode, context, tally } = this.run;
    if (sharing === undefined || scanId === undefined) return undefined;
    return new ScanSharing(sharing, { scanId, catalog, mode, context, tally, knowsSomething: () => this.#knowsSomething }, this.#work);
  }

  async #compare(batch: readonly WalkedFolder[]): Promise<void> {
    const { db } = this.deps;
    const { catalog, mode, part } = this.run;
    const comparison = { mode, isPartial: part?.kind === 'files', pictures: this.deps.pictureNames };
    const known = await this.#retryTransient(() => compareFolders(db, catalog, batch, comparison));
    if (known.size > 0) this.#knowsSomething = true;
    const plans = batch.map((folder) => this.#plan(folder, known.get(folder.path)));
    const candidates = await this.#candidates(plans);
    for (const whole of plans) {
      const plan = this.run.mode === 'clean' ? likelyMoves(whole, (file) => candidates.has(this.#moves.keyOf(file))) : whole;
      if (!isSettled(plan)) await this.#work.add({ plan, candidates });
    }
  }

  async #recordAll(plans: readonly FolderPlan[]): Promise<void> {
    const candidates = await this.#candidates(plans);
    try {
      for (const plan of plans) await this.#work.add({ plan, candidates });
    } finally {
      await this.#work.idle();
    }
  }

  /** Known songs that the new files of some folders may be. */
  async #candidates(plans: readonly FolderPlan[]): Promise<ReadonlyMap<string, MoveCandidate[]>> {
    const fresh = this.#knowsSomething ? plans.flatMap((plan) => plan.read.filter((file) => file.before?.kind !== 'track')) : [];
    return fresh.length > 0 ? this.#retryTransient(() => this.#moves.candidates(fresh)) : noCandidates;
  }

  #plan(folder: WalkedFolder, known: KnownFolder | UnchangedFolder | undefined): FolderPlan {
    const { tally } = this.run;
    const { mode, part } = this.run;
    const only = part?.kind === 'files' ? part.folders.get(folder.path) : undefined;
    const isUnchanged = known !== undefined && 'isUnchanged' in known;
    const plan = isUnchanged ? emptyPlan(folder.path) : planFolder(folder, known, { mode, only, pictures: this.deps.pictureNames });
    tally.sawFolder(folder.media.length);
    if (folder.state === 'listed' && this.run.mode !== 'clean') this.#artistPictures?.meet(folder);
    for (const entry of plan.report) tally.skipped(filePath(folder.path, entry.fileName), entry.reason, entry.message);
    for (const notice of folder.notices) tally.noticed(filePath(folder.path, notice.fileName), notice.reason, notice.message);
    for (const { name, sizeBytes, mtimeMs } of folder.playlists)
      this.#playlists.push({ path: filePath(folder.path, name), sizeBytes, mtimeMs });
    if (folder.state === 'unreadable') this.#unreadable.push(folder.path);
    if (folder.state === 'vanished') this.#excluded.push(folder.path);
    else if (known) this.#seen.add(known.folderId);
    if (known && (plan.missing.length > 0 || (only && folder.state === 'vanished'))) this.#withMissing.push(known.folderId);
    return plan;
  }

  /** A catalog that had songs and now shows none is far more likely an absent disk than a cleared one. */
  async #refuseEmptyRoot(): Promise<void> {
    await this.#checkRoot();
    const { part, tally, mode } = this.run;
    const { path, gathers, mediaCount } = this.run.catalog;
    const isEmpty = part === undefined ? tally.filesSeen === 0 : removes(mode) && (await isBareFolder(path));
    if (isEmpty && mediaCount > 0) {
      const known = `${mediaCount} ${gathers === 'video' ? 'videos' : 'songs'}`;
      throw new RootUnusable(
        `${path} holds no media any more, but the library knows ${known} there; nothing was removed. Is the disk mounted? Remove the catalog if they are gone for good.`,
      );
    }
  }

  async #checkRoot(): Promise<void> {
    const { path } = this.run.catalog;
    const again = await this.deps.openFiles(path);
    await again.close();
    if (again.key !== this.files.key)
      throw new RootUnusable(`${path} is another folder than at the start of the scan; nothing was removed`);
  }

  /** Rechecks folders, so that a file moved to an already walked folder is recorded before its old path is removed. */
  async #lookAgain(): Promise<void> {
    const { run, deps, files } = this;
    if (run.part !== undefined) return;
    const looking = { db: deps.db, catalogId: run.catalog.id, files, signal: run.signal };
    const again = await foldersToRecheck(
      { ...looking, retryTransient: <T>(read: () => Promise<T>) => this.#retryTransient(read) },
      { beganAt: this.#beganAt, seen: this.#seen, withMissing: this.#withMissing },
    );
    if (again.length === 0) return;
    await this.#waitUntilShown();
    const { scanId: _alone, ...rest } = run;
    const tally = new ScanTally(zeroCounts);
    const mode = run.mode === 'clean' ? 'clean' : 'add';
    await CatalogScan.execute(deps, { ...rest, mode, part: { kind: 'trees', paths: again }, tally, keepsGone: true });
    run.tally.recorded(tally.counts());
  }

  async #removeGone(): Promise<void> {
    const { db } = this.deps;
    const { catalog, signal, part } = this.run;
    const deps = {
      db,
      catalog,
      files: this.files,
      sender: this.#sender,
      signal,
      retryTransient: <T>(read: () => Promise<T>) => this.#retryTransient(read),
      beforeRemoval: async () => {
        await this.#checkRoot();
        await this.run.beforeRemoval?.();
      },
    };
    await recordRemovals(deps, {
      seen: this.#seen,
      withMissing: this.#withMissing,
      unreadable: this.#unreadable,
      excluded: this.#excluded,
      ...(part?.kind === 'files' ? { within: [], only: part.folders } : { within: part?.paths ?? [''] }),
    });
  }

  #retryTransient<T>(work: () => Promise<T>): Promise<T> {
    return retryTransient(work, { signal: this.run.signal, withinMs: DATABASE_PATIENCE_MS });
  }
}
