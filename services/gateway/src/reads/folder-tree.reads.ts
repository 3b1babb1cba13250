import type { ReadModel } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';

/** A folder of a catalog. */
export interface FolderRecord {
  readonly id: number;
  readonly catalogId: number;
  /** Null for the root of a catalog. */
  readonly parentId: number | null;
  readonly name: string;
  readonly hasArt: boolean;
}

const folders = (db: Kysely<ReadModel>) =>
  db.selectFrom('library.folder').select(['id', 'catalog_id', 'parent_id', 'name', 'art_hash']).where('present', '=', true);

const toRecord = (row: { id: number; catalog_id: number; parent_id: number | null; name: string; art_hash: string | null }): FolderRecord => ({
  id: row.id,
  catalogId: row.catalog_id,
  parentId: row.parent_id,
  name: row.name,
  hasArt: row.art_hash !== null,
});

/** A folder by id; undefined when there is none (any more). */
export const folderById = async (db: Kysely<ReadModel>, id: number): Promise<FolderRecord | undefined> => {
  const row = await folders(db).where('id', '=', id).executeTakeFirst();
  return row && toRecord(row);
};

/** The roots of the given catalogs. */
export const rootFolders = async (db: Kysely<ReadModel>, catalogs: readonly number[]): Promise<FolderRecord[]> => {
  if (catalogs.length === 0) return [];
  const rows = await folders(db)
    .where((eb) => eb('catalog_id', '=', eb.fn.any(eb.val([...catalogs]))))
    .where('path', '=', '')
    .orderBy('catalog_id')
    .execute();
  return rows.map(toRecord);
};

/** The folders directly inside the given ones, by name. */
export const foldersInside = async (db: Kysely<ReadModel>, parents: readonly number[]): Promise<FolderRecord[]> => {
  if (parents.length === 0) return [];
  const rows = await folders(db)
    .where((eb) => eb('parent_id', '=', eb.fn.any(eb.val([...parents]))))
    .orderBy('name')
    .orderBy('id')
    .execute();
  return rows.map(toRecord);
};

/** Epoch milliseconds of the newest change to a song; 0 in an empty library. */
export const newestChangeMs = async (db: Kysely<ReadModel>, catalogs: readonly number[]): Promise<number> => {
  if (catalogs.length === 0) return 0;
  const row = await db
    .selectFrom('library.song')
    .select(sql<number | null>`max(updated_at_ms)::float8`.as('newest'))
    .where((eb) => eb('catalog_id', '=', eb.fn.any(eb.val([...catalogs]))))
    .executeTakeFirst();
  return row?.newest ?? 0;
};
