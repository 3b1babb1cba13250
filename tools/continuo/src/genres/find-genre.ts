import { sortKey, type GenreId, type ReadModel } from '@continuo/contracts';
import type { Kysely } from 'kysely';
import { CliError } from '../connect/cli-error.js';

/** A genre as the commands need it. */
export interface FoundGenre {
  readonly id: GenreId;
  readonly name: string;
}

/** The genre that a person means: a name in any case and without accents, or a number. @throws CliError when there is none, or several. */
export const findGenre = async (db: Kysely<ReadModel>, wanted: string): Promise<FoundGenre> => {
  const rows = await db.selectFrom('library.genre').select(['id', 'name']).where('name_sort', '=', sortKey(wanted)).orderBy('id').execute();
  const exact = rows.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  const named = exact.length > 0 ? exact : rows;
  const found = named.length > 0 ? named : await byNumber(db, wanted);
  const [genre] = found;
  if (!genre) throw new CliError(`there is no genre "${wanted}"`, '"continuo genres list" shows all genres');
  if (found.length > 1)
    throw new CliError(`several genres are called "${wanted}"`, `give a number instead: ${found.map(({ id }) => id).join(', ')}`);
  return { id: genre.id as GenreId, name: genre.name };
};

const byNumber = async (db: Kysely<ReadModel>, wanted: string) => {
  const id = Number(wanted);
  if (!Number.isSafeInteger(id)) return [];
  return db.selectFrom('library.genre').select(['id', 'name']).where('id', '=', id).execute();
};
