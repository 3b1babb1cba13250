import { z } from 'zod';
import { defineEvent, type EventOf } from '../define.js';
import { userId } from '../ids.js';

/** Kinds of things that a collection can hold. */
export const collectedKinds = [
  'song',
  'album',
  'album_disk',
  'artist',
  'genre',
  'label',
  'video',
  'podcast',
  'podcast_episode',
  'live_stream',
  'playlist',
  'smartlist',
] as const;

/** One of {@link collectedKinds}. */
export const collectedKind = z.enum(collectedKinds);

/** As many members as one collection holds: they are picked by hand, one after the other. */
export const MAX_COLLECTION_MEMBERS = 10_000;
/** As many collaborators as one collection has. */
export const MAX_COLLECTION_COLLABORATORS = 100;
/** Longest name of a collection, in characters. */
export const MAX_COLLECTION_NAME = 255;

/** Public id of a collection. */
export const collectionId = z.int().positive().brand<'CollectionId'>();
export type CollectionId = z.infer<typeof collectionId>;

/** Number of one member within its collection, from 1: given once, never again. */
const entry = z.int().positive();
const objectId = z.int().positive();

/** Terms of a collection that its owner may change. `ownerId` null: the system's own. `objectKind` null: of any kind. */
const terms = {
  name: z.string().max(MAX_COLLECTION_NAME),
  ownerId: userId.nullable(),
  isPublic: z.boolean(),
  collaboratorIds: z.array(userId).max(MAX_COLLECTION_COLLABORATORS),
  objectKind: collectedKind.nullable(),
};

/** There is a collection, and nothing in it yet. */
export const collectionCreated = defineEvent('CollectionCreated', z.object({ collectionId, ...terms }));
/** Terms of a collection changed; absent ones stay. */
export const collectionChanged = defineEvent(
  'CollectionChanged',
  z
    .object({ collectionId, ...terms })
    .partial()
    .required({ collectionId: true }),
);
/** A thing follows all that is in the collection already. */
export const collectionMemberAdded = defineEvent('CollectionMemberAdded', z.object({ collectionId, entry, kind: collectedKind, objectId }));
/** These entries are gone; the others keep their order. */
export const collectionMembersRemoved = defineEvent(
  'CollectionMembersRemoved',
  z.object({ collectionId, entries: z.array(entry).min(1).max(MAX_COLLECTION_MEMBERS) }),
);
/** At these entries stand other things now; the entries and their places stay. */
export const collectionMembersReplaced = defineEvent(
  'CollectionMembersReplaced',
  z.object({
    collectionId,
    members: z
      .array(z.object({ entry, kind: collectedKind, objectId }))
      .min(1)
      .max(MAX_COLLECTION_MEMBERS),
  }),
);
/** The collection is gone for good; its number is never given again. */
export const collectionDeleted = defineEvent('CollectionDeleted', z.object({ collectionId }));

export type CollectionEvent = EventOf<
  | typeof collectionCreated
  | typeof collectionChanged
  | typeof collectionMemberAdded
  | typeof collectionMembersRemoved
  | typeof collectionMembersReplaced
  | typeof collectionDeleted
>;
/** The terms of a collection. */
export type CollectionTerms = z.infer<z.ZodObject<typeof terms>>;
/** The schemas of {@link CollectionTerms}, for the commands that set them. */
export const collectionTerms = z.object(terms);
