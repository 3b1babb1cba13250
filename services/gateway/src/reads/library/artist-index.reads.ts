import { onlyIn, type CatalogScope } from '../visibility/catalog-scope.reads.js';
import type { ReadDatabase } from '../database/database.js';

/** An artist's place among all. */
export interface IndexedArtist {
  readonly id: number;
  /** Folded, without the leading article. */
  readonly sortKey: string;
}

/** Artists who have a song or an album, in the scope, by sort name. */
export const allArtists = async (db: ReadDatabase, scope: CatalogScope): Promise<IndexedArtist[]> => {
  const query = db
    .selectFrom('library.artist as a')
    .select(['a.id', 'a.name_sort as sortKey'])
    .where((eb) => eb.or([eb('a.song_count', '>', 0), eb('a.album_count', '>', 0)]))
    .orderBy('a.name_sort')
    .orderBy('a.id');
  if (scope === 'all') return query.execute();
  const inCatalogs = query.where((eb) =>
    eb.exists(
      eb
        .selectFrom('library.artist_catalog as c')
        .select('c.artist_id')
        .whereRef('c.artist_id', '=', 'a.id')
        .where(onlyIn('c.catalog_id', scope)),
    ),
  );
  return inCatalogs.execute();
};
