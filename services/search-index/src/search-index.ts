import type { PopularityChange, SearchDocument, SearchDocumentKey, SearchKind } from './search-document.js';

/** A part of the ranked matches of one kind. */
export interface SearchPage {
  readonly offset: number;
  readonly limit: number;
}

/** A search as somebody types it. */
export interface SearchRequest {
  /** As typed; a text without a letter or digit of any script finds nothing. */
  readonly text: string;
  /** The kinds that are looked for, each with its own page. */
  readonly pages: Readonly<Partial<Record<SearchKind, SearchPage>>>;
  /** Catalogs in which the viewer may find something. An empty list hides everything that lies in a catalog. */
  readonly catalogs: 'all' | readonly number[];
  /** The account that asks: private things are found by those that they name. */
  readonly viewerId: number | null;
  /** Ends a search that nobody waits for any more. */
  readonly signal?: AbortSignal;
}

/** Matches of one kind. */
export interface SearchMatches {
  /** The best first: by how well the words match, then by popularity, then by id. */
  readonly ids: readonly number[];
  /** Estimated total of matches. Never less than `offset + ids.length`. */
  readonly estimatedTotal: number;
}

export type SearchResult = Readonly<Partial<Record<SearchKind, SearchMatches>>>;

/**
 * Finds things by the words of their names, forgiving: the last word may be unfinished, words may be misspelt, their order does not matter, and they
 * may be spread over name, artists and album. All words have to be found.
 */
export interface SearchIndex {
  /** Name of the adapter, in metrics and logs. */
  readonly name: string;
  /**
   * The pages asked for, and no other kinds. The same request gives the same order as long as nothing is written, so that pages fit together;
   * beyond `MAX_SEARCH_MATCHES` an adapter may answer empty pages.
   * @throws SearchUnavailable when the index cannot answer now: unreachable, never filled, failing
   */
  search(request: SearchRequest): Promise<SearchResult>;
}

/** No adapter has to page deeper than this into the matches of one kind. */
export const MAX_SEARCH_MATCHES = 5000;

/** The index cannot answer now; another one may. */
export class SearchUnavailable extends Error {
  override readonly name = 'SearchUnavailable';
}

/** Up to where an index reflects the log. Stored by the index together with what it reflects. */
export interface SearchCheckpoint {
  /** Incarnation of the log: positions of another one mean nothing. */
  readonly epoch: string;
  /** Position of the last event that is reflected. */
  readonly position: number;
  /** Version of the indexer that wrote the documents: another one has to rebuild. */
  readonly version: number;
}

/** Changes that belong together. A key is named at most once among upserts and deletions of a batch. */
export interface SearchBatch {
  readonly upserts?: readonly SearchDocument[];
  readonly deletions?: readonly SearchDocumentKey[];
  readonly popularity?: readonly PopularityChange[];
}

/** A new index that is filled beside the live one; readers see nothing of it until it is swapped in. */
export interface SearchRebuild {
  /** Adds documents. Resolves once the index has taken them, which may be long after it got them: that is the back-pressure. */
  write(batch: SearchBatch): Promise<void>;
  /** Makes the new index the live one at once for all readers, with its checkpoint, and drops the old one. */
  swap(checkpoint: SearchCheckpoint): Promise<void>;
  /** Drops what was written. After a swap it does nothing. */
  abandon(): Promise<void>;
}

/**
 * The writing side. One writer at a time: whoever owns the indexer. All writes are idempotent, so that a batch whose fate is unknown is sent again.
 * @throws SearchUnavailable from every method when the index cannot be reached
 */
export interface SearchIndexWriter {
  readonly name: string;
  /** Creates what the index needs: tables, settings. Done once before anything else; repeating it changes nothing. */
  prepare(): Promise<void>;
  /** Checkpoint of the live index; undefined when there is none yet: then it has to be rebuilt first. */
  checkpoint(): Promise<SearchCheckpoint | undefined>;
  /**
   * Applies changes to the live index and then moves its checkpoint; resolves when both are durable and searches can find them. When it fails, the
   * checkpoint has not moved, although changes may have been applied.
   * @throws Error when there is no live index
   */
  apply(batch: SearchBatch, checkpoint: SearchCheckpoint): Promise<void>;
  /** Begins an empty index beside the live one. What an earlier rebuild left unfinished is dropped. */
  beginRebuild(): Promise<SearchRebuild>;
  /** Number of documents of each kind in the live index. */
  counts(): Promise<Readonly<Record<SearchKind, number>>>;
}
