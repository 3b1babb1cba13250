import type { ArtistDocument, ReadModel } from '@continuo/contracts';
import type { Kysely } from 'kysely';
import { onlyIn, type CatalogScope } from './catalog-scope.reads.js';
import { inOrderOf } from './song-records.reads.js';

/** An artist as lists show it. */
export interface ArtistRecord {
  readonly id: number;
  readonly name: string;
  /** Folded, without the leading article: the order of lists. */
  readonly sortKey: string;
  /** Sort name as tags give it. */
  readonly sortName: string | undefined;
  readonly mbid: string | null;
  /** Albums on which this artist is an album artist. */
  readonly albumCount: number;
  readonly songCount: number;
  readonly hasArt: boolean;
}

interface ArtistRow {
  readonly id: number;
  readonly name: string;
  readonly name_sort: string;
  readonly mbid: string | null;
  readonly album_count: number;
  readonly song_count: number;
  readonly art_hash: string | null;
  readonly doc: string;
}

const columns = ['id', 'name', 'name_sort', 'mbid', 'album_count', 'song_count', 'art_hash', 'doc'] as const;

const toRecord = (row: ArtistRow): ArtistRecord => ({
  id: row.id,
  name: row.name,
  sortKey: row.name_sort,
  sortName: (JSON.parse(row.doc) as ArtistDocument).sortName,
  mbid: row.mbid,
  albumCount: row.album_count,
  songCount: row.song_count,
  hasArt: row.art_hash !== null,
});

/** Artists who have a song or an album, in the scope, by sort name. */
export const allArtists = async (db: Kysely<ReadModel>, scope: CatalogScope): Promise<ArtistRecord[]> => {
  let query = db
    .selectFrom('library.artist')
    .select(columns)
    .where((eb) => eb.or([eb('song_count', '>', 0), eb('album_count', '>', 0)]));
  if (scope !== 'all') {
    query = query.where((eb) =>
      eb.exists(eb.selectFrom('library.artist_catalog as c').select('c.artist_id').whereRef('c.artist_id', '=', 'library.artist.id').where(onlyIn('c.catalog_id', scope))),
    );
  }
  return (await query.orderBy('name_sort').orderBy('id').execute()).map(toRecord);
};

/** Artists by id, in the order of the ids. */
export const artistsByIds = async (db: Kysely<ReadModel>, ids: readonly number[]): Promise<ArtistRecord[]> => {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('library.artist')
    .select(columns)
    .where((eb) => eb('id', '=', eb.fn.any(eb.val([...ids]))))
    .execute();
  return inOrderOf(ids, rows.map(toRecord), (record) => record.id);
};

/**
 * Ids of the albums to show under an artist, oldest first: those on which the artist is an album artist, or, when there is none, those with
 * a song that credits the artist.
 */
export const albumIdsOfArtist = async (db: Kysely<ReadModel>, artistId: number, scope: CatalogScope): Promise<number[]> => {
  const own = await ordered(db, scope)
    .where((eb) => eb('a.id', 'in', eb.selectFrom('library.album_artist as aa').select('aa.album_id').where('aa.artist_id', '=', artistId)))
    .execute();
  if (own.length > 0) return own.map((row) => row.id);
  const credited = await ordered(db, scope)
    .where((eb) =>
      eb(
        'a.id',
        'in',
        eb.selectFrom('library.song_artist as sa').innerJoin('library.song as s', 's.id', 'sa.song_id').select('s.album_id').where('sa.artist_id', '=', artistId),
      ),
    )
    .execute();
  return credited.map((row) => row.id);
};

const ordered = (db: Kysely<ReadModel>, scope: CatalogScope) => {
  const query = db.selectFrom('library.album as a').select('a.id').where('a.song_count', '>', 0).orderBy('a.year').orderBy('a.name_sort').orderBy('a.id');
  return scope === 'all' ? query : query.where(onlyIn('a.catalog_id', scope));
};
