import { rawQuery, type ProjectedQuery } from '@continuo/chassis';
import { sql } from 'kysely';
import { forgetTouched } from './change-queries.js';
import type { Handle } from './handle.js';

const nameRef = (alias: string) =>
  sql.raw(
    `json_strip_nulls(json_build_object('id', ${alias}.id, 'name', ${alias}.name, 'basename', ${alias}.basename, 'mbid', ${alias}.mbid))::jsonb || jsonb_build_object('prefix', ${alias}.prefix)`,
  );

/** Genres of each touched album, with the number of its songs that carry them. */
const albumGenres = [
  sql`delete from album_genre where album_id in (select album_id from touched_album)`,
  sql`insert into album_genre
    select s.album_id, g.genre_id, count(*)::int as song_count
    from touched_album t join song s on s.album_id = t.album_id join song_genre g on g.song_id = s.id group by 1, 2`,
];

/** Sums, dates, picture and document of each touched album. */
const albums = sql`
  with s as (
    select s.album_id, count(*)::int as song_count, count(distinct s.disk)::int as disk_count, sum(s.duration_ms) as duration_ms, sum(s.size_bytes) as size_bytes,
      min(s.added_at_ms) as added_at_ms, max(s.updated_at_ms) as updated_at_ms, max(s.year) as year,
      (array_agg(s.art_hash order by s.disk, s.track, s.id) filter (where s.art_hash is not null))[1] as song_art
    from song s where s.album_id in (select album_id from touched_album) group by s.album_id),
  folder_art as (
    select distinct on (s.album_id) s.album_id, f.art_hash
    from song s join folder f on f.id = s.folder_id where s.album_id in (select album_id from touched_album) and f.art_hash is not null order by s.album_id, f.path)
  update album a set
    song_count = coalesce(s.song_count, 0), disk_count = coalesce(s.disk_count, 0), duration_ms = coalesce(s.duration_ms, 0), size_bytes = coalesce(s.size_bytes, 0),
    added_at_ms = coalesce(s.added_at_ms, 0), updated_at_ms = coalesce(s.updated_at_ms, 0),
    year = coalesce((a.tags ->> 'year')::int, s.year, 0),
    artist_sort = coalesce((select name_sort from artist where id = a.album_artist_id), ''),
    art_hash = coalesce(fa.art_hash, s.song_art), art_mime = (select mime from art where hash = coalesce(fa.art_hash, s.song_art)),
    doc = (a.tags::jsonb || jsonb_build_object(
      'artists', coalesce((select json_agg(${nameRef('r')} order by aa.position) from album_artist aa join artist r on r.id = aa.artist_id where aa.album_id = a.id), '[]'),
      'songArtists', coalesce((select json_agg(${nameRef('r')} order by r.name_sort, r.id) from artist r where r.id in (
        select sa.artist_id from song x join song_artist sa on sa.song_id = x.id where x.album_id = a.id)), '[]'),
      'genres', coalesce((select json_agg(json_build_object('id', g.id, 'name', g.name) order by ag.song_count desc, g.name_sort, g.id)
        from album_genre ag join genre g on g.id = ag.genre_id where ag.album_id = a.id), '[]'),
      'moods', coalesce((select json_agg(json_build_object('id', m.id, 'name', m.name) order by m.name, m.id) from mood m where m.id in (
        select sm.mood_id from song x join song_mood sm on sm.song_id = x.id where x.album_id = a.id)), '[]'),
      'diskTitles', coalesce((select json_agg(json_build_object('disk', d.disk, 'title', d.title) order by d.disk) from (
        select x.disk, min(x.disk_subtitle) as title from song x where x.album_id = a.id and x.disk_subtitle is not null group by x.disk) d), '[]')))::text
  from touched_album t left join s on s.album_id = t.album_id left join folder_art fa on fa.album_id = t.album_id
  where a.id = t.album_id`;

/** What an album shows of its artists changes with its songs. */
const artistsOfAlbums = sql`
  insert into touched_artist select distinct artist_id from album_artist where album_id in (select album_id from touched_album) on conflict do nothing`;

const artistGenres = [
  sql`delete from artist_genre where artist_id in (select artist_id from touched_artist)`,
  sql`insert into artist_genre
    select sa.artist_id, g.genre_id, count(*)::int as song_count
    from touched_artist t join song_artist sa on sa.artist_id = t.artist_id join song_genre g on g.song_id = sa.song_id group by 1, 2`,
];

const artistCatalogs = [
  sql`delete from artist_catalog where artist_id in (select artist_id from touched_artist)`,
  sql`with songs as (
    select sa.artist_id, s.catalog_id, count(*)::int as song_count
    from touched_artist t join song_artist sa on sa.artist_id = t.artist_id join song s on s.id = sa.song_id group by 1, 2),
  album_only as (
    select distinct aa.artist_id, a.catalog_id from touched_artist t join album_artist aa on aa.artist_id = t.artist_id join album a on a.id = aa.album_id where a.song_count > 0)
  insert into artist_catalog
    select coalesce(s.artist_id, o.artist_id), coalesce(s.catalog_id, o.catalog_id), coalesce(s.song_count, 0)
    from songs s full join album_only o on o.artist_id = s.artist_id and o.catalog_id = s.catalog_id`,
];

/** Sums, picture and document of each touched artist. The picture is that of the newest album. */
const artists = sql`
  with s as (
    select sa.artist_id, count(*)::int as song_count, sum(s.duration_ms) as duration_ms, min(s.added_at_ms) as added_at_ms
    from touched_artist t join song_artist sa on sa.artist_id = t.artist_id join song s on s.id = sa.song_id group by sa.artist_id),
  l as (
    select aa.artist_id, count(*)::int as album_count, min(a.added_at_ms) as added_at_ms,
      (array_agg(a.art_hash order by a.year desc, a.id desc) filter (where a.art_hash is not null))[1] as art_hash
    from touched_artist t join album_artist aa on aa.artist_id = t.artist_id join album a on a.id = aa.album_id where a.song_count > 0 group by aa.artist_id)
  update artist r set
    song_count = coalesce(s.song_count, 0), album_count = coalesce(l.album_count, 0), duration_ms = coalesce(s.duration_ms, 0),
    added_at_ms = coalesce(least(s.added_at_ms, l.added_at_ms), 0), art_hash = l.art_hash,
    doc = (jsonb_strip_nulls(jsonb_build_object('sortName', r.sort_name)) || jsonb_build_object('genres', coalesce((
      select json_agg(json_build_object('id', g.id, 'name', g.name) order by ag.song_count desc, g.name_sort, g.id)
      from artist_genre ag join genre g on g.id = ag.genre_id where ag.artist_id = r.id), '[]')))::text
  from touched_artist t left join s on s.artist_id = t.artist_id left join l on l.artist_id = t.artist_id
  where r.id = t.artist_id`;

const listVersion = (position: number) => sql`
  insert into counter as t (kind, catalog_id, version) select kind, 0, ${position}::bigint from unnest(array['song', 'album', 'artist', 'genre']) as kind
  on conflict (kind, catalog_id) do update set version = greatest(t.version, excluded.version)`;

/**
 * Sums up again what the batch has touched. The result depends on the rows only, not on how the log was cut into batches.
 * @param listPosition position of the last event that may have changed a list; 0 when none did
 */
export const summaryQueries = (listPosition: number, db: Handle): ProjectedQuery[] => {
  if (listPosition === 0) return forgetTouched(db);
  const statements = [...albumGenres, albums, artistsOfAlbums, ...artistGenres, ...artistCatalogs, artists, listVersion(listPosition)];
  return [...statements.map((statement) => rawQuery(statement, db)), ...forgetTouched(db)];
};
