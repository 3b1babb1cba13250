import { join } from 'node:path';
import type { ArtRef, ScannedTrack, SkippedFile, FileToRead, FolderPlan } from '@continuo/contracts';
import type { CatalogFiles } from '../catalog-files/catalog-files.js';
import type { TagReader, TrackResult } from '../tags/tag-reader.js';
import type { ArtKeeper } from './art-keeper.js';
import { isRecorded, isUnchanged } from './folder-plan.js';
import type { FolderRecord, FolderSender } from './folder-sender.js';
import type { CandidatesBySound, MoveCandidate, MovedFile, MoveFinder } from './move-finder.js';
import { filePath, type ScanTally } from './scan-tally.js';

/** Size of one command, roughly; the log takes events up to 512 KB. */
export const MAX_COMMAND_BYTES = 280_000;
/** Files of one folder that are read before the next ones are asked for. */
const FILES_AT_ONCE = 64;
/** Names of one command where nothing but names is sent. */
export const NAMES_PER_COMMAND = 1000;

type Move = NonNullable<FolderRecord['moves']>[number];

/** Content of the next command of a folder. */
interface Parcel {
  tracks: ScannedTrack[];
  moves: Move[];
  skipped: SkippedFile[];
  bytes: number;
}

const newParcel = (): Parcel => ({ tracks: [], moves: [], skipped: [], bytes: 0 });

/** A folder whose files are being read. */
interface FolderUnderWay {
  readonly path: string;
  readonly parcel: Parcel;
  readonly candidates: ReadonlyMap<string, MoveCandidate[]>;
  /** Names under which the library has what is there no more, because a sheet cuts a file otherwise than before. */
  readonly gone: string[];
  /** Known songs that sound like the new files which are being added. */
  alike: CandidatesBySound;
}

export interface RecorderDependencies {
  readonly files: Pick<CatalogFiles, 'locationOf'>;
  readonly reader: TagReader;
  readonly art: ArtKeeper;
  readonly sender: FolderSender;
  readonly moves: MoveFinder;
  readonly tally: ScanTally;
  readonly signal: AbortSignal;
  /** True when new files count only as places to which known ones have moved. */
  readonly movesOnly: boolean;
}

/** Songs of a file that was read, as they are compared with known ones. */
const songsOf = ({ track, parts, earlierPrint }: Extract<TrackResult, { ok: true }>): MovedFile[] =>
  (parts ?? [track]).map((song) => ({ ...song, earlierPrint }));

/** Reads what a plan asks for and sends it to the library, command by command in order, the companion files last. */
export class FolderRecorder {
  constructor(private readonly deps: RecorderDependencies) {}

  async record(plan: FolderPlan, candidates: ReadonlyMap<string, MoveCandidate[]>): Promise<void> {
    const parcel = newParcel();
    // The picture is stored while the songs are read. What goes wrong with it is heard when it is wanted.
    const art = plan.sidecars && this.#folderArt(plan);
    art?.catch(() => undefined);
    const folder: FolderUnderWay = { path: plan.path, parcel, candidates, gone: [], alike: new Map() };
    for (let at = 0; at < plan.read.length; at += FILES_AT_ONCE) {
      this.deps.signal.throwIfAborted();
      const files = plan.read.slice(at, at + FILES_AT_ONCE);
      const results = await Promise.all(files.map((file) => this.#read(plan.path, file)));
      folder.alike = await this.#alike(folder, files, results);
      for (const [index, file] of files.entries()) await this.#add(folder, file, results[index] as TrackResult);
    }
    for (const entry of plan.skipped) await this.#addSkipped(plan.path, parcel, entry);
    const sidecars = plan.sidecars && art ? { files: [...plan.sidecars], art: await art } : undefined;
    const goneFiles = [...new Set([...plan.cleared, ...folder.gone])];
    for (; goneFiles.length > NAMES_PER_COMMAND;)
      await this.#flush(plan.path, newParcel(), { goneFiles: goneFiles.splice(0, NAMES_PER_COMMAND) });
    if (parcel.tracks.length + parcel.skipped.length + goneFiles.length > 0 || sidecars) {
      await this.#flush(plan.path, parcel, { goneFiles, ...(sidecars ? { sidecars } : {}) });
    }
  }

  #read(folderPath: string, file: FileToRead): Promise<TrackResult> {
    const { files } = this.deps;
    return this.deps.reader.readTrack({
      path: files.locationOf(filePath(folderPath, file.name)),
      fileName: file.name,
      folderPath,
      sizeBytes: file.sizeBytes,
      mtimeMs: file.mtimeMs,
      lyricsPaths: file.lyrics.map((name) => files.locationOf(filePath(folderPath, name))),
      ...(file.cues ? { cuePaths: file.cues.map((name) => files.locationOf(filePath(folderPath, name))) } : {}),
    });
  }

  /** Looks for files that were moved and changed on the way: their sound is still the same. */
  #alike({ candidates }: FolderUnderWay, files: readonly FileToRead[], results: readonly TrackResult[]): Promise<CandidatesBySound> {
    const fresh = results.flatMap((result, at) => (result.ok && files[at]?.before?.kind !== 'track' ? songsOf(result) : []));
    return this.deps.moves.alike(fresh.filter((track) => !this.deps.moves.isLikely(track, candidates)));
  }

  async #add(folder: FolderUnderWay, file: FileToRead, result: TrackResult): Promise<void> {
    const { path } = folder;
    if (!result.ok) return this.#addUnusable(folder, file, result);
    const { track, parts, picture, notices } = result;
    this.deps.tally.read();
    for (const { reason, message } of notices) this.deps.tally.noticed(filePath(path, file.name), reason, message);
    if (picture) await this.deps.art.keep(picture);
    const songs = parts ?? [track];
    for (const song of songs) await this.#addSong(folder, file, song, result.earlierPrint);
    if (this.deps.movesOnly) return;
    const names = new Set(songs.map(({ fileName }) => fileName));
    const before = [...(file.known ?? []), ...(file.before ? [file.name] : [])];
    folder.gone.push(...before.filter((name) => !names.has(name)));
  }

  async #addSong(folder: FolderUnderWay, file: FileToRead, track: ScannedTrack, earlierPrint: string | undefined): Promise<void> {
    const { path, parcel, candidates, alike } = folder;
    const isNew = file.known ? !file.known.includes(track.fileName) : file.before?.kind !== 'track';
    const { moves } = this.deps;
    const from = isNew
      ? ((await moves.match(track, candidates)) ?? (await moves.matchAlike({ ...track, earlierPrint }, alike)))
      : undefined;
    if (this.deps.movesOnly && !from) return;
    const bytes = Buffer.byteLength(JSON.stringify(track));
    if (parcel.bytes > 0 && parcel.bytes + bytes > MAX_COMMAND_BYTES) await this.#flush(path, parcel);
    if (from) parcel.moves.push({ fileName: track.fileName, songId: from.id, fromFolderId: from.folderId, fromFileName: from.fileName });
    parcel.tracks.push(track);
    parcel.bytes += bytes;
  }

  async #addUnusable(folder: FolderUnderWay, file: FileToRead, result: Extract<TrackResult, { ok: false }>): Promise<void> {
    const { reason, message } = result;
    this.deps.tally.skipped(filePath(folder.path, file.name), reason, message);
    if (this.deps.movesOnly) return;
    // A song stays while its file cannot be read for the moment, and as long as the file is the one that was read once: a slow disk must not cost it its id.
    const isSong = file.before?.kind === 'track';
    // Files that vanished during the scan are left to the next one.
    const passing = reason === 'vanished' || (isSong && (reason === 'unreadable' || isUnchanged(file)));
    const entry = { fileName: file.name, sizeBytes: file.sizeBytes, mtimeMs: file.mtimeMs, reason, message };
    if (passing || isRecorded(entry, file.before)) return;
    folder.gone.push(...(file.known ?? []).filter((name) => name !== file.name));
    await this.#addSkipped(folder.path, folder.parcel, entry);
  }

  async #addSkipped(folderPath: string, parcel: Parcel, entry: SkippedFile): Promise<void> {
    const bytes = Buffer.byteLength(JSON.stringify(entry));
    if (parcel.bytes > 0 && parcel.bytes + bytes > MAX_COMMAND_BYTES) await this.#flush(folderPath, parcel);
    parcel.skipped.push(entry);
    parcel.bytes += bytes;
  }

  async #flush(path: string, parcel: Parcel, more: Pick<FolderRecord, 'goneFiles' | 'sidecars'> = {}): Promise<void> {
    const { tracks, moves, skipped } = parcel;
    Object.assign(parcel, newParcel());
    await this.deps.sender.send({ path, tracks, moves, skipped, ...more });
  }

  /** The first usable picture of the likely ones. */
  async #folderArt(plan: FolderPlan): Promise<ArtRef | null> {
    for (const file of plan.sidecars ?? []) {
      if (file.kind !== 'art') continue;
      const result = await this.deps.reader.readPicture(this.deps.files.locationOf(join(plan.path, file.fileName)));
      if (result.ok) {
        await this.deps.art.keep(result.picture);
        return result.picture.ref;
      }
      this.deps.tally.noticed(filePath(plan.path, file.fileName), 'damaged', `not used as the folder's picture: ${result.why}`);
    }
    return null;
  }
}
