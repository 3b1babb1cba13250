import { sql } from 'kysely';
import type { ReadDatabase } from '../database/database.js';
import { inVisibleCatalogs, type Viewer } from '../visibility/viewer.js';

/** Value of one star in tags, which rate from 0 to 100. */
const STAR = 20;

/** A song with the rating that its tags say. */
export interface TagRating {
  readonly songId: number;
  /** 1 to 5. */
  readonly stars: number;
}

/** Songs behind a number whose tags say a rating and that an account has not rated, by number: those of one catalog, or of all that the viewer sees. */
export const unratedAfter = async (
  db: ReadDatabase,
  viewer: Viewer,
  { accountId, catalogId, afterId, limit }: { accountId: number; catalogId: number | undefined; afterId: number; limit: number },
): Promise<TagRating[]> => {
  const { rows } = await sql<{ id: number; rating: number }>`
    select s.id, (s.doc::json->>'tagRating')::int as rating from library.song s
    where s.id > ${afterId} and s.doc like '%"tagRating":%' and ${catalogId === undefined ? sql`true` : sql`s.catalog_id = ${catalogId}`}
      and ${inVisibleCatalogs(viewer, sql`s.catalog_id`)}
      and not exists (select from social.rating r where r.user_id = ${accountId} and r.kind = 'song' and r.object_id = s.id)
    order by s.id limit ${limit}`.execute(db);
  return rows.map(({ id, rating }) => ({ songId: id, stars: Math.max(1, Math.round(rating / STAR)) }));
};
