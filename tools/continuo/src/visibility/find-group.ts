import type { ReadModel } from '@continuo/contracts';
import type { Kysely } from 'kysely';
import { CliError } from '../connect/cli-error.js';

/** What the group that sees everything is called; it has no number. */
export const DEFAULT_GROUP = 'default';

/** A group of catalogs as the commands need it. */
export interface FoundGroup {
  readonly id: number;
  readonly name: string;
}

/**
 * The group that a person means, by name in any case or by number.
 * @throws CliError when there is none
 */
export const findGroup = async (db: Kysely<ReadModel>, wanted: string): Promise<FoundGroup> => {
  const groups = await db.selectFrom('social.catalog_group').select(['id', 'name']).orderBy('id').execute();
  const found = groups.find(({ name }) => name.toLowerCase() === wanted.toLowerCase()) ?? groups.find(({ id }) => String(id) === wanted);
  if (!found) throw new CliError(`there is no group "${wanted}"`, '"continuo catalog group list" shows all groups');
  return found;
};

/** Like {@link findGroup}, where the default group may be meant too: null. */
export const findGroupOrDefault = async (db: Kysely<ReadModel>, wanted: string): Promise<FoundGroup | null> =>
  wanted.toLowerCase() === DEFAULT_GROUP ? null : findGroup(db, wanted);
