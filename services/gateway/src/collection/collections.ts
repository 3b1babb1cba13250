import {
  addToCollection,
  changeCollection,
  collectionId,
  createCollection,
  deleteCollection,
  removeFromCollection,
  userId,
  type CollectedKind,
  type UserId,
} from '@continuo/contracts';
import { runCommand } from '../commands.js';
import type { Editor } from '../playlist/playlists.js';
import { collectionRecord, seenInCollection, type CollectionMember, type CollectionRecord } from '../reads/collections.reads.js';
import { rightsOf } from '../reads/playlist-access.js';

/** What people do with collections. Positions, which clients count among what they see, become entries here. */

/** A collection that the caller may open; undefined also for a private one of somebody else: nobody learns which there are. */
export const openCollection = async (
  { services, viewer }: Pick<Editor, 'services' | 'viewer'>,
  id: number | undefined,
): Promise<CollectionRecord | undefined> => {
  const record = id === undefined ? undefined : await collectionRecord(services.db, id);
  return record && rightsOf(viewer, record).open ? record : undefined;
};

/** Makes an empty collection of the caller's own and answers its number. */
export const makeCollection = async (
  { services, context }: Editor,
  terms: { readonly name: string; readonly isPublic: boolean; readonly objectKind: CollectedKind | null },
): Promise<number> => {
  const ownerId = userId.parse(context.caller.account.id);
  return (await runCommand(services, context, createCollection, { ownerId, ...terms })).collectionId;
};

/** What of a collection is to be changed; what is not said stays. */
export interface CollectionChanges {
  readonly name?: string | undefined;
  readonly isPublic?: boolean | undefined;
  readonly collaboratorIds?: readonly UserId[] | undefined;
  /** Null: of any kind again. */
  readonly objectKind?: CollectedKind | null | undefined;
  /** Things by the position that they shall stand at, in place of what stands there; beyond the last they are added. The caller may see them. */
  readonly places: readonly { readonly position: number; readonly kind: CollectedKind; readonly objectId: number }[];
}

/**
 * Changes terms and places, all of it or nothing.
 * @throws Rejection `collection.other-kind`; `conflict` when somebody else has just taken out what stood at one of the places
 */
export const editCollection = async (editor: Editor, id: number, { places, ...terms }: CollectionChanges): Promise<void> => {
  const { services, context, viewer } = editor;
  const members = places.length === 0 ? [] : await seenInCollection(services.db, id, viewer);
  const given = Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== undefined));
  await runCommand(services, context, changeCollection, {
    collectionId: collectionId.parse(id),
    ...given,
    places: places.map(({ position, ...thing }) => ({ ...thing, entry: members[position - 1]?.entry ?? null })),
  });
};

/** Adds a thing that the caller may see; false when it is there already and the caller wants nothing twice. */
export const collect = async (
  { services, context, viewer }: Editor,
  id: number,
  thing: Pick<CollectionMember, 'kind' | 'objectId'>,
): Promise<boolean> => {
  const isUnique = (await services.preferences.current()).isOn(viewer.userId, 'unique_playlist');
  return (await runCommand(services, context, addToCollection, { collectionId: collectionId.parse(id), ...thing, isUnique })).added;
};

/** Removes those of the members that the caller sees and means; false when there are none. */
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

/** Ends a collection for good. */
export const endCollection = async ({ services, context }: Editor, id: number): Promise<void> => {
  await runCommand(services, context, deleteCollection, { collectionId: collectionId.parse(id) });
};
