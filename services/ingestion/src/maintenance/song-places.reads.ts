import type { CatalogId, ReadModel, SongId, ScannedCatalog } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';
import { fileOfName, isPartName } from '../tags/part-name.js';

/** Where a song's file lies. */
export interface SongPlace {
  readonly songId: SongId;
  readonly catalog: ScannedCatalog;
  /** Relative to the catalog's root. */
  readonly folderPath: string;
  readonly fileName: string;
  /** True where the song shares its file with others. */
  readonly isPart: boolean;
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
      'c.gather_types as gathers',
      'c.song_count as mediaCount',
    ])
    .where(sql<boolean>`s.id = any(${[...songIds]}::bigint[])`)
    .execute();
  return rows.map(({ songId, fileName, folderPath, catalogId, root, gathers, mediaCount }) => ({
    songId: songId as SongId,
    catalog: { id: catalogId as CatalogId, path: root, gathers, mediaCount },
    folderPath,
    fileName: fileOfName(fileName),
    isPart: isPartName(fileName),
  }));
};

/** True when the library has a song or video of just this file. */
export const isKnownFile = async (
  db: Kysely<ReadModel>,
  { id, gathers }: ScannedCatalog,
  { folderPath, fileName }: Pick<SongPlace, 'folderPath' | 'fileName'>,
): Promise<boolean> => {
  const media = gathers === 'video' ? sql`library.video` : sql`library.song`;
  const { rows } = await sql`select from library.folder f join ${media} m on m.folder_id = f.id
    where f.catalog_id = ${id} and f.path = ${folderPath} and m.file_name = ${fileName} limit 1`.execute(db);
  return rows.length > 0;
};
