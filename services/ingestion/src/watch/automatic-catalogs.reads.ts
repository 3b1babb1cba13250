import type { ReadModel } from '@continuo/contracts';
import type { Kysely } from 'kysely';
import { errorCode } from '../walk/list-folder.js';

/** SQLSTATEs of a view, or of its column, that the library has not made yet. */
const NOT_MADE_YET: ReadonlySet<string> = new Set(['42P01', '42703']);

/** Whether a read failed because the library makes its views a moment later, as at the very first start and after an upgrade. */
export const isBeforeViews = (error: unknown): boolean => NOT_MADE_YET.has(errorCode(error));

const readCatalogs = (db: Kysely<ReadModel>) =>
  db
    .selectFrom('library.catalog')
    .select(['id', 'path', 'type', 'watched', 'scan_schedule as schedule'])
    .where('enabled', '=', true)
    .where('gather_types', '!=', 'podcast')
    .orderBy('id')
    .execute();

const underWay = new WeakMap<Kysely<ReadModel>, ReturnType<typeof readCatalogs>>();

/**
 * Enabled catalogs of music and videos by id, with their own choices of automatic scans; null follows the settings. The schedule and the watcher ask at the same
 * moment, and share one reading.
 */
export const automaticCatalogs = (db: Kysely<ReadModel>): ReturnType<typeof readCatalogs> => {
  const reading = underWay.get(db) ?? readCatalogs(db).finally(() => underWay.delete(db));
  underWay.set(db, reading);
  return reading;
};
