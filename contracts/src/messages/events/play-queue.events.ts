import { z } from 'zod';
import { defineEvent, type EventOf } from '../define.js';
import { userId } from '../ids.js';
import { playableType } from '../playable.js';
import { epochMs } from '../track.js';

/** As many things as a play queue holds; with every number at its longest such a queue still fits into one event. */
export const MAX_PLAY_QUEUE = 25_000;
/** As often as songs, videos and episodes may take turns in a play queue. */
export const MAX_PLAY_QUEUE_RUNS = 5000;

/** Longest description of the list that a queue was taken from, in characters. */
export const MAX_PLAY_QUEUE_CONTEXT = 2000;

/** Neighbours of one type in a play queue. */
export const playQueueRun = z.object({ objectType: playableType, ids: z.array(z.int().positive()).min(1) });
export type PlayQueueRun = z.infer<typeof playQueueRun>;

/** Position in a queue, and the client that reported it. */
const place = {
  userId,
  /** Index in the whole queue, from 0; 0 in an empty one. */
  currentIndex: z.int().nonnegative(),
  positionMs: z.int().nonnegative(),
  client: z.string(),
  /** Source, order and device of the queue in the client's own form, up to 2,000 characters; only clients read it. */
  context: z.string().max(MAX_PLAY_QUEUE_CONTEXT).optional(),
  savedAtMs: epochMs,
};

/** From now on this is what the account wants to play, in this order; nothing when `runs` is empty. */
export const playQueueSaved = defineEvent(
  'PlayQueueSaved',
  z.object({ ...place, runs: z.array(playQueueRun), /** Of the runs, to tell equal queues. */ runsSha256: z.string() }),
);
/** The queue is the same, the place in it another, or said by another client. */
export const playQueueMoved = defineEvent('PlayQueueMoved', z.object(place));
/** The account has no queue any more, and none that would be empty. */
export const playQueueForgotten = defineEvent('PlayQueueForgotten', z.object({ userId }));

export type PlayQueueEvent = EventOf<typeof playQueueSaved | typeof playQueueMoved | typeof playQueueForgotten>;
