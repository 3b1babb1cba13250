import type { InMemoryCommandClient } from '@continuo/chassis/testkit';
import {
  addToCollection,
  changeCollection,
  changePlaylistFolder,
  collectionId,
  createCollection,
  createPlaylistFolder,
  deleteCollection,
  deletePlaylistFolder,
  filePlaylist,
  foldName,
  removeFromCollection,
  unfilePlaylist,
  type CollectionTable,
  type ReadModel,
} from '@continuo/contracts';
import type { Kysely } from 'kysely';

const MADE_MS = Date.UTC(2024, 4, 26, 12);

/** Answers the commands about collections and folders of lists and changes nothing: what is made is the second of the fixtures. */
export const withCollections = (commands: InMemoryCommandClient): InMemoryCommandClient =>
  commands
    .handle(createCollection, async () => ({ result: { collectionId: collectionId.parse(2) }, positions: [] }))
    .handle(changeCollection, async () => ({ result: {}, positions: [] }))
    .handle(addToCollection, async ({ data }) => ({ result: { added: !data.isUnique }, positions: [] }))
    .handle(removeFromCollection, async () => ({ result: {}, positions: [] }))
    .handle(deleteCollection, async () => ({ result: {}, positions: [] }))
    .handle(createPlaylistFolder, async () => ({ result: { folderId: 3 }, positions: [] }))
    .handle(changePlaylistFolder, async () => ({ result: {}, positions: [] }))
    .handle(deletePlaylistFolder, async () => ({ result: {}, positions: [] }))
    .handle(filePlaylist, async () => ({ result: {}, positions: [] }))
    .handle(unfilePlaylist, async () => ({ result: {}, positions: [] }));

/** Writes a collection into a read model of a test, as the projection of the library would. */
export const insertCollection = async (
  db: Kysely<ReadModel>,
  row: Pick<CollectionTable, 'id' | 'name'> & Partial<CollectionTable>,
): Promise<void> => {
  const usual = { owner_id: 1, is_public: false, collaborator_ids: [], object_kind: null, created_at_ms: MADE_MS, updated_at_ms: MADE_MS };
  await db
    .insertInto('library.collection')
    .values({ name_sort: foldName(row.name), member_count: 0, ...usual, ...row })
    .execute();
};

/**
 * A public collection of an album, a song, one that is gone and a playlist; an empty private one of albums; one of the second account; and for the first account
 * two folders, one in the other, with a playlist in the outer one.
 */
export const seedCollections = async (db: Kysely<ReadModel>): Promise<void> => {
  await insertCollection(db, { id: 1, name: 'For <the> Road', is_public: true, collaborator_ids: [2], member_count: 4 });
  await insertCollection(db, { id: 2, name: 'Albums', object_kind: 'album' });
  await insertCollection(db, { id: 3, name: 'Mine', owner_id: 2 });
  await db
    .insertInto('library.collection_member')
    .values([
      { collection_id: 1, entry: 1, object_kind: 'album', object_id: 1 },
      { collection_id: 1, entry: 2, object_kind: 'song', object_id: 999 },
      { collection_id: 1, entry: 4, object_kind: 'song', object_id: 1 },
      { collection_id: 1, entry: 5, object_kind: 'playlist', object_id: 1 },
    ])
    .execute();
  await db
    .insertInto('library.playlist_folder')
    .values([
      { user_id: 1, id: 1, parent_id: 0, name: 'Evenings & nights', sort_order: 1 },
      { user_id: 1, id: 2, parent_id: 1, name: 'Late', sort_order: 0 },
      { user_id: 2, id: 1, parent_id: 0, name: 'Secret', sort_order: 0 },
    ])
    .execute();
  await db
    .insertInto('library.playlist_filing')
    .values([
      { user_id: 1, list_kind: 'playlist', list_id: 1, folder_id: 1, sort_order: 2 },
      { user_id: 1, list_kind: 'collection', list_id: 1, folder_id: 1, sort_order: 1 },
      { user_id: 1, list_kind: 'playlist', list_id: 77, folder_id: 1, sort_order: 0 },
    ])
    .execute();
};
