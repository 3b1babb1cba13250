import type { Aggregate } from '@continuo/chassis';
import {
  playQueueForgotten,
  playQueueMoved,
  playQueueSaved,
  type PlayQueueEvent,
  type PlayQueueRun,
  type UserId,
} from '@continuo/contracts';

/** Position in a queue, and the client that reported it. */
interface Place {
  readonly userId: UserId;
  readonly currentIndex: number;
  readonly positionMs: number;
  readonly client: string;
  readonly context?: string | undefined;
  readonly savedAtMs: number;
}

/** Makes this somebody's queue, or forgets that they had one. */
export type PlayQueueCommand =
  | ({ readonly type: 'save'; readonly runs: readonly PlayQueueRun[]; readonly runsSha256: string } & Place)
  | { readonly type: 'forget'; readonly userId: UserId };

/** State of a queue: enough to tell whether the next one is the same, however long it is. */
export interface PlayQueueState {
  /** Null without a queue. */
  readonly runsSha256: string | null;
}

const decide = (state: PlayQueueState, command: PlayQueueCommand): readonly PlayQueueEvent[] => {
  if (command.type === 'forget') return state.runsSha256 === null ? [] : [playQueueForgotten({ userId: command.userId })];
  const { runs, runsSha256, userId, currentIndex, positionMs, client, context, savedAtMs } = command;
  const place = { userId, currentIndex, positionMs, client, savedAtMs, ...(context === undefined ? {} : { context }) };
  // Clients say every few seconds where they are: the list itself is written once.
  if (state.runsSha256 === runsSha256) return [playQueueMoved(place)];
  return [playQueueSaved({ ...place, runs: runs.map((run) => ({ ...run })), runsSha256 })];
};

const evolve = (state: PlayQueueState, event: PlayQueueEvent): PlayQueueState => {
  switch (event.type) {
    case 'PlayQueueSaved':
      return { runsSha256: event.data.runsSha256 };
    case 'PlayQueueForgotten':
      return { runsSha256: null };
    default:
      return state;
  }
};

/** The play queue of one account; the id is the account's. */
export const playQueue: Aggregate<PlayQueueState, PlayQueueCommand, PlayQueueEvent> = {
  context: 'playback',
  kind: 'play-queue',
  // A list of ten thousand songs has 80 KB, and none of it is in the state.
  snapshotAfterEvents: 4,
  initialState: { runsSha256: null },
  decide,
  evolve,
};
