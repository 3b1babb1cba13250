import { rawQuery, type ProjectedQuery } from '@continuo/chassis';
import { sql, type Kysely } from 'kysely';

/** The projection writes hand-made, set-based SQL: its handle is only there to compile it. */
export type Handle = Kysely<never>;

/** A statement over rows that travel as one JSON array parameter; nothing at all when there are no rows. */
export const overRows = (
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

/** Notes the highest id that was given to a kind of thing, out of rows with an `id`. */
export const raiseMaxId = (kind: string, json: ReturnType<typeof sql>) => sql`
  insert into counter as t (kind, catalog_id, max_id) select ${kind}, 0, max(id) from json_to_recordset(${json}) as r(id bigint)
  on conflict (kind, catalog_id) do update set max_id = greatest(t.max_id, excluded.max_id)`;
