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
    select t.album_id, n.genre_id, n.song_count from touched_album t cross join lateral (
      select g.genre_id, count(*)::int as song_count from song s join song_genre g on g.song_id = s.id where s.album_id = t.album_id group by g.genre_id) n`,
];

/**
 * Sums, dates, picture and document of each touched album. Laterals, not joins of aggregates: the work must follow the handful of touched albums
 * by index, whatever the planner believes about tables that grow while they are filled.
 */
const albums = sql`
  update album a set
    song_count = s.song_count, disk_count = s.disk_count, duration_ms = s.duration_ms, size_bytes = s.size_bytes,
    added_at_ms = s.added_at_ms, updated_at_ms = s.updated_at_ms,
    year = coalesce((a.tags ->> 'year')::int, s.year),
    artist_sort = coalesce((select name_sort from artist where id = a.album_artist_id), ''),
    art_hash = coalesce(fa.art_hash, s.song_art), art_mime = (select mime from art where hash = coalesce(fa.art_hash, s.song_art)),
    doc = (a.tags::jsonb || jsonb_build_object('artists', l.artists, 'songArtists', l.song_artists, 'genres', l.genres, 'moods', l.moods, 'diskTitles', l.disk_titles))::text
  from touched_album t
  cross join lateral (
    select count(*)::int as song_count, count(distinct x.disk)::int as disk_count, coalesce(sum(x.duration_ms), 0) as duration_ms,
      coalesce(sum(x.size_bytes), 0) as size_bytes, coalesce(min(x.added_at_ms), 0) as added_at_ms, coalesce(max(x.updated_at_ms), 0) as updated_at_ms,
      coalesce(max(x.year), 0) as year, (array_agg(x.art_hash order by x.disk, x.track, x.id) filter (where x.art_hash is not null))[1] as song_art
    from song x where x.album_id = t.album_id) s
  left join lateral (
    select f.art_hash from (select distinct folder_id from song where album_id = t.album_id offset 0) x join folder f on f.id = x.folder_id
    where f.art_hash is not null order by f.path limit 1) fa on true
  cross join lateral (select
    coalesce((select json_agg(${nameRef('r')} order by aa.position) from album_artist aa join artist r on r.id = aa.artist_id where aa.album_id = t.album_id), '[]') as artists,
    coalesce((select json_agg(${nameRef('r')} order by r.name_sort, r.id) from (
      select distinct sa.artist_id from song x join song_artist sa on sa.song_id = x.id where x.album_id = t.album_id offset 0) y join artist r on r.id = y.artist_id), '[]') as song_artists,
    coalesce((select json_agg(json_build_object('id', g.id, 'name', g.name) order by ag.song_count desc, g.name_sort, g.id)
      from album_genre ag join genre g on g.id = ag.genre_id where ag.album_id = t.album_id), '[]') as genres,
    coalesce((select json_agg(json_build_object('id', m.id, 'name', m.name) order by m.name, m.id) from (
      select distinct sm.mood_id from song x join song_mood sm on sm.song_id = x.id where x.album_id = t.album_id offset 0) y join mood m on m.id = y.mood_id), '[]') as moods,
    coalesce((select json_agg(json_build_object('disk', d.disk, 'title', d.title) order by d.disk) from (
      select x.disk, min(x.disk_subtitle) as title from song x where x.album_id = t.album_id and x.disk_subtitle is not null group by x.disk) d), '[]') as disk_titles) l
  where a.id = t.album_id`;

/** What an album shows of its artists changes with its songs. */
const artistsOfAlbums = sql`
  insert into touched_artist select distinct artist_id from album_artist where album_id in (select album_id from touched_album) on conflict do nothing`;

const artistGenres = [
  sql`delete from artist_genre where artist_id in (select artist_id from touched_artist)`,
  sql`insert into artist_genre
    select t.artist_id, n.genre_id, n.song_count from touched_artist t cross join lateral (
      select g.genre_id, count(*)::int as song_count from song_artist sa join song_genre g on g.song_id = sa.song_id where sa.artist_id = t.artist_id group by g.genre_id) n`,
];

const artistCatalogs = [
  sql`delete from artist_catalog where artist_id in (select artist_id from touched_artist)`,
  sql`insert into artist_catalog
    select t.artist_id, n.catalog_id, n.song_count from touched_artist t cross join lateral (
      select u.catalog_id, sum(u.song_count)::int as song_count from (
        select s.catalog_id, count(*) as song_count from song_artist sa join song s on s.id = sa.song_id where sa.artist_id = t.artist_id group by s.catalog_id
        union all
        select distinct a.catalog_id, 0 from album_artist aa join album a on a.id = aa.album_id where aa.artist_id = t.artist_id and a.song_count > 0) u
      group by u.catalog_id) n`,
];

/** Sums, picture and document of each touched artist. The picture is that of the newest album. */
const artists = sql`
  update artist r set
    song_count = s.song_count, album_count = l.album_count, duration_ms = s.duration_ms, added_at_ms = coalesce(least(s.added_at_ms, l.added_at_ms), 0), art_hash = l.art_hash,
    doc = (jsonb_strip_nulls(jsonb_build_object('sortName', r.sort_name)) || jsonb_build_object('genres', g.genres))::text
  from touched_artist t
  cross join lateral (
    select count(*)::int as song_count, coalesce(sum(x.duration_ms), 0) as duration_ms, min(x.added_at_ms) as added_at_ms
    from song_artist sa join song x on x.id = sa.song_id where sa.artist_id = t.artist_id) s
  cross join lateral (
    select count(*)::int as album_count, min(a.added_at_ms) as added_at_ms,
      (array_agg(a.art_hash order by a.year desc, a.id desc) filter (where a.art_hash is not null))[1] as art_hash
    from album_artist aa join album a on a.id = aa.album_id where aa.artist_id = t.artist_id and a.song_count > 0) l
  cross join lateral (
    select coalesce(json_agg(json_build_object('id', g.id, 'name', g.name) order by ag.song_count desc, g.name_sort, g.id), '[]') as genres
    from artist_genre ag join genre g on g.id = ag.genre_id where ag.artist_id = t.artist_id) g
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
