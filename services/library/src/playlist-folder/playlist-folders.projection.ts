import { projectEach, type Projection } from '@continuo/chassis';
import { given, type PlaylistFilingTable, type PlaylistFolderEvent, type PlaylistFolderTable } from '@continuo/contracts';

interface Tables {
  playlist_folder: PlaylistFolderTable;
  playlist_filing: PlaylistFilingTable;
}

const ddl = [
  `create table playlist_folder (
    user_id bigint not null, id bigint not null, parent_id bigint not null, name text not null, sort_order bigint not null, primary key (user_id, id))`,
  `create table playlist_filing (
    user_id bigint not null, list_kind text not null, list_id bigint not null, folder_id bigint not null, sort_order bigint not null,
    primary key (user_id, list_kind, list_id))`,
  'create index playlist_filing_by_folder on playlist_filing (user_id, folder_id)',
];

/** Everybody's folders of lists, and what is filed in them. */
export const playlistFoldersProjection: Projection<Tables> = {
  name: 'library-playlist-folders',
  version: 1,
  context: 'library',
  publishedSchema: 'library',
  publishes: ['playlist_folder', 'playlist_filing'],
  ddl,
  ...projectEach<PlaylistFolderEvent, Tables>({
    PlaylistFolderCreated: ({ data: { userId, folderId, name, parentId, sortOrder } }, db) => [
      db.insertInto('playlist_folder').values({ user_id: userId, id: folderId, parent_id: parentId, name, sort_order: sortOrder }),
    ],
    PlaylistFolderChanged: ({ data: { userId, folderId, name, parentId, sortOrder } }, db) => [
      db
        .updateTable('playlist_folder')
        .set(given({ name, parent_id: parentId, sort_order: sortOrder }))
        .where('user_id', '=', userId)
        .where('id', '=', folderId),
    ],
    PlaylistFolderDeleted: ({ data: { userId, folderId } }, db) => [
      db.deleteFrom('playlist_filing').where('user_id', '=', userId).where('folder_id', '=', folderId),
      db.deleteFrom('playlist_folder').where('user_id', '=', userId).where('id', '=', folderId),
    ],
    PlaylistFiled: ({ data: { userId, folderId, kind, listId, sortOrder } }, db) => [
      db
        .insertInto('playlist_filing')
        .values({ user_id: userId, list_kind: kind, list_id: listId, folder_id: folderId, sort_order: sortOrder })
        .onConflict((conflict) =>
          conflict.columns(['user_id', 'list_kind', 'list_id']).doUpdateSet({ folder_id: folderId, sort_order: sortOrder }),
        ),
    ],
    PlaylistUnfiled: ({ data: { userId, kind, listId } }, db) => [
      db.deleteFrom('playlist_filing').where('user_id', '=', userId).where('list_kind', '=', kind).where('list_id', '=', listId),
    ],
    PlaylistFoldersForgotten: ({ data: { userId } }, db) => [
      db.deleteFrom('playlist_filing').where('user_id', '=', userId),
      db.deleteFrom('playlist_folder').where('user_id', '=', userId),
    ],
  }),
};
