import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { ReadDatabase } from '../database/database.js';
import { inOrder } from '../songs/songs.reads.js';
import { inVisibleCatalogs, type Viewer } from '../visibility/viewer.js';
import { isOneOf } from '../database/id-condition.js';

/** A licence, as tags name it. */
export interface LicenseView {
  readonly id: number;
  readonly name: string;
  /** Empty when the tag has no link. */
  readonly externalLink: string;
}

const visible = (viewer: Viewer): RawBuilder<SqlBool> =>
  viewer.catalogs === 'all'
    ? sql<SqlBool>`l.song_count > 0`
    : sql<SqlBool>`exists (select from library.song s where s.license_id = l.id and ${inVisibleCatalogs(viewer, sql`s.catalog_id`)})`;

/** Licences by id, in the order of the ids; those without a song that the viewer may see are left out. */
export const licensesByIds = async (db: ReadDatabase, ids: ArrayLike<number>, viewer: Viewer): Promise<LicenseView[]> => {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('library.license as l')
    .select(['l.id', 'l.name', 'l.external_link as externalLink'])
    .where(isOneOf(sql<number>`l.id`, ids))
    .where(visible(viewer))
    .execute();
  return inOrder(ids, rows);
};
