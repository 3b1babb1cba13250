import type { CatalogId, FolderId, ReadModel, ScanId } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';
import type { KnownFile, KnownFolder } from './folder-plan.js';

/** A catalog as a scan needs it. */
export interface ScannedCatalog {
  readonly id: CatalogId;
  readonly path: string;
  readonly songCount: number;
}

export const catalogById = async (db: Kysely<ReadModel>, id: CatalogId): Promise<ScannedCatalog | undefined> => {
  const row = await db.selectFrom('library.catalog').select(['id', 'path', 'song_count']).where('id', '=', id).executeTakeFirst();
  return row ? { id, path: row.path, songCount: row.song_count } : undefined;
};

/** What the library knows of some folders, by path: two statements however many folders and files. Folders that are gone are left out. */
export const knownFolders = async (
  db: Kysely<ReadModel>,
  catalogId: CatalogId,
  paths: readonly string[],
): Promise<Map<string, KnownFolder>> => {
  if (paths.length === 0) return new Map();
  const folders = await db
    .selectFrom('library.folder')
    .select(['id', 'path'])
    .where('catalog_id', '=', catalogId)
    .where('path', 'in', [...paths])
    .where('present', '=', true)
    .execute();
  const files = await knownFiles(
    db,
    folders.map((folder) => folder.id),
  );
  return new Map(folders.map(({ id, path }) => [path, { folderId: id as FolderId, files: files.get(id) ?? new Map<string, KnownFile>() }]));
};

const knownFiles = async (db: Kysely<ReadModel>, folderIds: readonly number[]): Promise<Map<number, Map<string, KnownFile>>> => {
  const byFolder = new Map<number, Map<string, KnownFile>>();
  if (folderIds.length === 0) return byFolder;
  const rows = await db
    .selectFrom('library.file')
    .select(['folder_id', 'name', 'kind', 'size_bytes', 'mtime_ms', 'skip_reason', 'skip_message'])
    .where('folder_id', 'in', [...folderIds])
    .execute();
  for (const row of rows) {
    let files = byFolder.get(row.folder_id);
    if (files === undefined) byFolder.set(row.folder_id, (files = new Map()));
    files.set(row.name, row);
  }
  return byFolder;
};

/** Folders of a catalog, or of the part below a path, that the library holds for present, in order of id; pages by key. */
export const presentFolders = async (
  db: Kysely<ReadModel>,
  { catalogId, within, afterId, limit }: { catalogId: CatalogId; within: string; afterId: number; limit: number },
): Promise<{ id: FolderId; path: string }[]> => {
  let query = db
    .selectFrom('library.folder')
    .select(['id', 'path'])
    .where('catalog_id', '=', catalogId)
    .where('present', '=', true)
    .where('id', '>', afterId);
  if (within !== '') query = query.where((eb) => eb.or([eb('path', '=', within), sql<boolean>`starts_with(path, ${`${within}/`})`]));
  const rows = await query.orderBy('id').limit(limit).execute();
  return rows.map(({ id, path }) => ({ id: id as FolderId, path }));
};

/** Known tracks of some folders, for the second look at what seemed to be gone. */
export const tracksOfFolders = async (
  db: Kysely<ReadModel>,
  folderIds: readonly FolderId[],
): Promise<{ folderId: FolderId; path: string; names: string[] }[]> => {
  if (folderIds.length === 0) return [];
  const rows = await db
    .selectFrom('library.file')
    .innerJoin('library.folder', 'library.folder.id', 'library.file.folder_id')
    .select(['library.folder.id', 'library.folder.path', 'library.file.name'])
    .where('library.file.folder_id', 'in', [...folderIds])
    .where('library.file.kind', '=', 'track')
    .where('library.folder.present', '=', true)
    .execute();
  const byFolder = Map.groupBy(rows, (row) => row.id);
  return [...byFolder].map(([id, files]) => ({
    folderId: id as FolderId,
    path: files[0]?.path ?? '',
    names: files.map((file) => file.name),
  }));
};

/** How many songs of a catalog were added since a scan was requested. */
export const songsAddedSince = async (db: Kysely<ReadModel>, catalogId: CatalogId, scanId: ScanId): Promise<number> => {
  const row = await db
    .selectFrom('library.song')
    .select(({ fn }) => fn.countAll<number>().as('songs'))
    .where('catalog_id', '=', catalogId)
    .where('added_at_ms', '>=', (eb) => eb.selectFrom('ingestion.scan').select('requested_at_ms').where('id', '=', scanId))
    .executeTakeFirst();
  return row?.songs ?? 0;
};
