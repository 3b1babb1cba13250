import { foldName, ROOT_PLAYLIST_FOLDER, type FiledKind } from '@continuo/contracts';
import { sql, type RawBuilder } from 'kysely';
import type { ReadDatabase } from '../database/database.js';
import { mayOpen } from '../visibility/playlist-access.js';
import type { Viewer } from '../visibility/viewer.js';

/** Folder of a list in an account. */
export interface Filing {
  readonly folderId: number;
  readonly sortOrder: number;
}

/** A list in a folder. */
export interface FiledList {
  readonly kind: FiledKind;
  readonly listId: number;
  readonly name: string;
  readonly sortOrder: number;
}

/** A folder of lists. */
export interface PlaylistFolderView {
  readonly id: number;
  readonly name: string;
  /** 0: the root. */
  readonly parentId: number;
  readonly sortOrder: number;
  /** Lists in it that its owner can open. */
  readonly listCount: number;
}

/** Reads the viewer's folders of some lists of a kind. */
export const filingsOf = async (
  db: ReadDatabase,
  userId: number,
  kind: FiledKind,
  ids: readonly number[],
): Promise<(id: number) => Filing | undefined> => {
  if (ids.length === 0) return () => undefined;
  const rows = await db
    .selectFrom('library.playlist_filing')
    .select(['list_id', 'folder_id', 'sort_order'])
    .where('user_id', '=', userId)
    .where('list_kind', '=', kind)
    .where('list_id', 'in', ids)
    .execute();
  const known = new Map(rows.map((row) => [row.list_id, { folderId: row.folder_id, sortOrder: row.sort_order }]));
  return (id) => known.get(id);
};

const tables: Readonly<Record<FiledKind, RawBuilder<unknown>>> = {
  playlist: sql`library.playlist`,
  smartlist: sql`library.smartlist`,
  collection: sql`library.collection`,
};

/** Filed lists that the viewer can open, of one kind. */
const filedOfKind = (kind: FiledKind, viewer: Viewer, folderId: number | undefined): RawBuilder<FiledRow> =>
  sql`select f.list_kind as kind, f.list_id, f.folder_id, f.sort_order, t.name, t.name_sort
    from library.playlist_filing f join ${tables[kind]} t on t.id = f.list_id
    where f.user_id = ${viewer.userId} and f.list_kind = ${kind} and ${mayOpen(viewer)}
      ${folderId === undefined ? sql`` : sql`and f.folder_id = ${folderId}`}`;

interface FiledRow {
  readonly kind: FiledKind;
  readonly list_id: number;
  readonly folder_id: number;
  readonly sort_order: number;
  readonly name: string;
}

const filedLists = async (db: ReadDatabase, viewer: Viewer, folderId?: number): Promise<readonly FiledRow[]> => {
  const { rows } = await sql<FiledRow>`
    select * from (${filedOfKind('playlist', viewer, folderId)} union all ${filedOfKind('smartlist', viewer, folderId)}
      union all ${filedOfKind('collection', viewer, folderId)}) as filed
    order by sort_order, name_sort, kind, list_id`.execute(db);
  return rows;
};

/** The viewer's folders: parents before what is in them, neighbours in their order, then by name. */
export const playlistFolderTree = async (db: ReadDatabase, viewer: Viewer): Promise<PlaylistFolderView[]> => {
  const [rows, filed] = await Promise.all([
    db.selectFrom('library.playlist_folder').selectAll().where('user_id', '=', viewer.userId).execute(),
    filedLists(db, viewer),
  ]);
  const counts = Map.groupBy(filed, ({ folder_id: id }) => id);
  const views = rows.map((row) => ({
    id: row.id,
    name: row.name,
    parentId: row.parent_id,
    sortOrder: row.sort_order,
    listCount: counts.get(row.id)?.length ?? 0,
  }));
  return inTreeOrder(views);
};

const compareNames = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const inTreeOrder = (views: readonly PlaylistFolderView[]): PlaylistFolderView[] => {
  const byParent = Map.groupBy(views, ({ parentId }) => parentId);
  const below = (parentId: number): PlaylistFolderView[] =>
    (byParent.get(parentId) ?? [])
      .toSorted((a, b) => a.sortOrder - b.sortOrder || compareNames(foldName(a.name), foldName(b.name)) || a.id - b.id)
      .flatMap((view) => [view, ...below(view.id)]);
  return below(ROOT_PLAYLIST_FOLDER);
};

/** The lists in a folder that the viewer can open, in their order, then by name. */
export const listsInFolder = async (db: ReadDatabase, folderId: number, viewer: Viewer): Promise<FiledList[]> =>
  (await filedLists(db, viewer, folderId)).map((row) => ({
    kind: row.kind,
    listId: row.list_id,
    name: row.name,
    sortOrder: row.sort_order,
  }));

/** Lists that are filed in a folder and that its owner cannot open any more. */
export const absentFromFolder = async (
  db: ReadDatabase,
  folderId: number,
  viewer: Viewer,
): Promise<{ kind: FiledKind; listId: number }[]> => {
  const [all, seen] = await Promise.all([
    db
      .selectFrom('library.playlist_filing')
      .select(['list_kind as kind', 'list_id as listId'])
      .where('user_id', '=', viewer.userId)
      .where('folder_id', '=', folderId)
      .execute(),
    filedLists(db, viewer, folderId),
  ]);
  const there = new Set(seen.map((row) => `${row.kind}:${row.list_id}`));
  return all.filter(({ kind, listId }) => !there.has(`${kind}:${listId}`));
};

/** True for a list that the viewer can open, and so file. */
export const isFilable = async (db: ReadDatabase, kind: FiledKind, listId: number, viewer: Viewer): Promise<boolean> => {
  const { rows } = await sql`select t.id from ${tables[kind]} t where t.id = ${listId} and ${mayOpen(viewer)}`.execute(db);
  return rows.length > 0;
};
