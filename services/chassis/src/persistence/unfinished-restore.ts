import { sql, type Kysely } from 'kysely';

/** Schema that `continuo restore` keeps in the database until everything is back. */
const RESTORE_SCHEMA = 'continuo_restore';

/**
 * Refuses to serve over half a backup: what a restore left unfinished has streams or tables missing, and anything written now would be lost with the next try.
 * @throws Error with the remedy
 */
export const refuseUnfinishedRestore = async (db: Kysely<unknown>): Promise<void> => {
  const found = await sql`select 1 from pg_namespace where nspname = ${RESTORE_SCHEMA}`.execute(db);
  if (found.rows.length === 0) return;
  throw new Error('A restore of a backup has not been finished here. Run the same "continuo restore" again; it begins anew.');
};
