import { rawQuery, type ProjectedQuery } from '@continuo/chassis';
import { sql, type Kysely } from 'kysely';

/** The projection writes hand-made, set-based SQL: its handle is only there to compile it. */
export type Handle = Kysely<never>;

/** A statement over rows that travel as one JSON array parameter; nothing at all when there are no rows. */
export const rowBatches = (
  rows: readonly object[],
  statement: (json: ReturnType<typeof sql>) => ReturnType<typeof sql>,
  db: Handle,
): ProjectedQuery[] => (rows.length === 0 ? [] : [rawQuery(statement(sql`${JSON.stringify(rows)}::json`), db)]);

/** A statement over a list of ids; nothing at all when the list is empty. */
export const overIds = (
  ids: readonly number[],
  statement: (ids: ReturnType<typeof sql>) => ReturnType<typeof sql>,
  db: Handle,
): ProjectedQuery[] => (ids.length === 0 ? [] : [rawQuery(statement(sql`${ids}::bigint[]`), db)]);
