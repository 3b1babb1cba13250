import { z } from 'zod';
import { defineEvent, type EventOf } from '../define.js';
import { userId } from '../ids.js';
import { epochMs } from '../track.js';

/** Kinds of things that can be shared; the type of the published table has the same words. */
export const sharedKinds = ['song', 'album', 'album_disk', 'artist', 'playlist', 'search', 'video', 'podcast', 'podcast_episode'] as const;

/** One of {@link sharedKinds}. */
export const sharedKind = z.enum(sharedKinds);

/** As many things as one share holds. */
export const MAX_SHARED_OBJECTS = 1000;
/** Longest description of a share, in characters. */
export const MAX_SHARE_DESCRIPTION = 2000;

/** Public id of a share. */
export const shareId = z.int().positive().brand<'ShareId'>();
export type ShareId = z.infer<typeof shareId>;

/** Terms of a share that its owner may change. `expiresAtMs` null: it never ends. `maxVisits` 0: no limit of visits. */
const terms = {
  description: z.string().max(MAX_SHARE_DESCRIPTION),
  allowStream: z.boolean(),
  allowDownload: z.boolean(),
  expiresAtMs: epochMs.nullable(),
  maxVisits: z.int().min(0),
};

/**
 * Description of a share, sealed under the owner's own key, which is destroyed with the account. Where it is set, `description` is empty; logs from before it
 * was sealed have `description` alone.
 */
const sealedDescription = z.string().optional();

/**
 * Things of one kind can be seen under an address that holds a secret. The log keeps the secret as a lower-case hex SHA-256, which visitors are checked
 * by, and sealed, for the owner to look at again.
 */
export const shareCreated = defineEvent(
  'ShareCreated',
  z.object({
    shareId,
    userId,
    kind: sharedKind,
    objectIds: z.array(z.int().positive()).min(1).max(MAX_SHARED_OBJECTS),
    ...terms,
    sealedDescription,
    secretSha256: z.string(),
    sealedSecret: z.string(),
    createdAtMs: epochMs,
  }),
);
/** Terms of a share changed; absent ones stay. */
export const shareChanged = defineEvent(
  'ShareChanged',
  z
    .object({
      shareId,
      /** Owner of the share; with `sealedDescription`. */
      userId,
      sealedDescription,
      ...terms,
    })
    .partial()
    .required({ shareId: true }),
);
/** A share was visited with its secret. Requests of one visit are one event. */
export const shareVisited = defineEvent('ShareVisited', z.object({ shareId, visitedAtMs: epochMs }));
/** The address is dead for good. */
export const shareDeleted = defineEvent('ShareDeleted', z.object({ shareId }));

export type ShareEvent = EventOf<typeof shareCreated | typeof shareChanged | typeof shareVisited | typeof shareDeleted>;
/** The terms of a share. */
export type ShareTerms = z.infer<z.ZodObject<typeof terms>>;
/** The schemas of {@link ShareTerms}, for the commands that set them. */
export const shareTerms = z.object(terms);
