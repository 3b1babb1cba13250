import type { ScannedVideo, SkippedFile, FileToRead, FolderPlan } from '@continuo/contracts';
import type { CatalogFiles } from '../catalog-files/catalog-files.js';
import { isRecorded, isUnchanged } from '../scan/folder-plan.js';
import { MAX_COMMAND_BYTES, NAMES_PER_COMMAND } from '../scan/folder-recorder.js';
import type { FolderSender, VideoRecord } from '../scan/folder-sender.js';
import type { MoveCandidate, MoveFinder } from '../scan/move-finder.js';
import { filePath, type ScanTally } from '../scan/scan-tally.js';
import type { VideoReader, VideoResult } from './video-reader.js';

/** Files of one folder that are read before the next ones are asked for. */
const FILES_AT_ONCE = 64;

interface Parcel {
  videos: ScannedVideo[];
  moves: NonNullable<VideoRecord['moves']>;
  skipped: SkippedFile[];
  bytes: number;
}

const newParcel = (): Parcel => ({ videos: [], moves: [], skipped: [], bytes: 0 });

interface FolderUnderWay {
  readonly path: string;
  readonly parcel: Parcel;
  readonly candidates: ReadonlyMap<string, MoveCandidate[]>;
}

export interface VideoRecorderDependencies {
  readonly files: Pick<CatalogFiles, 'locationOf'>;
  readonly reader: VideoReader;
  readonly sender: FolderSender;
  readonly moves: MoveFinder;
  readonly tally: ScanTally;
  readonly signal: AbortSignal;
  /** True when new files count only as places to which known ones have moved. */
  readonly movesOnly: boolean;
}

/** Reads the videos that a plan asks for and sends them to the library, command by command in order. */
export class VideoRecorder {
  constructor(private readonly deps: VideoRecorderDependencies) {}

  async record(plan: FolderPlan, candidates: ReadonlyMap<string, MoveCandidate[]>): Promise<void> {
    const parcel = newParcel();
    const folder = { path: plan.path, parcel, candidates };
    for (let at = 0; at < plan.read.length; at += FILES_AT_ONCE) {
      this.deps.signal.throwIfAborted();
      const files = plan.read.slice(at, at + FILES_AT_ONCE);
      const results = await Promise.all(files.map((file) => this.#read(plan.path, file)));
      for (const [index, file] of files.entries()) await this.#add(folder, file, results[index] as VideoResult);
    }
    for (const entry of plan.skipped) await this.#addSkipped(folder, entry);
    const goneFiles = [...plan.cleared];
    for (; goneFiles.length > NAMES_PER_COMMAND;) await this.#flush(plan.path, newParcel(), goneFiles.splice(0, NAMES_PER_COMMAND));
    if (parcel.videos.length + parcel.skipped.length + goneFiles.length > 0) await this.#flush(plan.path, parcel, goneFiles);
  }

  #read(folderPath: string, { name, sizeBytes, mtimeMs }: FileToRead): Promise<VideoResult> {
    return this.deps.reader.readVideo({
      path: this.deps.files.locationOf(filePath(folderPath, name)),
      fileName: name,
      sizeBytes,
      mtimeMs,
    });
  }

  async #add(folder: FolderUnderWay, file: FileToRead, result: VideoResult): Promise<void> {
    if (!result.ok) return this.#addUnusable(folder, file, result);
    const { path, parcel, candidates } = folder;
    const { video } = result;
    this.deps.tally.read();
    const from = file.before?.kind === 'track' ? undefined : await this.deps.moves.match(video, candidates);
    if (this.deps.movesOnly && !from) return;
    await this.#makeRoom(path, parcel, Buffer.byteLength(JSON.stringify(video)));
    if (from) parcel.moves.push({ fileName: file.name, videoId: from.id, fromFolderId: from.folderId, fromFileName: from.fileName });
    parcel.videos.push(video);
  }

  async #addUnusable(folder: FolderUnderWay, file: FileToRead, result: Extract<VideoResult, { ok: false }>): Promise<void> {
    const { reason, message } = result;
    this.deps.tally.skipped(filePath(folder.path, file.name), reason, message);
    if (this.deps.movesOnly) return;
    // A video stays while its file cannot be read for the moment, and as long as the file is the one that was read once.
    const isVideo = file.before?.kind === 'track';
    const passing = reason === 'vanished' || (isVideo && (reason === 'unreadable' || isUnchanged(file)));
    const entry = { fileName: file.name, sizeBytes: file.sizeBytes, mtimeMs: file.mtimeMs, reason, message };
    if (!passing && !isRecorded(entry, file.before)) await this.#addSkipped(folder, entry);
  }

  async #addSkipped({ path, parcel }: FolderUnderWay, entry: SkippedFile): Promise<void> {
    await this.#makeRoom(path, parcel, Buffer.byteLength(JSON.stringify(entry)));
    parcel.skipped.push(entry);
  }

  async #makeRoom(path: string, parcel: Parcel, bytes: number): Promise<void> {
    if (parcel.bytes > 0 && parcel.bytes + bytes > MAX_COMMAND_BYTES) await this.#flush(path, parcel);
    parcel.bytes += bytes;
  }

  async #flush(path: string, parcel: Parcel, goneFiles: readonly string[] = []): Promise<void> {
    const { videos, moves, skipped } = parcel;
    Object.assign(parcel, newParcel());
    await this.deps.sender.sendVideos({ path, videos, moves, skipped, goneFiles: [...goneFiles] });
  }
}
