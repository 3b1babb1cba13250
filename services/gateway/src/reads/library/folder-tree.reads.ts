import type { ReadDatabase } from '../database/database.js';
import { sql, type SqlBool } from 'kysely';
import { onlyIn, type CatalogScope } from '../visibility/catalog-scope.reads.js';

/** A folder of a catalog. */
export interface FolderRecord {
  readonly id: number;
  readonly catalogId: number;
  /** Null for the root of a catalog. */
  readonly parentId: number | null;
  readonly name: string;
  readonly hasArt: boolean;
}

const folders = (db: ReadDatabase) =>
  db
    .selectFrom('library.folder')
    .select(['id', 'catalog_id as catalogId', 'parent_id as parentId', 'name', sql<boolean>`art_hash is not null`.as('hasArt')])
    .where('present', '=', true);

/** A folder by id; undefined when there is none (any more). */
export const folderById = (db: ReadDatabase, id: number): Promise<FolderRecord | undefined> =>
  folders(db).where('id', '=', id).executeTakeFirst();

/** The roots of the given catalogs. */
export const rootFolders = async (db: ReadDatabase, catalogs: readonly number[]): Promise<FolderRecord[]> => {
  if (catalogs.length === 0) return [];
  return folders(db)
    .where((eb) => eb('catalog_id', '=', eb.fn.any(eb.val([...catalogs]))))
    .where('path', '=', '')
    .orderBy('catalog_id')
    .execute();
};

/** The folders directly inside the given ones, by name. */
export const foldersInside = async (db: ReadDatabase, parents: readonly number[]): Promise<FolderRecord[]> => {
  if (parents.length === 0) return [];
  return folders(db)
    .where((eb) => eb('parent_id', '=', eb.fn.any(eb.val([...parents]))))
    .orderBy('name')
    .orderBy('id')
    .execute();
};

/** Epoch milliseconds of the newest change that a scan made to the scope; 0 before the first. */
export const newestChangeMs = async (db: ReadDatabase, scope: CatalogScope): Promise<number> => {
  let query = db
    .selectFrom('ingestion.scan')
    .select(sql<number | null>`max(updated_at_ms)`.as('newest'))
    .where(sql<SqlBool>`songs_added + songs_changed + songs_moved + songs_removed > 0`);
  if (scope !== 'all') query = query.where(onlyIn('catalog_id', scope));
  return (await query.executeTakeFirst())?.newest ?? 0;
};

/** Ids of the songs or videos that lie directly in the given folders, by file name. */
export const idsInFolders = async (db: ReadDatabase, kind: 'song' | 'video', folderIds: readonly number[]): Promise<number[]> => {
  if (folderIds.length === 0) return [];
  const rows = await db
    .selectFrom(`library.${kind}`)
    .select('id')
    .where((eb) => eb('folder_id', '=', eb.fn.any(eb.val([...folderIds]))))
    .orderBy('file_name')
    .orderBy('id')
    .execute();
  return rows.map((row) => row.id);
};

/** The picture of a folder and the catalog that it belongs to; undefined when there is no such folder. */
export const folderArt = async (db: ReadDatabase, id: number): Promise<{ hash: string | null; catalogId: number } | undefined> =>
  db.selectFrom('library.folder').select(['art_hash as hash', 'catalog_id as catalogId']).where('id', '=', id).executeTakeFirst();
