import type { AnnotatedKind, CollectedKind } from '@continuo/contracts';
import { objectsThere, type SeenObject } from '../../kinds/visible-objects.reads.js';
import type { ReadDatabase } from '../../reads/database/database.js';
import { IdList } from '../../reads/lists/id-list.js';
import { filingsOf, type Filing } from '../../reads/playlists/playlist-folders.reads.js';
import { isListedFor, mayOpen, type ListTerms } from '../../reads/visibility/playlist-access.js';
import { SYSTEM_OWNER } from '../../reads/playlists/playlists.reads.js';
import { inOrder } from '../../reads/songs/songs.reads.js';
import type { Viewer } from '../../reads/visibility/viewer.js';

/** A collection without what is in it. */
export interface CollectionRecord extends ListTerms {
  readonly id: number;
  readonly name: string;
  /** The only kind that it takes; null = any. */
  readonly objectKind: CollectedKind | null;
}

/** A collection as a viewer sees it. */
export interface CollectionView extends CollectionRecord {
  /** Name of the account; empty when it is gone, `System` for one of nobody. */
  readonly owner: string;
  /** Members that the viewer may see. */
  readonly memberCount: number;
  /** Undefined where the viewer has it in no folder. */
  readonly filing: Filing | undefined;
}

/** Something in a collection. */
export interface CollectionMember {
  readonly entry: number;
  readonly kind: CollectedKind;
  readonly objectId: number;
}

const records = (db: ReadDatabase) =>
  db
    .selectFrom('library.collection as t')
    .select(['t.id', 't.name', 't.owner_id as ownerId', 't.is_public as isPublic', 't.collaborator_ids as collaboratorIds'])
    .select('t.object_kind as objectKind');

/** A collection whoever asks: for whoever decides then what the caller may do with it. */
export const collectionRecord = (db: ReadDatabase, id: number): Promise<CollectionRecord | undefined> =>
  records(db).where('t.id', '=', id).executeTakeFirst();

/** The collections that the viewer finds, by name; those of one kind alone where it is named. */
export const collectionList = async (db: ReadDatabase, viewer: Viewer, kind: CollectedKind | undefined): Promise<IdList> => {
  const rows = await db
    .selectFrom('library.collection as t')
    .select('t.id')
    .where(isListedFor(viewer.userId))
    .$if(kind !== undefined, (query) => query.where('t.object_kind', '=', kind ?? null))
    .orderBy('t.name_sort')
    .orderBy('t.id')
    .execute();
  return new IdList(Int32Array.from(rows, ({ id }) => id));
};

/** Returns the annotated object of a member. */
const seenAs = ({ kind, objectId }: CollectionMember): SeenObject => ({
  kind: kind === 'smartlist' ? 'search' : (kind satisfies AnnotatedKind),
  objectId,
});

/** The members of some collections that the viewer may see, in order. Members whose things are gone are kept, and not shown. */
const membersOf = async (
  db: ReadDatabase,
  ids: readonly number[],
  viewer: Viewer,
): Promise<(id: number) => readonly CollectionMember[]> => {
  const rows = await db
    .selectFrom('library.collection_member as m')
    .select(['m.collection_id as collectionId', 'm.entry', 'm.object_kind as kind', 'm.object_id as objectId'])
    .where('m.collection_id', 'in', ids)
    .orderBy('m.collection_id')
    .orderBy('m.entry')
    .execute();
  const isThere = await objectsThere(db, viewer, rows.map(seenAs));
  const byCollection = Map.groupBy(
    rows.filter((row) => isThere(seenAs(row))),
    ({ collectionId }) => collectionId,
  );
  return (id) => byCollection.get(id) ?? [];
};

/** The members of a collection that the viewer may see, in order: the first one is at position 1. */
export const seenInCollection = async (db: ReadDatabase, id: number, viewer: Viewer): Promise<readonly CollectionMember[]> =>
  (await membersOf(db, [id], viewer))(id);

/** True for a thing that the viewer may see, and so collect. */
export const isCollectable = async (
  db: ReadDatabase,
  thing: Pick<CollectionMember, 'kind' | 'objectId'>,
  viewer: Viewer,
): Promise<boolean> => {
  const seen = seenAs({ entry: 0, ...thing });
  return (await objectsThere(db, viewer, [seen]))(seen);
};

/** Collections by id that the viewer may open, in the order of the ids. */
export const collectionsByIds = async (db: ReadDatabase, ids: ArrayLike<number>, viewer: Viewer): Promise<CollectionView[]> => {
  if (ids.length === 0) return [];
  const wanted = Array.from(ids);
  const [rows, members, filingOf] = await Promise.all([
    records(db)
      .leftJoin('social.user as u', 'u.id', 't.owner_id')
      .select('u.username')
      .where('t.id', 'in', wanted)
      .where(mayOpen(viewer))
      .execute(),
    membersOf(db, wanted, viewer),
    filingsOf(db, viewer.userId, 'collection', wanted),
  ]);
  return inOrder(ids, rows).map(({ username, ...row }) => ({
    ...row,
    owner: row.ownerId === null ? SYSTEM_OWNER : (username ?? ''),
    memberCount: members(row.id).length,
    filing: filingOf(row.id),
  }));
};
