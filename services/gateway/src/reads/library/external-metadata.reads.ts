import { sortKey, type FoundSimilarArtist, type FoundTopSong } from '@continuo/contracts';
import { sql } from 'kysely';
import { isVisibleArtist } from '../visibility/artist-visibility.js';
import type { ReadDatabase } from '../database/database.js';
import { isOneOf } from '../database/id-condition.js';
import { inVisibleCatalogs, type Viewer } from '../visibility/viewer.js';

/** External metadata of an artist. */
export interface ArtistInfoView {
  readonly mbid: string | null;
  readonly summary: string | null;
  readonly attribution: string | null;
  readonly placeFormed: string | null;
  readonly yearFormed: number | null;
  readonly url: string | null;
  readonly similar: readonly FoundSimilarArtist[];
  readonly topSongs: readonly FoundTopSong[];
  readonly foundAtMs: number;
}

/** Reads the external metadata of an artist; undefined before the first lookup. */
export const artistInfoOf = async (db: ReadDatabase, id: number): Promise<ArtistInfoView | undefined> => {
  const row = await db.selectFrom('library.artist_info').selectAll().where('artist_id', '=', id).executeTakeFirst();
  return (
    row && {
      mbid: row.mbid,
      summary: row.summary,
      attribution: row.attribution,
      placeFormed: row.place_formed,
      yearFormed: row.year_formed,
      url: row.url,
      similar: JSON.parse(row.similar) as FoundSimilarArtist[],
      topSongs: JSON.parse(row.top_songs) as FoundTopSong[],
      foundAtMs: row.found_at_ms,
    }
  );
};

/** Whether there is an artist that the viewer may see. */
export const isArtistSeen = async (db: ReadDatabase, id: number, viewer: Viewer): Promise<boolean> => {
  const row = await db
    .selectFrom('library.artist as a')
    .select('a.id')
    .where('a.id', '=', id)
    .where(isVisibleArtist(viewer, sql`a.id`))
    .executeTakeFirst();
  return row !== undefined;
};

/** External metadata in lists of artists. */
export interface ArtistMetadataView {
  readonly mbid: string | null;
  readonly summary: string | null;
  readonly placeFormed: string | null;
  readonly yearFormed: number | null;
}

/** Reads the external metadata of many artists, by id. */
export const artistMetadataByIds = async (db: ReadDatabase, ids: ArrayLike<number>): Promise<ReadonlyMap<number, ArtistMetadataView>> => {
  const rows = await db
    .selectFrom('library.artist_info')
    .select(['artist_id as id', 'mbid', 'summary', 'place_formed as placeFormed', 'year_formed as yearFormed'])
    .where(isOneOf(sql<number>`artist_id`, ids))
    .execute();
  return new Map(rows.map(({ id, ...facts }) => [id, facts]));
};

/** Artist as an external source names it. */
export interface NamedArtist {
  readonly name: string;
  readonly mbid: string | null;
}

/** Finds the library's artists by name, each with the index of its name, from 1. See {@link artistIdsNamed}. */
const artistsMeant = async (db: ReadDatabase, named: readonly NamedArtist[], viewer: Viewer): Promise<{ id: number; place: number }[]> => {
  if (named.length === 0) return [];
  const { rows } = await sql<{ id: number; place: number }>`
    select found.id, n.place::int as place
    from unnest(${named.map(({ name }) => sortKey(name))}::text[], ${named.map(({ mbid }) => mbid)}::text[]) with ordinality as n(name_sort, mbid, place)
    cross join lateral (
      select a.id from library.artist a
      where a.name_sort = n.name_sort and (a.song_count > 0 or a.album_count > 0)
        and (a.mbid is null or n.mbid is null or a.mbid = n.mbid) and ${isVisibleArtist(viewer, sql`a.id`)}
      order by (a.mbid is not distinct from n.mbid) desc, a.song_count desc, a.id limit 1) found
    order by n.place`.execute(db);
  return rows;
};

/** Names that mean no artist of the library that the viewer may see, in their order: whether there is one out of sight shows nowhere. */
export const namesOfAbsent = async (db: ReadDatabase, named: readonly NamedArtist[], viewer: Viewer): Promise<string[]> => {
  const present = new Set((await artistsMeant(db, named, viewer)).map(({ place }) => place));
  return named.filter((_, index) => !present.has(index + 1)).map(({ name }) => name);
};

/**
 * Ids of the library's artists that are meant, in the order of the names; those that it does not have, or that may not be seen, are left out. Of several of one name it is
 * the one with the same MusicBrainz id, and never one with another id.
 */
export const artistIdsNamed = async (db: ReadDatabase, named: readonly NamedArtist[], viewer: Viewer): Promise<number[]> => [
  ...new Set((await artistsMeant(db, named, viewer)).map(({ id }) => id)),
];

/** Song as an external source names it. */
export interface NamedSong {
  readonly title: string;
  /** Absent: the artist of the query. */
  readonly artist?: string | undefined;
  readonly mbid: string | null;
}

/** Ids of an artist's songs with some titles, in the order of the titles; of several with one title the first that came. */
export const songIdsOfArtistNamed = async (
  db: ReadDatabase,
  artistId: number,
  named: readonly NamedSong[],
  viewer: Viewer,
): Promise<number[]> => {
  if (named.length === 0) return [];
  const { rows } = await sql<{ id: number }>`
    select found.id from unnest(${named.map(({ title }) => sortKey(title))}::text[], ${named.map(({ mbid }) => mbid)}::text[]) with ordinality as n(title_sort, mbid, place)
    cross join lateral (
      select s.id from library.song s
      where s.title_sort = n.title_sort and ${inVisibleCatalogs(viewer, sql`s.catalog_id`)}
        and exists (select from library.song_artist sa where sa.song_id = s.id and sa.artist_id = ${artistId})
      order by (s.mbid is not distinct from n.mbid) desc, s.id limit 1) found
    order by n.place`.execute(db);
  return [...new Set(rows.map(({ id }) => id))];
};

/** Ids of songs with some titles by some artists, in their order; those that the library does not have are left out. */
export const songIdsNamed = async (db: ReadDatabase, named: readonly NamedSong[], viewer: Viewer): Promise<number[]> => {
  const complete = named.filter(({ artist }) => artist !== undefined);
  if (complete.length === 0) return [];
  const titles = complete.map(({ title }) => sortKey(title));
  const artists = complete.map(({ artist }) => sortKey(artist ?? ''));
  const { rows } = await sql<{ id: number }>`
    select found.id from unnest(${titles}::text[], ${artists}::text[]) with ordinality as n(title_sort, artist_sort, place)
    cross join lateral (
      select s.id from library.song s
      where s.title_sort = n.title_sort and ${inVisibleCatalogs(viewer, sql`s.catalog_id`)}
        and exists (select from library.song_artist sa join library.artist a on a.id = sa.artist_id where sa.song_id = s.id and a.name_sort = n.artist_sort)
      order by s.id limit 1) found
    order by n.place`.execute(db);
  return [...new Set(rows.map(({ id }) => id))];
};
