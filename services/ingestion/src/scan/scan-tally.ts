import type { RecordedWork, ScanCounts, SkipReason, SkipSample } from '@continuo/contracts';

/** Lines that the report of a scan carries; the library's file table has them all. */
const MAX_SAMPLES = 100;

/** Counts of one run. What earlier attempts of the same scan recorded counts on, what they only saw is seen again. */
export class ScanTally {
  #foldersSeen = 0;
  #filesSeen = 0;
  #filesSkipped = 0;
  #filesRead = 0;
  readonly #songs: { added: number; changed: number; moved: number; removed: number };
  readonly #samples: SkipSample[] = [];

  constructor(earlier: ScanCounts) {
    this.#songs = { added: earlier.songsAdded, changed: earlier.songsChanged, moved: earlier.songsMoved, removed: earlier.songsRemoved };
  }

  sawFolder(mediaFiles: number): void {
    this.#foldersSeen += 1;
    this.#filesSeen += mediaFiles;
  }

  /** Raises the number of added songs to what the read model shows. */
  atLeastAdded(songs: number): void {
    this.#songs.added = Math.max(this.#songs.added, songs);
  }

  /** A file was read to its end. */
  read(): void {
    this.#filesRead += 1;
  }

  get filesRead(): number {
    return this.#filesRead;
  }

  /** A file was left out. */
  skipped(path: string, reason: SkipReason, message: string): void {
    this.#filesSkipped += 1;
    this.noticed(path, reason, message);
  }

  /** Something to report about a file that is not left out. */
  noticed(path: string, reason: SkipReason, message: string): void {
    if (this.#samples.length < MAX_SAMPLES) this.#samples.push({ path, reason, message });
  }

  recorded(result: { songsAdded: number; songsChanged: number; songsMoved: number; songsRemoved: number }): void {
    this.#songs.added += result.songsAdded;
    this.#songs.changed += result.songsChanged;
    this.#songs.moved += result.songsMoved;
    this.#songs.removed += result.songsRemoved;
  }

  /** Counts of this run. */
  work(): RecordedWork {
    return { counts: this.counts(), filesRead: this.#filesRead, samples: this.#samples };
  }

  /** Adds what another worker has recorded for this scan. */
  elsewhere({ counts, filesRead, samples }: RecordedWork): void {
    this.recorded(counts);
    this.#filesRead += filesRead;
    this.#filesSkipped += counts.filesSkipped;
    for (const { path, reason, message } of samples) this.noticed(path, reason, message);
  }

  get filesSeen(): number {
    return this.#filesSeen;
  }

  get samples(): readonly SkipSample[] {
    return this.#samples;
  }

  counts(): ScanCounts {
    return {
      foldersSeen: this.#foldersSeen,
      filesSeen: this.#filesSeen,
      songsAdded: this.#songs.added,
      songsChanged: this.#songs.changed,
      songsMoved: this.#songs.moved,
      songsRemoved: this.#songs.removed,
      filesSkipped: this.#filesSkipped,
    };
  }
}

/** A file's path relative to the catalog's root. */
export const filePath = (folder: string, fileName: string): string =>
  folder === '' ? fileName : fileName === '.' ? folder : `${folder}/${fileName}`;
