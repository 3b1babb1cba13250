import type { CatalogId, ReadModel, SongId } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';
import type { ScannedCatalog } from '../scan/known-folders.reads.js';

/** Where a song's file lies. */
export interface SongPlace {
  readonly songId: SongId;
  readonly catalog: ScannedCatalog;
  /** Relative to the catalog's root. */
  readonly folderPath: string;
  readonly fileName: string;
}

/** Where the files of some songs lie; songs that the library does not know are left out. */
export const songPlaces = async (db: Kysely<ReadModel>, songIds: readonly SongId[]): Promise<SongPlace[]> => {
  const rows = await db
    .selectFrom('library.song as s')
    .innerJoin('library.folder as f', 'f.id', 's.folder_id')
    .innerJoin('library.catalog as c', 'c.id', 's.catalog_id')
    .select([
      's.id as songId',
      's.file_name as fileName',
      'f.path as folderPath',
      'c.id as catalogId',
      'c.path as root',
      'c.song_count as songCount',
    ])
    .where(sql<boolean>`s.id = any(${[...songIds]}::bigint[])`)
    .execute();
  return rows.map(({ songId, fileName, folderPath, catalogId, root, songCount }) => ({
    songId: songId as SongId,
    catalog: { id: catalogId as CatalogId, path: root, songCount },
    folderPath,
    fileName,
  }));
};

/** True when the library has a song of just this file. */
export const isKnownSong = async (
  db: Kysely<ReadModel>,
  catalogId: CatalogId,
  { folderPath, fileName }: Pick<SongPlace, 'folderPath' | 'fileName'>,
): Promise<boolean> => {
  const row = await db
    .selectFrom('library.folder as f')
    .innerJoin('library.song as s', 's.folder_id', 'f.id')
    .select('s.id')
    .where('f.catalog_id', '=', catalogId)
    .where('f.path', '=', folderPath)
    .where('s.file_name', '=', fileName)
    .executeTakeFirst();
  return row !== undefined;
};
