import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { inVisibleCatalogs, type Viewer } from './viewer.js';

type Scope = Pick<Viewer, 'catalogs'>;

/**
 * The condition that an artist may be looked at: who is credited on a song or an album of visible catalogs, or took part in such a song otherwise (a composer, a
 * mixer). Lists ask for the former alone.
 * @param id the artist's
 */
export const isVisibleArtist = (viewer: Scope, id: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  viewer.catalogs === 'all'
    ? sql<SqlBool>`true`
    : sql<SqlBool>`(exists (select from library.artist_catalog ac where ac.artist_id = ${id} and ${inVisibleCatalogs(viewer, sql`ac.catalog_id`)})
        or ${tookPart(viewer, id)})`;

/** The condition that an artist took part in a song of visible catalogs otherwise than as its artist. */
export const tookPart = (viewer: Scope, id: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql<SqlBool>`exists (select from library.song_contributor sc where sc.artist_id = ${id} and ${inVisibleCatalogs(viewer, sql`sc.catalog_id`)})`;
