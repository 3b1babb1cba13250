import { annotationsOf } from './annotations.reads.js';
import { visibleParts } from './artist-parts.reads.js';
import type { ReadDatabase } from './database.js';
import { artistDocument, type ArtistView } from './artists.reads.js';
import { onlyIn, type CatalogScope } from './catalog-scope.reads.js';
import { withFoundArt } from './found-art.reads.js';
import type { Viewer } from './viewer.js';

/** An artist with the key by which lists are ordered. */
export interface IndexedArtist extends ArtistView {
  /** Folded, without the leading article. */
  readonly sortKey: string;
}

/** Artists who have a song or an album, in the scope, by sort name, with what the viewer says of them. */
export const allArtists = async (db: ReadDatabase, viewer: Viewer, scope: CatalogScope): Promise<IndexedArtist[]> => {
  let query = db
    .selectFrom('library.artist as a')
    .select(['a.id', 'a.name', 'a.prefix', 'a.basename', 'a.mbid', 'a.album_count as albumCount', 'a.song_count as songCount'])
    .select(['a.duration_ms as durationMs', 'a.art_hash as artHash', 'a.art_album_id as artAlbumId', 'a.doc', 'a.name_sort as sortKey'])
    .where((eb) => eb.or([eb('a.song_count', '>', 0), eb('a.album_count', '>', 0)]));
  if (scope !== 'all') {
    query = query.where((eb) =>
      eb.exists(
        eb
          .selectFrom('library.artist_catalog as c')
          .select('c.artist_id')
          .whereRef('c.artist_id', '=', 'a.id')
          .where(onlyIn('c.catalog_id', scope)),
      ),
    );
  }
  const rows = await withFoundArt(db, await visibleParts(db, await query.orderBy('a.name_sort').orderBy('a.id').execute(), viewer));
  const annotationOf = await annotationsOf(
    db,
    viewer,
    'artist',
    rows.map((row) => row.id),
  );
  return rows.map(({ artAlbumId: _, ...row }) => ({ ...row, doc: artistDocument(row.doc, viewer), annotations: annotationOf(row.id) }));
};

const albumIds = (db: ReadDatabase, scope: CatalogScope) => {
  const query = db
    .selectFrom('library.album as a')
    .select('a.id')
    .where('a.song_count', '>', 0)
    .orderBy('a.year')
    .orderBy('a.name_sort')
    .orderBy('a.id');
  return scope === 'all' ? query : query.where(onlyIn('a.catalog_id', scope));
};

/**
 * Ids of the albums to show under an artist, oldest first: those on which the artist is an album artist, or, when there is none, those with
 * a song that credits the artist, or else those with a song that the artist took part in as somebody else, a composer for example.
 */
export const albumIdsUnderArtist = async (db: ReadDatabase, artistId: number, scope: CatalogScope): Promise<number[]> => {
  const own = await albumIds(db, scope)
    .where((eb) => eb('a.id', 'in', eb.selectFrom('library.album_artist as aa').select('aa.album_id').where('aa.artist_id', '=', artistId)))
    .execute();
  if (own.length > 0) return own.map((row) => row.id);
  const credited = await albumIds(db, scope)
    .where((eb) =>
      eb(
        'a.id',
        'in',
        eb
          .selectFrom('library.song_artist as sa')
          .innerJoin('library.song as s', 's.id', 'sa.song_id')
          .select('s.album_id')
          .where('sa.artist_id', '=', artistId),
      ),
    )
    .execute();
  if (credited.length > 0) return credited.map((row) => row.id);
  const contributed = await albumIds(db, scope)
    .where((eb) =>
      eb(
        'a.id',
        'in',
        eb
          .selectFrom('library.song_contributor as sc')
          .innerJoin('library.song as s', 's.id', 'sc.song_id')
          .select('s.album_id')
          .where('sc.artist_id', '=', artistId),
      ),
    )
    .execute();
  return contributed.map((row) => row.id);
};
