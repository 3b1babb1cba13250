import type { Context, DomainEvent, MessageContext, RecordedEvent, EventStreamName } from '@continuo/contracts';
import type { Gap } from './integrity/gaps.js';

/** Events of one decision for one aggregate, and the position on which the decision rests. */
export interface AppendPart {
  readonly context: Context;
  /** Aggregate kind as it stands in the subject, for example `folder`. */
  readonly aggregate: string;
  readonly id: string | number;
  /** Position of the aggregate's last event when it was loaded; 0 when it had none. */
  readonly expectedPosition: number;
  /** Number of events of the aggregate when it was loaded. Events go without numbers when it is unknown; for an aggregate without events it is 0. */
  readonly expectedNumber?: number;
  readonly events: readonly DomainEvent[];
}

/** The number of a part's first event within its aggregate; undefined when nobody has counted those before it. */
export const firstNumberOf = ({ expectedPosition, expectedNumber }: AppendPart): number | undefined => {
  const before = expectedNumber ?? (expectedPosition === 0 ? 0 : undefined);
  return before === undefined ? undefined : before + 1;
};

/** Metadata shared by all events of one append. */
export interface AppendMeta extends MessageContext {
  /** The command behind it: event n gets the id `<commandId>:<n>`, so that a retry is recognised by the aggregate's own events, and by the log for as long as it knows the id. */
  readonly commandId?: string;
  /** Set for bulk work: the server would keep every message id in memory. While much of it comes, it may wait some 100 ms to be written together. */
  readonly withoutMessageIds?: boolean;
  /** Decision time, epoch milliseconds. */
  readonly at: number;
}

/** Position of the last event of an append. */
export interface Appended {
  readonly stream: EventStreamName;
  readonly position: number;
  /** True when the log had it from an earlier try of the same command, possibly with others' events after it. */
  readonly isRepeat?: boolean;
}

/** The log cannot take the append because the aggregate has moved on since it was loaded. */
export class ConcurrencyConflict extends Error {
  override readonly name = 'ConcurrencyConflict';
}

/**
 * The event log. Everything of one append becomes visible together or not at all.
 */
export interface EventStore {
  /**
   * Appends the parts atomically and answers the stream position of the last event.
   * @throws ConcurrencyConflict when a part's expected position is no longer the aggregate's last.
   */
  append(parts: readonly AppendPart[], meta: AppendMeta): Promise<Appended>;
  /** All events of one aggregate after a position, in order. */
  read(context: Context, aggregate: string, id: string | number, afterPosition?: number): Promise<RecordedEvent[]>;
  /**
   * Position of an aggregate's last event as the leader of the log knows it; 0 without one. {@link read} may be answered by a copy that is behind. Absent where there are no copies.
   */
  lastOf?(context: Context, aggregate: string, id: string | number): Promise<number>;
  /** Positions of the context's stream that are lost and whose loss an operator has accepted. Absent where nothing gets lost. */
  acceptedLoss?(context: Context): Promise<readonly Gap[]>;
  /** The last position of the context's whole stream that can be read; 0 when it is empty. */
  lastPosition(context: Context): Promise<number>;
}
