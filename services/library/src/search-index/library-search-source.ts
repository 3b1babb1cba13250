import type { RecordedEvent } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';
import {
  type SearchBatch,
  type SearchDocument,
  type SearchDocumentKey,
  type SearchFollower,
  type SearchKind,
  searchKinds,
  type SearchSource,
  type SearchUpkeep,
} from '@continuo/search-index';
import { changedThings } from './changed-things.js';
import { PopularityMark } from './popularity-mark.js';
import { emptied, formerPlaces, popularityOf, searchDocuments } from './search-documents.reads.js';

/** Documents that are read by one statement and written as one batch. */
const DOCUMENTS_AT_ONCE = 5000;
/** Empty albums and artists that one upkeep deletes. */
const GONE_AT_ONCE = 20_000;
/** Songs of which albums and artists are summed up by one statement. */
const PLAYED_AT_ONCE = 500;

/** The projections that the documents are read from. */
const READ_FROM = ['library-catalogue', 'library-videos', 'library-playlists'] as const;

/** Songs, albums, artists, playlists and videos, as the published views of the library show them. */
export class LibrarySearchSource implements SearchSource {
  /** Goes up when documents, or the words that names become, are others than before. */
  readonly version = 2;
  readonly stream = 'EV_LIBRARY';
  readonly #db: Kysely<unknown>;

  constructor(db: Kysely<unknown>) {
    this.#db = db;
  }

  async readablePosition(): Promise<number> {
    const { rows } = await sql<{ position: number; n: number }>`
      select min(position) as position, count(*)::integer as n from chassis.projection_checkpoint
      where state = 'live' and name in (${sql.join(READ_FROM)})`.execute(this.#db);
    return rows[0]?.n === READ_FROM.length ? rows[0].position : 0;
  }

  async *everything(signal: AbortSignal): AsyncGenerator<SearchBatch> {
    for (const kind of searchKinds)
      for (let after = 0; !signal.aborted;) {
        const upserts = await searchDocuments(this.#db, kind, { after, limit: DOCUMENTS_AT_ONCE });
        const last = upserts.at(-1);
        if (last === undefined) break;
        yield { upserts };
        after = last.id;
      }
  }

  async follow(index: string, isFresh: boolean): Promise<SearchFollower> {
    const mark = new PopularityMark(this.#db, index);
    if (isFresh) await mark.moveToEnd();
    return new LibraryFollower(this.#db, mark, !isFresh);
  }
}

/** Looks up changes; remembers the empty albums and artists that were deleted from the index. */
class LibraryFollower implements SearchFollower {
  readonly #db: Kysely<unknown>;
  readonly #mark: PopularityMark;
  readonly #toldEmpty = new Set<string>();
  #isThinned: boolean;

  /** `isUncertain` when the index may hold things that went while nobody looked. */
  constructor(db: Kysely<unknown>, mark: PopularityMark, isUncertain: boolean) {
    this.#db = db;
    this.#mark = mark;
    this.#isThinned = isUncertain;
  }

  async changes(events: readonly RecordedEvent[]): Promise<SearchBatch | 'rebuild'> {
    const changed = changedThings(events);
    if (changed.isCatalogGone) return 'rebuild';
    this.#isThinned ||= changed.isThinned;
    const ids: Record<SearchKind, ReadonlySet<number>> = { ...changed.ids };
    if (changed.isThinned) {
      const former = await formerPlaces(this.#db, [...ids.song]);
      ids.album = new Set([...ids.album, ...former.albums]);
      ids.artist = new Set([...ids.artist, ...former.artists]);
    }
    const upserts: SearchDocument[] = [];
    const deletions: SearchDocumentKey[] = [];
    for (const kind of searchKinds)
      for (const part of parts([...ids[kind]], DOCUMENTS_AT_ONCE)) {
        const found = await searchDocuments(this.#db, kind, { ids: part });
        const there = new Set(found.map(({ id }) => id));
        upserts.push(...found);
        deletions.push(...part.filter((id) => !there.has(id)).map((id) => ({ kind, id })));
      }
    for (const { kind, id } of upserts) this.#toldEmpty.delete(`${kind} ${id}`);
    return { upserts, deletions };
  }

  async upkeep(): Promise<SearchUpkeep> {
    const gone = this.#isThinned ? await this.#newlyEmpty() : [];
    const recent = await this.#mark.recent();
    const popularity = [];
    for (const songIds of parts(recent?.songIds ?? [], PLAYED_AT_ONCE)) popularity.push(...(await popularityOf(this.#db, songIds)));
    // Of an artist that several parts name, the sums are the same.
    const distinct = [...new Map(popularity.map((change) => [`${change.kind} ${change.id}`, change])).values()];
    return {
      batch: { deletions: gone, popularity: distinct },
      written: async () => {
        for (const { kind, id } of gone) this.#toldEmpty.add(`${kind} ${id}`);
        this.#isThinned = gone.length === GONE_AT_ONCE;
        if (recent) await this.#mark.move(recent.mark);
      },
    };
  }

  async #newlyEmpty(): Promise<SearchDocumentKey[]> {
    return (await emptied(this.#db)).filter(({ kind, id }) => !this.#toldEmpty.has(`${kind} ${id}`)).slice(0, GONE_AT_ONCE);
  }
}

const parts = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size));
