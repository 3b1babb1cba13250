import type { RecordedEvent } from '@continuo/contracts';
import type { NotifiedContext } from '@continuo/public-events';
import { positionsBy, type LogEnds } from './log-positions.js';

/** Event logs that clients can subscribe to. */
export interface EventLogs {
  ends(): Promise<LogEnds>;
  /**
   * Events of one log after a position, until the signal fires.
   * @throws Error when the log cannot be read
   */
  follow(context: NotifiedContext, after: number, signal: AbortSignal): AsyncIterable<readonly RecordedEvent[]>;
}

/** Logs without events. */
export const silentLogs: EventLogs = {
  ends: async () => ({ incarnation: 'none', positions: positionsBy(() => 0) }),
  follow: (_context, _after, signal) => ({
    [Symbol.asyncIterator]: () => ({
      next: () =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ done: true, value: undefined }), { once: true });
        }),
    }),
  }),
};
