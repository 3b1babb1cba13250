import { rawQuery, type ProjectedQuery } from '@continuo/chassis';
import { sql, type RawBuilder } from 'kysely';
import type { BatchChanges } from './batch-changes.js';
import { rowBatches, type Handle } from './handle.js';

/** Minus before the rows of a batch change, plus afterwards. */
export type Sign = 1 | -1;

/** Adds up the notes of an artist, so that the artist's own row changes once per batch. */
const addToNotes = sql`on conflict (artist_id) do update set
  song_count = t.song_count + excluded.song_count, duration_ms = t.duration_ms + excluded.duration_ms, album_count = t.album_count + excluded.album_count`;

/**
 * Takes off what songs add to their artists and licences, or adds it: numbers of songs, durations, catalogs. Taken off before a batch changes the songs;
 * `songsAdded` is the counterpart, so that the cost follows the batch and not the number of songs that a much-credited artist has.
 * @param songs a query that gives the ids of the songs concerned
 */
export const songsCounted = (sign: Sign, songs: RawBuilder<unknown>, db: Handle): ProjectedQuery[] =>
  [
    sql`insert into touched_artist as t (artist_id, song_count, duration_ms)
      select sa.artist_id, ${sign}::int * count(*), ${sign}::int * sum(s.duration_ms)
      from (${songs}) n(id) join song_artist sa on sa.song_id = n.id join song s on s.id = n.id group by sa.artist_id ${addToNotes}`,
    sql`insert into touched_artist (artist_id) select distinct c.artist_id from (${songs}) n(id) join song_contributor c on c.song_id = n.id on conflict do nothing`,
    sql`insert into artist_catalog as t (artist_id, catalog_id, song_count)
      select sa.artist_id, s.catalog_id, ${sign}::int * count(*)::int
      from (${songs}) n(id) join song_artist sa on sa.song_id = n.id join song s on s.id = n.id group by sa.artist_id, s.catalog_id
      on conflict (artist_id, catalog_id) do update set song_count = t.song_count + excluded.song_count`,
    sql`update license l set song_count = l.song_count + d.songs
      from (select s.license_id, ${sign}::int * count(*)::int as songs
        from (${songs}) n(id) join song s on s.id = n.id where s.license_id is not null group by s.license_id) d
      where l.id = d.license_id`,
  ].map((statement) => rawQuery(statement, db));

/** Adds what the songs of a batch now add to their artists and licences. Each artist that the batch names gets a document, also one whose songs are gone again. */
export const songsAdded = (changes: BatchChanges, db: Handle): ProjectedQuery[] => {
  const artists = new Map<number, { artist_id: number; song_count: number; duration_ms: number; album_count: number }>();
  const catalogs = new Map<string, { artist_id: number; catalog_id: number; song_count: number; album_count: number }>();
  const licenses = new Map<number, { id: number; song_count: number }>();
  for (const id of changes.artists.keys()) entry(artists, id, untouchedArtist);
  for (const { row, track } of changes.presentSongs()) {
    for (const artist_id of track.artistIds) {
      const artist = entry(artists, artist_id, untouchedArtist);
      artist.song_count += 1;
      artist.duration_ms += row.duration_ms;
      const { catalog_id } = row;
      entry(catalogs, `${artist_id} ${catalog_id}`, () => ({ artist_id, catalog_id, song_count: 0, album_count: 0 })).song_count += 1;
    }
    if (row.license_id !== null) entry(licenses, row.license_id, (id) => ({ id, song_count: 0 })).song_count += 1;
  }
  return [
    ...rowBatches(
      [...artists.values()],
      (json) => sql`insert into touched_artist as t select * from json_populate_recordset(null::touched_artist, ${json}) ${addToNotes}`,
      db,
    ),
    ...rowBatches(
      [...catalogs.values()],
      (json) => sql`insert into artist_catalog as t select * from json_populate_recordset(null::artist_catalog, ${json})
        on conflict (artist_id, catalog_id) do update set song_count = t.song_count + excluded.song_count`,
      db,
    ),
    ...rowBatches(
      [...licenses.values()],
      (json) => sql`update license l set song_count = l.song_count + r.song_count
        from json_populate_recordset(null::license, ${json}) r where l.id = r.id`,
      db,
    ),
  ];
};

const untouchedArtist = (artist_id: number) => ({ artist_id, song_count: 0, duration_ms: 0, album_count: 0 });

const entry = <K, V>(map: Map<K, V>, key: K, make: (key: K) => V): V => {
  const value = map.get(key) ?? make(key);
  map.set(key, value);
  return value;
};

/**
 * Counts the genres of songs for their artists: genres as tagged, after merges.
 * @param songs a query that gives the ids of the songs concerned
 */
export const genresOfSongs = (sign: Sign, songs: RawBuilder<unknown>, db: Handle): ProjectedQuery =>
  rawQuery(
    sql`insert into artist_genre as t (artist_id, genre_id, song_count)
      select sa.artist_id, g.genre_id, ${sign}::int * count(*)::int
      from (${songs}) n(id) join song_artist sa on sa.song_id = n.id join song_genre g on g.song_id = n.id group by sa.artist_id, g.genre_id
      on conflict (artist_id, genre_id) do update set song_count = t.song_count + excluded.song_count`,
    db,
  );

/** Touched albums with whether lists show them; a lateral, because the work must start from the touched ones. */
const touched = sql`select a.* from touched_album t cross join lateral (
  select id, catalog_id, (song_count > 0)::int as shown from album where id = t.album_id offset 0) a`;

/** Counts the touched albums that have songs for their album artists and labels. */
export const albumContributions = (sign: Sign, db: Handle): ProjectedQuery =>
  rawQuery(
    sql`with a as materialized (${touched}),
      notes as (insert into touched_artist as t (artist_id, album_count)
        select aa.artist_id, ${sign}::int * sum(a.shown) from a join album_artist aa on aa.album_id = a.id group by aa.artist_id ${addToNotes}),
      catalogs as (insert into artist_catalog as t (artist_id, catalog_id, album_count)
        select aa.artist_id, a.catalog_id, ${sign}::int * count(*)::int from a join album_artist aa on aa.album_id = a.id
        where a.shown = 1 group by aa.artist_id, a.catalog_id
        on conflict (artist_id, catalog_id) do update set album_count = t.album_count + excluded.album_count),
      labels as (update label l set album_count = l.album_count + ${sign}::int * d.albums
        from (select x.label_id, sum(a.shown)::int as albums from a join album_label x on x.album_id = a.id group by x.label_id) d
        where l.id = d.label_id)
      insert into artist_label as t (artist_id, label_id, album_count)
        select aa.artist_id, x.label_id, ${sign}::int * count(*)::int
        from a join album_label x on x.album_id = a.id join album_artist aa on aa.album_id = a.id
        where a.shown = 1 group by aa.artist_id, x.label_id
        on conflict (artist_id, label_id) do update set album_count = t.album_count + excluded.album_count`,
    db,
  );

/** Rows that have come down to nothing. The artists stand as an array, so that they are looked up by index. */
export const dropEmptyContributions = (db: Handle): ProjectedQuery => {
  const artists = sql`artist_id = any(array(select artist_id from touched_artist))`;
  return rawQuery(
    sql`with labels as (delete from artist_label where ${artists} and album_count = 0),
        catalogs as (delete from artist_catalog where ${artists} and song_count = 0 and album_count = 0)
      delete from artist_genre where ${artists} and song_count = 0`,
    db,
  );
};
