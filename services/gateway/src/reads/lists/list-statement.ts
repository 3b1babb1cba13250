import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { filterOf, sortOf, type ListDefinition, type ListQuery } from './list-query.js';
import type { Viewer } from '../visibility/viewer.js';

/** A statement whose one value is an array of ids as text, because a million rows cost more than one array. */
export type IdsStatement = RawBuilder<{ ids: string | null }>;

/** Gathers the column `id` of a statement. */
export const gathered = (rows: RawBuilder<unknown>): IdsStatement =>
  sql<{ ids: string | null }>`select array_agg(x.id)::text as ids from (${rows}) x`;

/**
 * The statement that lists the ids. Marks are not part of it: neither filters nor orders by them.
 * @param among ids besides which nothing is listed
 */
export const idsStatement = (list: ListDefinition, query: Omit<ListQuery, 'kind'>, viewer: Viewer, among?: Int32Array): IdsStatement => {
  const { visible, from, tie, negativeFirst } = list;
  const sort = sortOf(list, query.sort.name);
  const conditions: RawBuilder<SqlBool>[] = [
    visible(viewer),
    ...query.where.flatMap(({ name, value }) => filterOf(list, name)?.where?.(value, viewer) ?? []),
    ...(among ? [sql<SqlBool>`t.id = any(${[...among]}::bigint[])`] : []),
  ];
  const direction = query.sort.descending ? sql`desc` : sql`asc`;
  const columns = [...(sort?.columns?.(viewer) ?? []), tie ?? sql`t.id`].map((column) => sql`${column} ${direction}`);
  const lead = negativeFirst ? [sql`(t.id > 0)`] : [];
  return gathered(sql`select t.id from ${from} ${sort?.join ?? sql``}
    where ${sql.join(conditions, sql` and `)} order by ${sql.join([...lead, ...columns], sql`, `)}`);
};
