import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { ReadDatabase } from '../database/database.js';
import { inOrder } from '../songs/songs.reads.js';
import { inVisibleCatalogs, type Viewer } from '../visibility/viewer.js';
import { isOneOf } from '../database/id-condition.js';

/** A record label, as tags name it. */
export interface LabelView {
  readonly id: number;
  readonly name: string;
  /** Album artists of its albums that the viewer may see. */
  readonly artistCount: number;
}

const visible = (viewer: Viewer): RawBuilder<SqlBool> =>
  viewer.catalogs === 'all'
    ? sql<SqlBool>`l.album_count > 0`
    : sql<SqlBool>`exists (select from library.album_label al join library.album a on a.id = al.album_id where al.label_id = l.id and a.song_count > 0
        and ${inVisibleCatalogs(viewer, sql`a.catalog_id`)})`;

const artistCount = (viewer: Viewer): RawBuilder<number> =>
  viewer.catalogs === 'all'
    ? sql<number>`l.artist_count`
    : sql<number>`(select count(distinct aa.artist_id)::int from library.album_label al join library.album a on a.id = al.album_id
        join library.album_artist aa on aa.album_id = a.id where al.label_id = l.id and a.song_count > 0 and ${inVisibleCatalogs(viewer, sql`a.catalog_id`)})`;

/** Labels by id, in the order of the ids; those without an album that the viewer may see are left out. */
export const labelsByIds = async (db: ReadDatabase, ids: ArrayLike<number>, viewer: Viewer): Promise<LabelView[]> => {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('library.label as l')
    .select(['l.id', 'l.name', artistCount(viewer).as('artistCount')])
    .where(isOneOf(sql<number>`l.id`, ids))
    .where(visible(viewer))
    .execute();
  return inOrder(ids, rows);
};

/** The picture of a label: tags have none, so null; undefined when there is no such label. */
export const labelArt = async (db: ReadDatabase, id: number, viewer: Viewer): Promise<null | undefined> =>
  (await labelsByIds(db, [id], viewer)).length > 0 ? null : undefined;
