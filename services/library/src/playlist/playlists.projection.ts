import { projectEach, rawQuery, type ProjectedQuery, type Projection } from '@continuo/chassis';
import {
  given,
  sortKey,
  type PlaylistEvent,
  type PlaylistId,
  type PlaylistMemberTable,
  type PlaylistTable,
  type PlaylistTerms,
} from '@continuo/contracts';
import { sql, type Kysely, type RawBuilder } from 'kysely';

interface Tables {
  playlist: PlaylistTable;
  playlist_member: PlaylistMemberTable;
}

const ddl = [
  `create table playlist (
    id bigint primary key, owner_id bigint, name text not null, name_sort text collate "C" not null, is_public boolean not null, comment text not null,
    collaborator_ids bigint[] not null, created_at_ms bigint not null, updated_at_ms bigint not null, revision bigint not null, member_count bigint not null)`,
  'create index playlist_by_name on playlist (name_sort, id)',
  'create index playlist_by_owner on playlist (owner_id, id)',
  'create index playlist_by_collaborator on playlist using gin (collaborator_ids)',
  `create table playlist_member (
    playlist_id bigint not null, entry bigint not null, rank bigint not null, object_kind text not null, object_id bigint not null, added_at_ms bigint not null,
    primary key (playlist_id, entry))`,
  // A page of a long list is found in the index alone.
  'create index playlist_member_by_rank on playlist_member (playlist_id, rank) include (object_kind, object_id, entry)',
];

type Changed = Partial<Omit<PlaylistTerms, 'playlistId'>>;

/** The columns of what was named; what was not named stays. */
const changedColumns = ({ name, ownerId, isPublic, comment, collaboratorIds }: Changed): Partial<PlaylistTable> => ({
  ...(name === undefined ? {} : { name, name_sort: sortKey(name) }),
  ...given({ owner_id: ownerId, is_public: isPublic, comment, collaborator_ids: collaboratorIds }),
});

/** Writes length, duration and time of change after members changed; `count` is the new length, or the difference. */
const changedMembers = (
  db: Kysely<Tables>,
  id: PlaylistId,
  { at, difference }: { at: number; difference: number | 'all' },
): ProjectedQuery =>
  db
    .updateTable('playlist')
    .set({
      updated_at_ms: at,
      revision: sql`revision + 1`,
      member_count: difference === 'all' ? 0 : sql`member_count + ${difference}::int`,
    })
    .where('id', '=', id);

/**
 * Members get values of their own: those of `entry` are found in arrays sorted by it. A join with the arrays would be planned by what is known of the table, which is nothing right
 * after a long list came, and compared each member with each entry then: minutes for 50,000, in which no playlist would go on.
 */
const setPlaces = (
  id: PlaylistId,
  places: readonly { readonly entry: number }[],
  values: (place: RawBuilder<number>) => RawBuilder<unknown>,
): RawBuilder<unknown> => {
  const entries = sql`${places.map(({ entry }) => entry)}::bigint[]`;
  return sql`update playlist_member set ${values(sql<number>`width_bucket(entry, ${entries})`)} where playlist_id = ${id} and entry = any(${entries})`;
};
const inOrder = <P extends { readonly entry: number }>(places: readonly P[]): readonly P[] =>
  places.toSorted((one, other) => one.entry - other.entry);

const raw = (statement: Parameters<typeof rawQuery>[0], db: Kysely<Tables>): ProjectedQuery =>
  rawQuery(statement, db as unknown as Kysely<never>);

/** The playlists and their members. Nothing is kept here of the songs themselves: what of a list can be seen is asked when it is read. */
export const playlistsProjection: Projection<Tables> = {
  name: 'library-playlists',
  version: 3,
  context: 'library',
  publishedSchema: 'library',
  publishes: ['playlist', 'playlist_member'],
  ddl,
  ...projectEach<PlaylistEvent, Tables>({
    PlaylistCreated: ({ data, at }, db) => {
      const { playlistId: id, name, ownerId, isPublic, comment, collaboratorIds } = data;
      return [
        db.insertInto('playlist').values({
          id,
          owner_id: ownerId,
          name,
          name_sort: sortKey(name),
          is_public: isPublic,
          comment,
          collaborator_ids: collaboratorIds,
          created_at_ms: at,
          updated_at_ms: at,
          revision: 0,
          member_count: 0,
        }),
      ];
    },
    PlaylistChanged: ({ data, at }, db) => [
      db
        .updateTable('playlist')
        .set({ ...changedColumns(data), updated_at_ms: at })
        .where('id', '=', data.playlistId),
    ],
    PlaylistMembersAdded: ({ data, at }, db) => [
      raw(
        sql`insert into playlist_member (playlist_id, entry, rank, object_kind, object_id, added_at_ms)
          select ${data.playlistId}::bigint, n.entry, n.entry, ${data.kind}, n.object_id, ${at}::bigint
          from (select object_id, ${data.firstEntry}::bigint + ord - 1 as entry from unnest(${data.objectIds}::bigint[]) with ordinality as o (object_id, ord)) as n`,
        db,
      ),
      changedMembers(db, data.playlistId, { at, difference: data.objectIds.length }),
    ],
    PlaylistMembersRemoved: ({ data, at }, db) => [
      raw(sql`delete from playlist_member where playlist_id = ${data.playlistId} and entry = any(${data.entries}::bigint[])`, db),
      changedMembers(db, data.playlistId, { at, difference: -data.entries.length }),
    ],
    PlaylistMembersReplaced: ({ data, at }, db) => {
      const places = inOrder(data.members);
      const [kinds, ids] = [places.map(({ kind }) => kind), places.map(({ objectId }) => objectId)];
      return [
        raw(
          setPlaces(
            data.playlistId,
            places,
            (place) =>
              sql`object_kind = (${kinds}::text[])[${place}], object_id = (${ids}::bigint[])[${place}], added_at_ms = ${at}::bigint`,
          ),
          db,
        ),
        changedMembers(db, data.playlistId, { at, difference: 0 }),
      ];
    },
    PlaylistMembersMovedLast: ({ data, at }, db) => {
      const places = inOrder(data.entries.map((entry, index) => ({ entry, rank: data.firstRank + index })));
      const ranks = places.map(({ rank }) => rank);
      return [
        raw(
          setPlaces(data.playlistId, places, (place) => sql`rank = (${ranks}::bigint[])[${place}]`),
          db,
        ),
        changedMembers(db, data.playlistId, { at, difference: 0 }),
      ];
    },
    PlaylistCleared: ({ data, at }, db) => [
      db.deleteFrom('playlist_member').where('playlist_id', '=', data.playlistId),
      changedMembers(db, data.playlistId, { at, difference: 'all' }),
    ],
    PlaylistDeleted: ({ data }, db) => [
      db.deleteFrom('playlist_member').where('playlist_id', '=', data.playlistId),
      db.deleteFrom('playlist').where('id', '=', data.playlistId),
    ],
  }),
};
