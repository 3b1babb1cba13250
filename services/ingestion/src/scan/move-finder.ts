import type { FolderId, ReadModel, SongId, VideoId, ScannedCatalog } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';
import type { CatalogFiles } from '../catalog-files/catalog-files.js';
import type { DiskFile } from '../walk/walked-folder.js';
import { fileOfName } from '../tags/part-name.js';

/** A known song or video that a new file may be, because size and time are the same. */
export interface MoveCandidate {
  readonly id: SongId | VideoId;
  readonly folderId: FolderId;
  readonly folderPath: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  readonly durationMs: number;
  readonly bitrateBps: number;
}

/** Files of one statement. */
const FILES_PER_QUERY = 1000;

/** The part of a time that stands for the content where moves change times, ms. */
const CONTENT_MS = 1000;

/** Key by which files are first compared: size and time, or what a move leaves of the time. */
export const stateKey = (file: { sizeBytes: number; mtimeMs: number }, movesKeepTimes: boolean): string =>
  `${file.sizeBytes}@${movesKeepTimes ? file.mtimeMs : file.mtimeMs % CONTENT_MS}`;

/** Properties by which a new file is compared. */
export type MovedFile = Pick<MoveCandidate, 'fileName' | 'sizeBytes' | 'mtimeMs' | 'durationMs' | 'bitrateBps'> & {
  /** Print of the sound, independent of the tags. */
  readonly soundPrint?: string | undefined;
  /** The same as releases before recorded it, where that is another. */
  readonly earlierPrint?: string | undefined;
};

const printsOf = ({ soundPrint, earlierPrint }: MovedFile): string[] => [soundPrint ?? [], earlierPrint ?? []].flat();

/** Known songs by what they sound like. */
export type CandidatesBySound = ReadonlyMap<string, MoveCandidate[]>;

/** Tolerance between lengths of the same sound, ms: those of some formats are worked out from the size of the file. */
const LENGTH_TOLERANCE_MS = 100;

/** Of files that a sheet cuts into songs, each number is compared with its own; a whole file is none of them. */
const samePart = (one: string, other: string): boolean => one.slice(fileOfName(one).length) === other.slice(fileOfName(other).length);

/** Among candidates with the same size and time: the sound must be the same too, and a file of the same name is the likeliest. */
export const likeliestMove = (track: MovedFile, candidates: readonly MoveCandidate[]): MoveCandidate | undefined => {
  const soundsAlike = (candidate: MoveCandidate): boolean =>
    candidate.durationMs === track.durationMs && candidate.bitrateBps === track.bitrateBps && samePart(candidate.fileName, track.fileName);
  return candidates.find((candidate) => candidate.fileName === track.fileName && soundsAlike(candidate)) ?? candidates.find(soundsAlike);
};

/**
 * Recognises files that turn up under another name or in another folder. A song counts as moved only when its old place on the disk is empty,
 * so it does not matter which of the two folders is walked first; a copy is a new song.
 */
export class MoveFinder {
  /** Songs that are settled: given to a new file, or still where they were. Each is looked for once in a scan. */
  readonly #settled = new Set<number>();

  constructor(
    private readonly db: Kysely<ReadModel>,
    private readonly catalog: ScannedCatalog,
    private readonly files: Pick<CatalogFiles, 'isThere' | 'movesKeepTimes'>,
  ) {}

  /** Key by which a file is first compared. */
  keyOf(file: { sizeBytes: number; mtimeMs: number }): string {
    return stateKey(file, this.files.movesKeepTimes);
  }

  /** Known songs by the state of the new files; a statement per thousand files. */
  async candidates(files: readonly DiskFile[]): Promise<Map<string, MoveCandidate[]>> {
    const found: MoveCandidate[] = [];
    for (let at = 0; at < files.length; at += FILES_PER_QUERY) found.push(...(await this.#query(files.slice(at, at + FILES_PER_QUERY))));
    return Map.groupBy(
      found.filter((candidate) => !this.#settled.has(candidate.id)),
      (candidate) => this.keyOf(candidate),
    );
  }

  async #query(files: readonly DiskFile[]): Promise<MoveCandidate[]> {
    const sizes = files.map((file) => file.sizeBytes);
    const times = files.map((file) => file.mtimeMs);
    const sameTime = this.files.movesKeepTimes
      ? sql`s.mtime_ms = f.mtime_ms`
      : sql`s.mtime_ms % ${CONTENT_MS} = f.mtime_ms % ${CONTENT_MS}`;
    const known = this.catalog.gathers === 'video' ? sql`library.video` : sql`library.song`;
    const { rows } = await sql<MoveCandidate>`
      select s.id, s.folder_id as "folderId", d.path as "folderPath", s.file_name as "fileName", s.size_bytes as "sizeBytes",
        s.mtime_ms as "mtimeMs", s.duration_ms as "durationMs", s.bitrate_bps as "bitrateBps"
      from (select distinct size_bytes, mtime_ms from unnest(${sizes}::bigint[], ${times}::bigint[]) as f (size_bytes, mtime_ms)) f
      join ${known} s on s.size_bytes = f.size_bytes and ${sameTime}
      join library.folder d on d.id = s.folder_id
      where s.catalog_id = ${this.catalog.id}`.execute(this.db);
    return rows;
  }

  /** True for a file of the size and time of a known song. */
  isLikely(file: MovedFile, candidates: ReadonlyMap<string, MoveCandidate[]>): boolean {
    return (candidates.get(this.keyOf(file)) ?? []).length > 0;
  }

  /** Known songs that sound like new files, whatever their tags, sizes and times say; a statement per thousand files. Nothing where the library knew nothing when the scan began. */
  async alike(files: readonly MovedFile[]): Promise<CandidatesBySound> {
    const prints = [...new Set(files.flatMap(printsOf))];
    if (prints.length === 0 || this.catalog.mediaCount === 0) return new Map();
    const { rows } = await sql<MoveCandidate & { print: string }>`
      select s.sound_print as print, s.id, s.folder_id as "folderId", d.path as "folderPath", s.file_name as "fileName", s.size_bytes as "sizeBytes",
        s.mtime_ms as "mtimeMs", s.duration_ms as "durationMs", s.bitrate_bps as "bitrateBps"
      from unnest(${prints}::text[]) as p (print) join library.song s on s.sound_print = p.print join library.folder d on d.id = s.folder_id
      where s.catalog_id = ${this.catalog.id}`.execute(this.db);
    return Map.groupBy(
      rows.filter(({ id }) => !this.#settled.has(id)),
      ({ print }) => print,
    );
  }

  /** The song that a new file is by its sound, if it is a known one that is no longer where it was. */
  async matchAlike(file: MovedFile, songs: CandidatesBySound): Promise<MoveCandidate | undefined> {
    const list = printsOf(file).flatMap((print) => songs.get(print) ?? []);
    const isIt = (song: MoveCandidate): boolean =>
      Math.abs(song.durationMs - file.durationMs) <= LENGTH_TOLERANCE_MS &&
      samePart(song.fileName, file.fileName) &&
      !this.#settled.has(song.id);
    const found = list.filter(isIt).toSorted((a, b) => Number(b.fileName === file.fileName) - Number(a.fileName === file.fileName));
    for (const song of found) {
      this.#settled.add(song.id);
      if (await this.#hasLeft(song)) return song;
    }
    return undefined;
  }

  /**
   * The song that a new file is, if it is a known one; each song is given away once. Candidates that turn out to be settled are taken off the
   * list, so that thousands of equal copies cost a look each and not a look for each pair.
   */
  async match(track: MovedFile, candidates: ReadonlyMap<string, MoveCandidate[]>): Promise<MoveCandidate | undefined> {
    const list = candidates.get(this.keyOf(track)) ?? [];
    for (let candidate = likeliestMove(track, list); candidate; candidate = likeliestMove(track, list)) {
      list.splice(list.indexOf(candidate), 1);
      if (this.#settled.has(candidate.id)) continue;
      this.#settled.add(candidate.id);
      if (await this.#hasLeft(candidate)) return candidate;
    }
    return undefined;
  }

  async #hasLeft({ folderPath, fileName: name }: MoveCandidate): Promise<boolean> {
    const fileName = fileOfName(name);
    return !(await this.files.isThere(folderPath === '' ? fileName : `${folderPath}/${fileName}`));
  }
}
