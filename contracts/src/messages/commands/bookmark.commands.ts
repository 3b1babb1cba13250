import { z } from 'zod';
import { defineCommand } from '../define.js';
import { bookmarkId } from '../events/bookmark.events.js';
import { MAX_PLAY_QUEUE, MAX_PLAY_QUEUE_CONTEXT, MAX_PLAY_QUEUE_RUNS, playQueueRun } from '../events/play-queue.events.js';
import { userId } from '../ids.js';
import { playableType } from '../playable.js';
import { epochMs } from '../track.js';

/** Longest label of a bookmark, in characters. */
export const MAX_BOOKMARK_LABEL = 2000;
/** As many bookmarks as one command removes. */
export const MAX_REMOVED_BOOKMARKS = 500;

const positionMs = z.int().nonnegative();

/**
 * Puts a user's bookmark into something, over the one that is there. With `isApart` it is the one with this label, beside others in the same thing; without, it is
 * the one of the thing itself, whose label stays when none is said. `isOnly` removes all others in the same thing. The sender has checked that the thing exists.
 */
export const placeBookmark = defineCommand(
  'playback',
  'place-bookmark',
  z.object({
    userId,
    objectType: playableType,
    objectId: z.int().positive(),
    label: z.string().max(MAX_BOOKMARK_LABEL).optional(),
    isApart: z.boolean(),
    isOnly: z.boolean().default(false),
    positionMs,
    placedAtMs: epochMs,
  }),
  z.object({ bookmarkId }),
);

/** Moves a bookmark of a user to another position; refused with `bookmark.not-found` when it does not exist or is somebody else's. */
export const moveBookmark = defineCommand(
  'playback',
  'move-bookmark',
  z.object({ userId, bookmarkId, positionMs, movedAtMs: epochMs }),
  z.object({}),
);

/** Removes bookmarks of a user, all of them or none; what is gone already, or somebody else's, is left as it is. */
export const removeBookmarks = defineCommand(
  'playback',
  'remove-bookmarks',
  z.object({ userId, bookmarkIds: z.array(bookmarkId).min(1).max(MAX_REMOVED_BOOKMARKS) }),
  z.object({}),
);

/** Replaces a user's play queue; without runs it is empty. The last write wins: clients never conflict. */
export const savePlayQueue = defineCommand(
  'playback',
  'save-play-queue',
  z
    .object({
      userId,
      runs: z.array(playQueueRun).max(MAX_PLAY_QUEUE_RUNS),
      currentIndex: z.int().nonnegative(),
      positionMs,
      client: z.string().max(255),
      context: z.string().max(MAX_PLAY_QUEUE_CONTEXT).optional(),
    })
    .refine(({ runs }) => runs.reduce((sum, { ids }) => sum + ids.length, 0) <= MAX_PLAY_QUEUE, { error: 'is too long a queue' }),
  z.object({}),
);
