import type { EventStreamName, RecordedEvent } from '@continuo/contracts';
import type { SearchBatch } from '../search-index.js';

/** Source of a search index: a stream of events that names what changed, and a read model that holds its present state. */
export interface SearchSource {
  /** Goes up with every change of what the documents hold: what another version wrote is built anew. */
  readonly version: number;
  readonly stream: EventStreamName;
  /** Position of the log up to which the read model shows everything. */
  readablePosition(): Promise<number>;
  /** Everything there is, in batches of limited size. */
  everything(signal: AbortSignal): AsyncIterable<SearchBatch>;
  /** Begins to follow the changes for one index; `isFresh` when that index was filled a moment ago. */
  follow(index: string, isFresh: boolean): Promise<SearchFollower>;
}

/** Turns events into changes of an index. It may remember earlier changes. */
export interface SearchFollower {
  /**
   * The read model shows at least these events. Called again with the same events when the index could not be written. `rebuild` for a change of so
   * much that the index is better built anew.
   */
  changes(events: readonly RecordedEvent[]): Promise<SearchBatch | 'rebuild'>;
  /**
   * Asked every few seconds for changes that no event of the stream tells. `written` is called once the index has them.
   * Must keep what it answers small, however much has changed.
   */
  upkeep(): Promise<SearchUpkeep>;
}

/** Changes beside the log. */
export interface SearchUpkeep {
  readonly batch: SearchBatch;
  readonly written: () => Promise<void>;
}

/** Counts the entries of a batch. */
export const batchSize = ({ upserts = [], deletions = [], popularity = [] }: SearchBatch): number =>
  upserts.length + deletions.length + popularity.length;
