import type { LoggedEvent } from './read-log.js';

interface LoggedTrack {
  readonly songId: number;
  readonly fileName: string;
  readonly title: string;
}
interface LoggedFile {
  readonly songId: number;
  readonly fileName: string;
  /** Set where the event says which folder a moved file came from. */
  readonly folderId?: number;
}

/** A song as the log leaves it. */
export interface LoggedSong {
  readonly folderId: number;
  readonly fileName: string;
  readonly title: string;
}

/** Result of a walk over the library's log. */
export interface LibraryLog {
  readonly events: number;
  readonly songsAdded: number;
  readonly songsRemoved: number;
  /** Song ids that were given more than once. */
  readonly idsGivenTwice: readonly number[];
  /** Files that two songs are said to lie in, as `folder/file`. */
  readonly filesWithTwoSongs: readonly string[];
  /** Atomic batches of several events. */
  readonly batches: number;
  /** Batches that the log holds in part. */
  readonly brokenBatches: readonly string[];
  /** Songs that are left, by id. */
  readonly songs: ReadonlyMap<number, LoggedSong>;
}

/** Folds the log of the library with rules of its own, so that it can be held against the tables. */
export const auditLibraryLog = async (events: AsyncIterable<LoggedEvent>): Promise<LibraryLog> => {
  const fold = new LibraryFold();
  for await (const event of events) fold.apply(event);
  return fold.result();
};

class LibraryFold {
  readonly #songs = new Map<number, LoggedSong>();
  readonly #owners = new Map<string, number>();
  readonly #given = new Set<number>();
  readonly #twice = new Set<number>();
  readonly #doubled = new Set<string>();
  readonly #batches = new Map<string, { readonly sequences: number[]; committed: boolean }>();
  #events = 0;
  #added = 0;
  #removed = 0;

  apply(event: LoggedEvent): void {
    this.#events += 1;
    this.#noteBatch(event);
    const folderId = Number(event.data['folderId']);
    switch (event.type) {
      case 'TracksAdded':
        for (const track of tracksOf(event)) this.#add(folderId, track);
        break;
      case 'TracksChanged':
        for (const track of tracksOf(event)) this.#place(folderId, track);
        break;
      case 'TracksMovedIn':
        for (const { songId, ...origin } of filesOf(event, 'from')) this.#leave(Number(origin.folderId), origin.fileName, songId);
        for (const track of tracksOf(event)) this.#place(folderId, track);
        break;
      case 'TracksMovedOut':
        for (const { songId, fileName } of filesOf(event, 'songs')) this.#leave(folderId, fileName, songId);
        break;
      case 'TracksRemoved':
        for (const { songId, fileName } of filesOf(event, 'songs')) this.#remove(folderId, fileName, songId);
        break;
      default:
        break;
    }
  }

  result(): LibraryLog {
    return {
      events: this.#events,
      songsAdded: this.#added,
      songsRemoved: this.#removed,
      idsGivenTwice: [...this.#twice],
      filesWithTwoSongs: [...this.#doubled],
      batches: this.#batches.size,
      brokenBatches: [...this.#batches].filter(([, batch]) => !isWhole(batch)).map(([id]) => id),
      songs: this.#songs,
    };
  }

  #add(folderId: number, track: LoggedTrack): void {
    this.#added += 1;
    if (this.#given.has(track.songId)) this.#twice.add(track.songId);
    this.#given.add(track.songId);
    this.#place(folderId, track);
  }

  #place(folderId: number, { songId, fileName, title }: LoggedTrack): void {
    const key = `${folderId}/${fileName}`;
    const owner = this.#owners.get(key);
    if (owner !== undefined && owner !== songId) this.#doubled.add(key);
    this.#owners.set(key, songId);
    this.#songs.set(songId, { folderId, fileName, title });
  }

  #leave(folderId: number, fileName: string, songId: number): void {
    const key = `${folderId}/${fileName}`;
    if (this.#owners.get(key) === songId) this.#owners.delete(key);
  }

  #remove(folderId: number, fileName: string, songId: number): void {
    this.#removed += 1;
    this.#leave(folderId, fileName, songId);
    this.#songs.delete(songId);
  }

  #noteBatch({ batch }: LoggedEvent): void {
    if (!batch) return;
    const known = this.#batches.get(batch.id) ?? { sequences: [], committed: false };
    known.sequences.push(batch.sequence);
    known.committed ||= batch.commits;
    this.#batches.set(batch.id, known);
  }
}

const tracksOf = (event: LoggedEvent): readonly LoggedTrack[] => event.data['tracks'] as readonly LoggedTrack[];
const filesOf = (event: LoggedEvent, name: 'from' | 'songs'): readonly LoggedFile[] => event.data[name] as readonly LoggedFile[];

const isWhole = ({ sequences, committed }: { readonly sequences: readonly number[]; readonly committed: boolean }): boolean =>
  committed && sequences.every((sequence, index) => sequence === index + 1);
