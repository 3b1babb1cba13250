import type { CatalogId, ReadModel } from '@continuo/contracts';
import type { Kysely } from 'kysely';
import { OperatorError } from '../connect/operator-error.js';

/** A catalog as the commands need it. */
export interface FoundCatalog {
  readonly id: CatalogId;
  readonly name: string;
  readonly path: string;
  readonly songCount: number;
}

/**
 * Those of all catalogs that a person means: by name in any case, by number, or "all".
 * @throws OperatorError when there is none, or the name is that of several
 */
export const meantCatalogs = <T extends { readonly id: number; readonly name: string }>(
  all: readonly T[],
  wanted: string,
): readonly T[] => {
  if (all.length === 0) throw new OperatorError('there is no catalog yet', 'add one with "continuo catalog add <path>"');
  if (wanted === 'all') return all;
  const named = all.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  const found = named.length > 0 ? named : all.filter(({ id }) => String(id) === wanted);
  if (found.length === 0) throw new OperatorError(`there is no catalog "${wanted}"`, '"continuo catalog list" shows all catalogs');
  if (found.length > 1)
    throw new OperatorError(`several catalogs are called "${wanted}"`, `give a number instead: ${found.map(({ id }) => id).join(', ')}`);
  return found;
};

/**
 * The catalogs that a person means: `all`, an id, or a name in any case.
 * @throws OperatorError when there is none, or several have the name.
 */
export const findCatalogs = async (db: Kysely<ReadModel>, wanted: string): Promise<FoundCatalog[]> => {
  const rows = await db.selectFrom('library.catalog').select(['id', 'name', 'path', 'song_count']).orderBy('id').execute();
  const all = rows.map((row) => ({ id: row.id as CatalogId, name: row.name, path: row.path, songCount: row.song_count }));
  return [...meantCatalogs(all, wanted)];
};
