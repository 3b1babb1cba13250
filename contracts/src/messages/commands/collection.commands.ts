/**
 * Commands about collections. The sender has checked that the caller may, and that the things exist and may be seen. Members are named by their entry, the
 * number that a member keeps for life.
 */
import { z } from 'zod';
import { defineCommand } from '../define.js';
import { collectedKind, collectionId, collectionTerms, MAX_COLLECTION_MEMBERS } from '../events/collection.events.js';

const none = z.object({});
const name = z.string().trim().min(1).max(255);
const terms = collectionTerms.extend({ name });
const entry = z.int().positive();
const thing = z.object({ kind: collectedKind, objectId: z.int().positive() });

/** Makes an empty collection and answers its number. Names need not be unique. */
export const createCollection = defineCommand(
  'library',
  'create-collection',
  terms.extend({ collaboratorIds: terms.shape.collaboratorIds.default([]) }),
  z.object({ collectionId }),
);

/**
 * Changes what is named of a collection's terms, and puts things at entries (`entry` null: after the last). All of it or nothing. Refused as
 * `collection.other-kind` when something in it would be of another kind than its only one, as `conflict` when an entry is gone.
 */
export const changeCollection = defineCommand(
  'library',
  'change-collection',
  terms.partial().extend({
    collectionId,
    places: z
      .array(thing.extend({ entry: entry.nullable() }))
      .max(MAX_COLLECTION_MEMBERS)
      .default([]),
  }),
  none,
);

/**
 * Adds a thing after the last. With `isUnique` nothing is added that is there already; `added` tells. Refused as `collection.other-kind` and
 * `collection.full`.
 */
export const addToCollection = defineCommand(
  'library',
  'add-to-collection',
  thing.extend({ collectionId, isUnique: z.boolean().default(false) }),
  z.object({ added: z.boolean() }),
);

/** Removes entries. Those that are gone already are passed over. */
export const removeFromCollection = defineCommand(
  'library',
  'remove-from-collection',
  z.object({ collectionId, entries: z.array(entry).max(MAX_COLLECTION_MEMBERS) }),
  none,
);

/** Ends a collection for good; ending it again changes nothing. */
export const deleteCollection = defineCommand('library', 'delete-collection', z.object({ collectionId }), none);
