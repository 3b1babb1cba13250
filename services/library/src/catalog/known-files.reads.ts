import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Rejection, type CatalogId } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';

/** Files that are looked for in a new folder. */
const LOOKED_FOR = 64;

/** Some files that the library knows in a catalog, relative to its root; from both ends of the ids. */
const someFiles = async (db: Kysely<unknown>, catalogId: CatalogId): Promise<string[]> => {
  const end = (media: 'song' | 'video', direction: 'asc' | 'desc') => sql`(
    select f.path, m.file_name from ${sql.table(`library.${media}`)} m join library.folder f on f.id = m.folder_id
    where m.catalog_id = ${catalogId} order by m.id ${sql.raw(direction)} limit ${LOOKED_FOR / 2})`;
  const { rows } = await sql<{ path: string; file_name: string }>`
    ${end('song', 'asc')} union ${end('song', 'desc')} union ${end('video', 'asc')} union ${end('video', 'desc')}`.execute(db);
  return rows.map(({ path, file_name: name }) => join(path, name));
};

const isFile = async (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );

/**
 * A wrong folder would have the next scan take every song for gone: at least half of some known files must lie in it.
 * @throws Rejection `catalog.path-unusable`
 */
export const requireKnownFiles = async (db: Kysely<unknown>, catalogId: CatalogId, root: string): Promise<void> => {
  const files = await someFiles(db, catalogId);
  const there = await Promise.all(files.map((file) => isFile(join(root, file))));
  const found = there.filter(Boolean).length;
  if (found * 2 < files.length)
    throw new Rejection(
      'catalog.path-unusable',
      `of ${files.length} files of this catalog that were looked for, ${found} are in that folder`,
      root,
    );
};
