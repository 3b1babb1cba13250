import { sql } from 'kysely';
import { artistsByIds, type ArtistView } from './artists.reads.js';
import { inVisibleCatalogs, type Viewer } from '../visibility/viewer.js';
import { onlyIn, type CatalogScope } from '../visibility/catalog-scope.reads.js';
import type { ReadDatabase } from '../database/database.js';
import { ANNOTATED_AT_ONCE } from '../people/annotations.reads.js';
import { annotatedPlayedAlbums, playedAlbum, type PlayedAlbum } from './album-plays.reads.js';
import { isOneOf } from '../database/id-condition.js';

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

/**
 * The albums to show under an album artist, in the order of {@link albumIdsUnderArtist}, read in one statement; undefined when it is nobody's album artist, or of more
 * albums than are read so.
 */
export const albumsOfArtist = async (db: ReadDatabase, artistId: number, viewer: Viewer): Promise<PlayedAlbum[] | undefined> => {
  const rows = await annotatedPlayedAlbums(db, viewer)
    .where('a.song_count', '>', 0)
    .where(sql<boolean>`a.id in (select aa.album_id from library.album_artist aa where aa.artist_id = ${artistId})`)
    .orderBy('a.year')
    .orderBy('a.name_sort')
    .orderBy('a.id')
    .limit(ANNOTATED_AT_ONCE + 1)
    .execute();
  return rows.length === 0 || rows.length > ANNOTATED_AT_ONCE ? undefined : rows.map(playedAlbum);
};

/** An artist with the number of albums that {@link albumIdsUnderArtist} lists. */
export interface CountedArtist extends ArtistView {
  readonly listedAlbumCount: number;
}

interface AlbumCount {
  readonly id: number;
  readonly albums: number;
}

/** Counts the albums of artists who are nobody's album artist, by the rules of {@link albumIdsUnderArtist}. */
const creditedAlbums = async (
  db: ReadDatabase,
  table: 'song_artist' | 'song_contributor',
  artists: readonly ArtistView[],
  scope: CatalogScope,
): Promise<readonly AlbumCount[]> => {
  if (artists.length === 0) return [];
  const ids = artists.map(({ id }) => id);
  const { rows } = await sql<AlbumCount>`
    select c.artist_id as id, count(distinct s.album_id)::int as albums from ${sql.table(`library.${table}`)} c join library.song s on s.id = c.song_id
    where ${isOneOf(sql<number>`c.artist_id`, ids)} and ${inVisibleCatalogs({ catalogs: scope }, sql`s.catalog_id`)} group by c.artist_id`.execute(
    db,
  );
  return rows;
};

/** The same artists with the number of their albums in the scope. @param artists whose own sums are those of the scope */
export const withListedAlbums = async <A extends ArtistView>(
  db: ReadDatabase,
  artists: readonly A[],
  scope: CatalogScope,
): Promise<(A & CountedArtist)[]> => {
  const guests = artists.filter(({ albumCount }) => albumCount === 0);
  const [credited, contributed] = await Promise.all([
    creditedAlbums(
      db,
      'song_artist',
      guests.filter(({ songCount }) => songCount > 0),
      scope,
    ),
    creditedAlbums(
      db,
      'song_contributor',
      guests.filter(({ songCount }) => songCount === 0),
      scope,
    ),
  ]);
  const counts = new Map([...credited, ...contributed].map(({ id, albums }) => [id, albums]));
  return artists.map((artist) => ({ ...artist, listedAlbumCount: artist.albumCount || (counts.get(artist.id) ?? 0) }));
};

/** Artists by id with the number of their albums, as the viewer sees them. */
export const countedArtists = async (db: ReadDatabase, ids: ArrayLike<number>, viewer: Viewer): Promise<CountedArtist[]> =>
  withListedAlbums(db, await artistsByIds(db, ids, viewer), viewer.catalogs);
