import {
  addToCollection,
  changeCollection,
  collectionId,
  createCollection,
  deleteCollection,
  given,
  removeFromCollection,
  userId,
  type CollectedKind,
  type UserId,
} from '@continuo/contracts';
import { runAndAwaitReadModel, runCommand } from '../../server/commands.js';
import type { Editor } from './playlists.js';
import { collectionRecord, seenInCollection, type CollectionMember, type CollectionRecord } from './collections.reads.js';
import { rightsOf } from '../../reads/visibility/playlist-access.js';

/** Changes of collections for all APIs. Positions, which clients count among visible entries, are converted to entries here. */

/** A collection that the caller may open; undefined also for another user's private one, so that ids cannot be probed. */
export const openCollection = async (
  { services, viewer }: Pick<Editor, 'services' | 'viewer'>,
  id: number | undefined,
): Promise<CollectionRecord | undefined> => {
  const record = id === undefined ? undefined : await collectionRecord(services.db, id);
  return record && rightsOf(viewer, record).open ? record : undefined;
};

/** Creates an empty collection of the caller; returns its id. */
export const makeCollection = async (
  { services, context }: Editor,
  terms: { readonly name: string; readonly isPublic: boolean; readonly objectKind: CollectedKind | null },
): Promise<number> => {
  const ownerId = userId.parse(context.caller.account.id);
  return (await runAndAwaitReadModel(services, context, { command: createCollection }, { ownerId, ...terms })).collectionId;
};

/** Changes of a collection; absent fields stay. */
export interface CollectionChanges {
  readonly name?: string | undefined;
  readonly isPublic?: boolean | undefined;
  readonly collaboratorIds?: UserId[] | undefined;
  /** Null: any kind. */
  readonly objectKind?: CollectedKind | null | undefined;
  /** Objects by their new position; they replace the present ones, positions beyond the last append. The caller sees them. */
  readonly places: readonly { readonly position: number; readonly kind: CollectedKind; readonly objectId: number }[];
}

/**
 * Changes a collection and its entries atomically.
 * @throws Rejection `collection.other-kind`; `conflict` when somebody else has just removed an entry at one of the positions
 */
export const editCollection = async (editor: Editor, id: number, { places, ...terms }: CollectionChanges): Promise<void> => {
  const { services, context, viewer } = editor;
  const members = places.length === 0 ? [] : await seenInCollection(services.db, id, viewer);
  await runCommand(services, context, changeCollection, {
    collectionId: collectionId.parse(id),
    ...given(terms),
    places: places.map(({ position, ...thing }) => ({ ...thing, entry: members[position - 1]?.entry ?? null })),
  });
};

/** Adds an object that the caller sees; false when it is already there and the caller wants no duplicates. */
export const collect = async (
  { services, context, viewer }: Editor,
  id: number,
  thing: Pick<CollectionMember, 'kind' | 'objectId'>,
): Promise<boolean> => {
  const isUnique = (await services.preferences.current()).isOn(viewer.userId, 'unique_playlist');
  return (await runCommand(services, context, addToCollection, { collectionId: collectionId.parse(id), ...thing, isUnique })).added;
};

/** Removes the matching entries that the caller sees; false when there are none. */
export const removeMembers = async (
  { services, context, viewer }: Editor,
  id: number,
  isMeant: (member: CollectionMember, position: number) => boolean,
): Promise<boolean> => {
  const members = await seenInCollection(services.db, id, viewer);
  const entries = members.filter((member, index) => isMeant(member, index + 1)).map(({ entry }) => entry);
  if (entries.length > 0) await runCommand(services, context, removeFromCollection, { collectionId: collectionId.parse(id), entries });
  return entries.length > 0;
};

/** Deletes a collection. */
export const endCollection = async ({ services, context }: Editor, id: number): Promise<void> => {
  await runCommand(services, context, deleteCollection, { collectionId: collectionId.parse(id) });
};
