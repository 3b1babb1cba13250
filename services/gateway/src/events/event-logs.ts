import type { ToldContext } from '@continuo/chassis';
import type { RecordedEvent } from '@continuo/contracts';
import { positionsBy, type LogEnds } from './log-positions.js';

/** The logs of which clients are told. */
export interface EventLogs {
  ends(): Promise<LogEnds>;
  /**
   * The events of one log behind a position, as they come, until the signal fires.
   * @throws Error when it cannot be read
   */
  follow(context: ToldContext, after: number, signal: AbortSignal): AsyncIterable<readonly RecordedEvent[]>;
}

/** Logs in which nothing ever happens. */
export const silentLogs: EventLogs = {
  ends: async () => ({ mark: 'none', positions: positionsBy(() => 0) }),
  follow: (_context, _after, signal) => ({
    [Symbol.asyncIterator]: () => ({
      next: () =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ done: true, value: undefined }), { once: true });
        }),
    }),
  }),
};
