import { equal, noneOf, type Finding } from '../checks/finding.js';
import type { SongSeen } from '../checks/tables.js';

/** Expected state of one file after the last acknowledged command about it. */
export interface ExpectedFile {
  readonly title: string;
  readonly sizeBytes: number;
  /** The id that the song must have kept, where it is known. */
  readonly songId?: number;
}

/** The writers' own account of every acknowledged command, kept apart from the system under test. */
export class Ledger {
  readonly #files = new Map<string, ExpectedFile>();

  /** Notes a file that an acknowledged command has added or changed. */
  owe(path: string, owed: ExpectedFile): void {
    this.#files.set(path, owed);
  }

  /** Notes a file that an acknowledged command has taken away. */
  release(path: string): void {
    this.#files.delete(path);
  }

  get files(): number {
    return this.#files.size;
  }

  /** Counts acknowledged files that are missing, and files that are there more than once. */
  tally(songs: readonly SongSeen[]): { readonly lost: number; readonly doubled: number } {
    const paths = new Set(songs.map(({ path }) => path));
    return { lost: [...this.#files.keys()].filter((path) => !paths.has(path)).length, doubled: songs.length - paths.size };
  }

  /** Holds the account against the library's tables. */
  check(songs: readonly SongSeen[]): Finding[] {
    const byPath = Map.groupBy(songs, (song) => song.path);
    const wrong = songs.flatMap((song) => {
      const owed = this.#files.get(song.path);
      if (!owed || (owed.title === song.title && owed.sizeBytes === song.sizeBytes)) return [];
      return [`${song.path} is "${song.title}", owed "${owed.title}"`];
    });
    const renumbered = songs.filter((song) => (this.#files.get(song.path)?.songId ?? song.id) !== song.id);
    return [
      equal('ledger: songs = acknowledged files', songs.length, this.#files.size),
      noneOf(
        'ledger: acknowledged and lost',
        [...this.#files.keys()].filter((path) => !byPath.has(path)),
      ),
      noneOf(
        'ledger: doubled',
        [...byPath].filter(([, same]) => same.length > 1).map(([path]) => path),
      ),
      noneOf(
        'ledger: never or no longer acknowledged',
        songs.filter((song) => !this.#files.has(song.path)).map((song) => song.path),
      ),
      noneOf('ledger: older or other content', wrong),
      noneOf(
        'ledger: moved songs under another id',
        renumbered.map((song) => song.path),
      ),
    ];
  }
}
