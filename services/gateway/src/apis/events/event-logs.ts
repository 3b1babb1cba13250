import type { RecordedEvent } from '@continuo/contracts';
import type { NotifiedContext } from '@continuo/public-events';
import type { LogEnds } from './log-positions.js';

/** Event logs that clients can subscribe to. */
export interface EventLogs {
  ends(): Promise<LogEnds>;
  /**
   * Events of one log after a position, until the signal fires.
   * @throws Error when the log cannot be read
   */
  follow(context: NotifiedContext, after: number, signal: AbortSignal): AsyncIterable<readonly RecordedEvent[]>;
}
