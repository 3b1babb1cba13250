import { sql } from 'kysely';
import type { ReadDatabase } from '../database/database.js';

/** A group of catalogs and what it shows, by number. */
export interface CatalogGroupRecord {
  readonly id: number;
  readonly name: string;
  readonly catalogIds: readonly number[];
}

/** All groups of catalogs: there are as many as an operator makes. */
export const catalogGroups = async (db: ReadDatabase): Promise<readonly CatalogGroupRecord[]> => {
  const { rows } = await sql<CatalogGroupRecord>`
    select g.id, g.name, coalesce(jsonb_agg(c.catalog_id order by c.catalog_id) filter (where c.catalog_id is not null), '[]'::jsonb) as "catalogIds"
    from social.catalog_group g left join social.catalog_group_catalog c on c.group_id = g.id group by g.id, g.name order by g.id`.execute(
    db,
  );
  return rows;
};
