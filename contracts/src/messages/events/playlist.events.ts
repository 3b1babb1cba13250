import { z } from 'zod';
import { defineEvent, type EventOf } from '../define.js';
import { userId } from '../ids.js';

/** Kinds of things that a playlist can hold; the type of the published table has the same words. Clients are shown songs only. */
export const playlistMemberKinds = ['song', 'video', 'podcast_episode', 'live_stream'] as const;

/** One of {@link playlistMemberKinds}. */
export const playlistMemberKind = z.enum(playlistMemberKinds);

/** As many members as one list holds. */
export const MAX_PLAYLIST_MEMBERS = 200_000;
/** As many members or entries as one event names: 250 KB at most. */
export const MAX_MEMBERS_PER_EVENT = 25_000;
/** As many members as one event puts in the place of others, each with all that is to say of it: 325 KB at most. */
export const MAX_REPLACED_PER_EVENT = 5000;
/** As many collaborators as one list has. */
export const MAX_PLAYLIST_COLLABORATORS = 100;
/** Longest name of a list, in characters. */
export const MAX_PLAYLIST_NAME = 255;
/** Longest remark on a list, in characters. */
export const MAX_PLAYLIST_COMMENT = 2000;

/** Public id of a playlist. */
export const playlistId = z.int().positive().brand<'PlaylistId'>();
export type PlaylistId = z.infer<typeof playlistId>;

/**
 * Number of one member within its list, from 1: given once, never again. It stays with its place through everything that others do to the list, so that what
 * a client meant by a position is still meant when others were faster.
 */
const entry = z.int().positive();
const objectId = z.int().positive();

/** Terms of a list that its owner may change. `ownerId` null: the system's own list. */
const terms = {
  name: z.string().max(MAX_PLAYLIST_NAME),
  ownerId: userId.nullable(),
  isPublic: z.boolean(),
  /** Comment of its owner; empty for none. */
  comment: z.string().max(MAX_PLAYLIST_COMMENT),
  collaboratorIds: z.array(userId).max(MAX_PLAYLIST_COLLABORATORS),
};

/** There is a list, and nothing in it yet. */
export const playlistCreated = defineEvent('PlaylistCreated', z.object({ playlistId, ...terms }));
/** Terms of a list changed; absent ones stay. */
export const playlistChanged = defineEvent(
  'PlaylistChanged',
  z
    .object({ playlistId, ...terms })
    .partial()
    .required({ playlistId: true }),
);
/** Things of one kind follow all that is in the list already, in this order; their entries count up from `firstEntry`. */
export const playlistMembersAdded = defineEvent(
  'PlaylistMembersAdded',
  z.object({
    playlistId,
    kind: playlistMemberKind,
    firstEntry: entry,
    objectIds: z.array(objectId).min(1).max(MAX_MEMBERS_PER_EVENT),
  }),
);
/** These entries are gone; the others keep their order. */
export const playlistMembersRemoved = defineEvent(
  'PlaylistMembersRemoved',
  z.object({ playlistId, entries: z.array(entry).min(1).max(MAX_MEMBERS_PER_EVENT) }),
);
/** At these entries stand other things now; the entries and their places stay. */
export const playlistMembersReplaced = defineEvent(
  'PlaylistMembersReplaced',
  z.object({
    playlistId,
    members: z
      .array(z.object({ entry, kind: playlistMemberKind, objectId }))
      .min(1)
      .max(MAX_REPLACED_PER_EVENT),
  }),
);
/**
 * These entries come last, in this order; the others stay before them as they were. Ranks count up from `firstRank`, which is higher than any rank so far;
 * a member that was never moved has its entry as its rank.
 */
export const playlistMembersMovedLast = defineEvent(
  'PlaylistMembersMovedLast',
  z.object({ playlistId, firstRank: entry, entries: z.array(entry).min(1).max(MAX_MEMBERS_PER_EVENT) }),
);
/** Nothing is in the list any more. */
export const playlistCleared = defineEvent('PlaylistCleared', z.object({ playlistId }));
/** The list is gone for good; its number is never given again. */
export const playlistDeleted = defineEvent('PlaylistDeleted', z.object({ playlistId }));

export type PlaylistEvent = EventOf<
  | typeof playlistCreated
  | typeof playlistChanged
  | typeof playlistMembersAdded
  | typeof playlistMembersRemoved
  | typeof playlistMembersReplaced
  | typeof playlistMembersMovedLast
  | typeof playlistCleared
  | typeof playlistDeleted
>;
/** The terms of a list. */
export type PlaylistTerms = z.infer<z.ZodObject<typeof terms>>;
/** The schemas of {@link PlaylistTerms}, for the commands that set them. */
export const playlistTerms = z.object(terms);
