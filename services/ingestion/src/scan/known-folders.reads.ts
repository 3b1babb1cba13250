import type { CatalogId, FolderId, ReadModel, ScanId, ScannedCatalog } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';
import { knownVideoFiles, videoCount, videosOfFolders } from '../video/known-videos.reads.js';
import type { KnownFile, KnownFolder } from './folder-plan.js';

export const catalogById = async (db: Kysely<ReadModel>, id: CatalogId): Promise<ScannedCatalog | undefined> => {
  const row = await db.selectFrom('library.catalog').select(['path', 'gather_types', 'song_count']).where('id', '=', id).executeTakeFirst();
  if (!row) return undefined;
  const gathers = row.gather_types;
  return { id, path: row.path, gathers, mediaCount: gathers === 'video' ? await videoCount(db, id) : row.song_count };
};

/** Reads known folders by path: two statements however many folders and files. Folders that are gone are left out. */
export const knownFolders = async (
  db: Kysely<ReadModel>,
  catalog: ScannedCatalog,
  paths: readonly string[],
): Promise<Map<string, KnownFolder>> => {
  if (paths.length === 0) return new Map();
  const folders = await db
    .selectFrom('library.folder')
    .select(['id', 'path'])
    .where('catalog_id', '=', catalog.id)
    .where('path', 'in', [...paths])
    .where('present', '=', true)
    .execute();
  const files = await knownFiles(
    db,
    catalog,
    folders.map((folder) => folder.id),
  );
  return new Map(folders.map(({ id, path }) => [path, { folderId: id as FolderId, files: files.get(id) ?? new Map<string, KnownFile>() }]));
};

const knownFiles = async (
  db: Kysely<ReadModel>,
  { gathers }: ScannedCatalog,
  folderIds: readonly number[],
): Promise<Map<number, Map<string, KnownFile>>> => {
  const byFolder = new Map<number, Map<string, KnownFile>>();
  if (folderIds.length === 0) return byFolder;
  const rows = await db
    .selectFrom('library.file')
    .select(['folder_id', 'name', 'kind', 'size_bytes', 'mtime_ms', 'skip_reason', 'skip_message'])
    .where('folder_id', 'in', [...folderIds])
    .execute();
  const videos = gathers === 'video' ? await knownVideoFiles(db, folderIds) : [];
  for (const row of [...rows, ...videos]) {
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

/** Known songs or videos of some folders, for the second look at what seemed to be gone. */
export const tracksOfFolders = async (
  db: Kysely<ReadModel>,
  { gathers }: ScannedCatalog,
  folderIds: readonly FolderId[],
): Promise<{ folderId: FolderId; path: string; names: string[] }[]> => {
  if (folderIds.length === 0) return [];
  const rows = gathers === 'video' ? await videosOfFolders(db, folderIds) : await songsOfFolders(db, folderIds);
  const byFolder = Map.groupBy(rows, (row) => row.id);
  return [...byFolder].map(([id, files]) => ({
    folderId: id as FolderId,
    path: files[0]?.path ?? '',
    names: files.map((file) => file.name),
  }));
};

const songsOfFolders = (db: Kysely<ReadModel>, folderIds: readonly FolderId[]) =>
  db
    .selectFrom('library.file')
    .innerJoin('library.folder', 'library.folder.id', 'library.file.folder_id')
    .select(['library.folder.id', 'library.folder.path', 'library.file.name'])
    .where('library.file.folder_id', 'in', [...folderIds])
    .where('library.file.kind', '=', 'track')
    .where('library.folder.present', '=', true)
    .execute();

/** Counts songs or videos of a catalog that were added since a scan was requested. */
export const mediaAddedSince = async (db: Kysely<ReadModel>, catalogId: CatalogId, scanId: ScanId): Promise<number> => {
  const catalog = await catalogById(db, catalogId);
  const media = catalog?.gathers === 'video' ? sql`library.video` : sql`library.song`;
  const { rows } = await sql<{ added: number }>`
    select count(*) as added from ${media} m
    where m.catalog_id = ${catalogId} and m.added_at_ms >= (select s.requested_at_ms from ingestion.scan s where s.id = ${scanId})`.execute(
    db,
  );
  return rows[0]?.added ?? 0;
};
