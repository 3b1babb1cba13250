import { projectEach, rawQuery, type ProjectedQuery, type Projection } from '@continuo/chassis';
import {
  foldName,
  given,
  type CollectionEvent,
  type CollectionId,
  type CollectionMemberTable,
  type CollectionTable,
  type CollectionTerms,
} from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';

interface Tables {
  collection: CollectionTable;
  collection_member: CollectionMemberTable;
}

const ddl = [
  `create table collection (
    id bigint primary key, owner_id bigint, name text not null, name_sort text collate "C" not null, is_public boolean not null,
    collaborator_ids bigint[] not null, object_kind text, created_at_ms bigint not null, updated_at_ms bigint not null, member_count bigint not null)`,
  'create index collection_by_name on collection (name_sort, id)',
  'create index collection_by_owner on collection (owner_id, id)',
  'create index collection_by_collaborator on collection using gin (collaborator_ids)',
  `create table collection_member (
    collection_id bigint not null, entry bigint not null, object_kind text not null, object_id bigint not null, primary key (collection_id, entry))`,
];

/** The columns of what was named; what was not named stays. */
const changedColumns = ({ name, ownerId, isPublic, collaboratorIds, objectKind }: Partial<CollectionTerms>): Partial<CollectionTable> => ({
  ...(name === undefined ? {} : { name, name_sort: foldName(name) }),
  ...given({ owner_id: ownerId, is_public: isPublic, collaborator_ids: collaboratorIds, object_kind: objectKind }),
});

/** Writes length, duration and time of change after members changed. */
const changedMembers = (db: Kysely<Tables>, id: CollectionId, at: number, difference: number): ProjectedQuery =>
  db
    .updateTable('collection')
    .set({ updated_at_ms: at, member_count: sql`member_count + ${difference}::int` })
    .where('id', '=', id);

/** The collections and their members. Nothing is kept here of the things themselves: what can be seen is asked when it is read. */
export const collectionsProjection: Projection<Tables> = {
  name: 'library-collections',
  version: 2,
  context: 'library',
  publishedSchema: 'library',
  publishes: ['collection', 'collection_member'],
  ddl,
  ...projectEach<CollectionEvent, Tables>({
    CollectionCreated: ({ data, at }, db) => [
      db.insertInto('collection').values({
        id: data.collectionId,
        owner_id: data.ownerId,
        name: data.name,
        name_sort: foldName(data.name),
        is_public: data.isPublic,
        collaborator_ids: data.collaboratorIds,
        object_kind: data.objectKind,
        created_at_ms: at,
        updated_at_ms: at,
        member_count: 0,
      }),
    ],
    CollectionChanged: ({ data, at }, db) => [
      db
        .updateTable('collection')
        .set({ ...changedColumns(data), updated_at_ms: at })
        .where('id', '=', data.collectionId),
    ],
    CollectionMemberAdded: ({ data, at }, db) => [
      db
        .insertInto('collection_member')
        .values({ collection_id: data.collectionId, entry: data.entry, object_kind: data.kind, object_id: data.objectId }),
      changedMembers(db, data.collectionId, at, 1),
    ],
    CollectionMembersRemoved: ({ data, at }, db) => [
      db.deleteFrom('collection_member').where('collection_id', '=', data.collectionId).where('entry', 'in', data.entries),
      changedMembers(db, data.collectionId, at, -data.entries.length),
    ],
    CollectionMembersReplaced: ({ data, at }, db) => {
      const places = data.members.toSorted((one, other) => one.entry - other.entry);
      const entries = sql`${places.map(({ entry }) => entry)}::bigint[]`;
      const [kinds, ids] = [places.map(({ kind }) => kind), places.map(({ objectId }) => objectId)];
      // Looked up in sorted arrays: a join would be planned by what is known of the table, which is nothing right after much came.
      const replace = sql`update collection_member set object_kind = (${kinds}::text[])[width_bucket(entry, ${entries})],
        object_id = (${ids}::bigint[])[width_bucket(entry, ${entries})] where collection_id = ${data.collectionId} and entry = any(${entries})`;
      return [rawQuery(replace, db as unknown as Kysely<never>), changedMembers(db, data.collectionId, at, 0)];
    },
    CollectionDeleted: ({ data }, db) => [
      db.deleteFrom('collection_member').where('collection_id', '=', data.collectionId),
      db.deleteFrom('collection').where('id', '=', data.collectionId),
    ],
  }),
};
