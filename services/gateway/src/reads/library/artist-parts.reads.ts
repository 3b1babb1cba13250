import type { TagRef } from '@continuo/contracts';
import { sql } from 'kysely';
import type { ReadDatabase } from '../database/database.js';
import { inVisibleCatalogs, seesAll, type Viewer } from '../visibility/viewer.js';
import { isOneOf } from '../database/id-condition.js';

/** Sums over everything that an artist is credited on. */
export interface ArtistSums {
  readonly id: number;
  readonly albumCount: number;
  readonly songCount: number;
  readonly durationMs: number;
  readonly artHash: string | null;
  /** An `ArtistDocument` as JSON text. */
  readonly doc: string;
}

interface Counted {
  readonly id: number;
  readonly albumCount: number;
  readonly songCount: number;
}

interface Visible extends Omit<ArtistSums, 'doc'> {
  readonly genres: readonly TagRef[];
}

/** Counts what the viewer may see of each artist: reads a row per artist and catalog, whatever the number of songs. */
const counted = async (db: ReadDatabase, ids: readonly number[], viewer: Viewer): Promise<ReadonlyMap<number, Counted>> => {
  const { rows } = await sql<Counted>`
    select ac.artist_id as id, sum(ac.album_count)::int as "albumCount", sum(ac.song_count)::int as "songCount" from library.artist_catalog ac
    where ${isOneOf(sql<number>`ac.artist_id`, ids)} and ${inVisibleCatalogs(viewer, sql`ac.catalog_id`)} group by ac.artist_id`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.id, row]));
};

/** Sums up artists who are credited in hidden catalogs too, over what the viewer may see; by the rules of the library's own summary. */
const summedUp = async (db: ReadDatabase, ids: readonly number[], viewer: Viewer): Promise<Omit<Visible, 'albumCount' | 'songCount'>[]> => {
  const songs = sql`library.song_artist sa join library.song s on s.id = sa.song_id and ${inVisibleCatalogs(viewer, sql`s.catalog_id`)}`;
  const { rows } = await sql<Omit<Visible, 'albumCount' | 'songCount'>>`
    select o.id, (select coalesce(sum(s.duration_ms), 0)::float8 from ${songs} where sa.artist_id = o.id) as "durationMs",
      (select a.art_hash from library.album_artist aa join library.album a on a.id = aa.album_id
        where aa.artist_id = o.id and a.song_count > 0 and a.art_hash is not null and ${inVisibleCatalogs(viewer, sql`a.catalog_id`)}
        order by a.year desc, a.id desc limit 1) as "artHash",
      (select coalesce(json_agg(json_build_object('id', g.id, 'name', g.name) order by n.songs desc, g.name_sort, g.id), '[]') from (
          select sg.genre_id, count(*) as songs from ${songs} join library.song_genre sg on sg.song_id = s.id where sa.artist_id = o.id group by 1
        ) n join library.genre g on g.id = n.genre_id) as genres
    from unnest(${ids}::int[]) as o(id)`.execute(db);
  return rows;
};

/**
 * The same artists with what the viewer may see of them: albums, songs, genres and pictures of hidden catalogs are left out. Only artists who are credited
 * in such a catalog cost more than a look at their catalogs.
 */
export const visibleParts = async <A extends ArtistSums>(db: ReadDatabase, artists: A[], viewer: Viewer): Promise<A[]> => {
  if (seesAll(viewer) || artists.length === 0) return artists;
  const counts = await counted(
    db,
    artists.map(({ id }) => id),
    viewer,
  );
  const isSplit = ({ id, albumCount, songCount }: A): boolean =>
    counts.get(id)?.albumCount !== albumCount || counts.get(id)?.songCount !== songCount;
  const splitIds = artists.filter(isSplit).map(({ id }) => id);
  if (splitIds.length === 0) return artists;
  const sums = new Map((await summedUp(db, splitIds, viewer)).map((row) => [row.id, row]));
  return artists.map((artist) => {
    const [count, sum] = [counts.get(artist.id), sums.get(artist.id)];
    if (!sum) return artist;
    const { genres, durationMs, artHash } = sum;
    const doc = JSON.stringify({ ...(JSON.parse(artist.doc) as object), genres });
    return { ...artist, albumCount: count?.albumCount ?? 0, songCount: count?.songCount ?? 0, durationMs, artHash, doc };
  });
};
