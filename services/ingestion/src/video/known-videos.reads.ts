import type { CatalogId, FolderId, ReadModel } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';
import type { KnownFile } from '../scan/folder-plan.js';

/** Counts the videos of a catalog. */
export const videoCount = async (db: Kysely<ReadModel>, catalogId: CatalogId): Promise<number> => {
  const row = await db
    .selectFrom('library.video_counter')
    .select('total')
    .where('kind', '=', 'video')
    .where('catalog_id', '=', catalogId)
    .executeTakeFirst();
  return row?.total ?? 0;
};

/** The videos of some folders as files that a scan knows. */
export const knownVideoFiles = async (
  db: Kysely<ReadModel>,
  folderIds: readonly number[],
): Promise<(KnownFile & { readonly folder_id: number })[]> => {
  const rows = await db
    .selectFrom('library.video')
    .select(['folder_id', 'file_name as name', 'size_bytes', 'mtime_ms'])
    .where(sql<boolean>`folder_id = any(${[...folderIds]}::bigint[])`)
    .execute();
  return rows.map((row) => ({ ...row, kind: 'track', skip_reason: null, skip_message: null }));
};

/** The videos of some folders by name, for the second look at what seemed to be gone. */
export const videosOfFolders = async (
  db: Kysely<ReadModel>,
  folderIds: readonly FolderId[],
): Promise<{ id: FolderId; path: string; name: string }[]> => {
  const rows = await db
    .selectFrom('library.video as v')
    .innerJoin('library.folder as f', 'f.id', 'v.folder_id')
    .select(['f.id', 'f.path', 'v.file_name as name'])
    .where(sql<boolean>`v.folder_id = any(${[...folderIds]}::bigint[])`)
    .where('f.present', '=', true)
    .execute();
  return rows.map(({ id, path, name }) => ({ id: id as FolderId, path, name }));
};
