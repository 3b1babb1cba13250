import { rawQuery, type ProjectedQuery } from '@continuo/chassis';
import { sql, type RawBuilder } from 'kysely';
import type { Handle } from './handle.js';

/** Minus before the rows of a batch change, plus afterwards. */
export type Sign = 1 | -1;

/**
 * What songs add to their artists: numbers of songs, durations, genres and catalogs. Taken off before a batch changes the songs and added again
 * afterwards, so that the cost follows the batch and not the number of songs that a much-credited artist has.
 * @param songs a query that gives the ids of the songs concerned
 */
export const songContributions = (sign: Sign, songs: RawBuilder<unknown>, db: Handle): ProjectedQuery[] =>
  [
    sql`insert into touched_artist select distinct sa.artist_id from (${songs}) n(id) join song_artist sa on sa.song_id = n.id on conflict do nothing`,
    sql`update artist r set song_count = r.song_count + ${sign}::int * d.songs, duration_ms = r.duration_ms + ${sign}::int * d.duration_ms
      from (select sa.artist_id, count(*)::int as songs, sum(s.duration_ms)::bigint as duration_ms
        from (${songs}) n(id) join song_artist sa on sa.song_id = n.id join song s on s.id = n.id group by sa.artist_id) d
      where r.id = d.artist_id`,
    sql`insert into artist_genre as t (artist_id, genre_id, song_count)
      select sa.artist_id, g.genre_id, ${sign}::int * count(*)::int
      from (${songs}) n(id) join song_artist sa on sa.song_id = n.id join song_genre g on g.song_id = n.id group by sa.artist_id, g.genre_id
      on conflict (artist_id, genre_id) do update set song_count = t.song_count + excluded.song_count`,
    sql`insert into artist_catalog as t (artist_id, catalog_id, song_count)
      select sa.artist_id, s.catalog_id, ${sign}::int * count(*)::int
      from (${songs}) n(id) join song_artist sa on sa.song_id = n.id join song s on s.id = n.id group by sa.artist_id, s.catalog_id
      on conflict (artist_id, catalog_id) do update set song_count = t.song_count + excluded.song_count`,
  ].map((statement) => rawQuery(statement, db));

/**
 * How many songs are under each licence.
 * @param songs a query that gives the ids of the songs concerned
 */
export const licenseContributions = (sign: Sign, songs: RawBuilder<unknown>, db: Handle): ProjectedQuery =>
  rawQuery(
    sql`update license l set song_count = l.song_count + ${sign}::int * d.songs
      from (select s.license_id, count(*)::int as songs from (${songs}) n(id) join song s on s.id = n.id where s.license_id is not null group by s.license_id) d
      where l.id = d.license_id`,
    db,
  );

/** What the touched albums that have songs add to their album artists and labels. */
export const albumContributions = (sign: Sign, db: Handle): ProjectedQuery[] =>
  [
    sql`insert into touched_artist
      select distinct aa.artist_id from touched_album t join album_artist aa on aa.album_id = t.album_id on conflict do nothing`,
    sql`update artist r set album_count = r.album_count + ${sign}::int * d.albums
      from (select aa.artist_id, count(*)::int as albums from touched_album t join album a on a.id = t.album_id and a.song_count > 0
        join album_artist aa on aa.album_id = a.id group by aa.artist_id) d
      where r.id = d.artist_id`,
    sql`insert into artist_catalog as t (artist_id, catalog_id, album_count)
      select aa.artist_id, a.catalog_id, ${sign}::int * count(*)::int
      from touched_album t join album a on a.id = t.album_id and a.song_count > 0 join album_artist aa on aa.album_id = a.id
      group by aa.artist_id, a.catalog_id
      on conflict (artist_id, catalog_id) do update set album_count = t.album_count + excluded.album_count`,
    sql`update label l set album_count = l.album_count + ${sign}::int * d.albums
      from (select x.label_id, count(*)::int as albums from touched_album t join album_label x on x.album_id = t.album_id
        join album a on a.id = t.album_id and a.song_count > 0 group by x.label_id) d
      where l.id = d.label_id`,
    sql`insert into artist_label as t (artist_id, label_id, album_count)
      select aa.artist_id, x.label_id, ${sign}::int * count(*)::int
      from touched_album t join album_label x on x.album_id = t.album_id join album a on a.id = t.album_id and a.song_count > 0
        join album_artist aa on aa.album_id = a.id
      group by aa.artist_id, x.label_id
      on conflict (artist_id, label_id) do update set album_count = t.album_count + excluded.album_count`,
  ].map((statement) => rawQuery(statement, db));

/** Rows that have come down to nothing. */
export const dropEmptyContributions = (db: Handle): ProjectedQuery[] =>
  [
    sql`delete from artist_genre x using touched_artist t where x.artist_id = t.artist_id and x.song_count = 0`,
    sql`delete from artist_label x using touched_artist t where x.artist_id = t.artist_id and x.album_count = 0`,
    sql`delete from artist_catalog x using touched_artist t where x.artist_id = t.artist_id and x.song_count = 0 and x.album_count = 0`,
  ].map((statement) => rawQuery(statement, db));
