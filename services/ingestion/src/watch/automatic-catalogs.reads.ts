import type { ReadModel } from '@continuo/contracts';
import type { Kysely } from 'kysely';
import { errorCode } from '../walk/list-folder.js';

/** SQLSTATEs of a view, or of its column, that the library has not made yet. */
const NOT_MADE_YET: ReadonlySet<string> = new Set(['42P01', '42703']);

/** Whether a read failed because the library makes its views a moment later, as at the very first start and after an upgrade. */
export const isBeforeViews = (error: unknown): boolean => NOT_MADE_YET.has(errorCode(error));

/** Enabled catalogs of music and videos by id, with their own choices of automatic scans; null follows the settings. */
export const automaticCatalogs = (db: Kysely<ReadModel>) =>
  db
    .selectFrom('library.catalog')
    .select(['id', 'path', 'type', 'watched', 'scan_schedule as schedule'])
    .where('enabled', '=', true)
    .where('gather_types', '!=', 'podcast')
    .orderBy('id')
    .execute();
