import { z } from 'zod';
import { defineEvent, type EventOf } from '../define.js';
import { userId } from '../ids.js';
import { playableType } from '../playable.js';
import { epochMs } from '../track.js';

/** A bookmark's number: one of all accounts' together, so that nobody takes somebody else's for an own one. */
export const bookmarkId = z.int().positive().brand<'BookmarkId'>();
export type BookmarkId = z.infer<typeof bookmarkId>;

const positionMs = z.int().nonnegative();
/** Owner and object. */
const ofBookmark = { bookmarkId, userId, objectType: playableType, objectId: z.int().positive() };

/**
 * Somebody put a bookmark into something, or wrote another label on it. The label (a client's name, or whatever somebody wrote) is sealed under the account's key; the digest under a key of
 * the server tells equal ones. `isApart`: the label tells this bookmark from others in the same thing; without, it is the one of the thing itself.
 */
export const bookmarkPlaced = defineEvent(
  'BookmarkPlaced',
  z.object({
    ...ofBookmark,
    isApart: z.boolean(),
    /** Empty without a label, as is `sealedLabel`. */
    labelDigest: z.string(),
    sealedLabel: z.string(),
    positionMs,
    createdAtMs: epochMs,
    changedAtMs: epochMs,
  }),
);
/** The bookmark was moved, or set to the same position again. */
export const bookmarkMoved = defineEvent('BookmarkMoved', z.object({ ...ofBookmark, positionMs, changedAtMs: epochMs }));
/** The bookmark is gone. */
export const bookmarkRemoved = defineEvent('BookmarkRemoved', z.object(ofBookmark));

export type BookmarkEvent = EventOf<typeof bookmarkPlaced | typeof bookmarkMoved | typeof bookmarkRemoved>;
