import { rawQuery, type ProjectedQuery } from '@continuo/chassis';
import { albumDiskIdOf, type CounterTable } from '@continuo/contracts';
import { sql, type RawBuilder } from 'kysely';
import { dropEmptyContributions } from './contributions.js';
import type { Handle } from './handle.js';

/** The highest disk that has an id of its own. */
const MAX_DISK = albumDiskIdOf(0, Number.MAX_SAFE_INTEGER);

const nameRef = (alias: string) =>
  sql.raw(
    `jsonb_strip_nulls(jsonb_build_object('id', ${alias}.id, 'name', ${alias}.name, 'basename', ${alias}.basename, 'mbid', ${alias}.mbid)) || jsonb_build_object('prefix', ${alias}.prefix)`,
  );

/** As an array, so that it is looked up by index whatever the planner believes about the notes, which it knows to be empty between batches. */
const touchedAlbums = sql`array(select album_id from touched_album)`;

/** Genres of each touched album, with the number of its songs that carry them. */
const albumGenres = [
  sql`delete from album_genre where album_id = any(${touchedAlbums})`,
  sql`insert into album_genre
    select s.album_id, g.genre_id, count(*)::int from song s join song_genre g on g.song_id = s.id
    where s.album_id = any(${touchedAlbums}) group by s.album_id, g.genre_id`,
];

/**
 * Sums, dates, picture and document of each touched album. Laterals, not joins of aggregates: the work must follow the handful of touched albums
 * by index, whatever the planner believes about tables that grow while they are filled. Its songs are gone through once, for all that is known of them.
 */
const albums = sql`
  update album a set
    song_count = s.song_count, disk_count = s.disk_count, duration_ms = s.duration_ms, size_bytes = s.size_bytes,
    added_at_ms = s.added_at_ms, updated_at_ms = s.updated_at_ms,
    year = coalesce((a.tags ->> 'year')::int, s.year),
    artist_sort = coalesce((select name_sort from artist where id = a.album_artist_id), ''),
    art_hash = coalesce(fa.art_hash, s.song_art), art_mime = (select mime from art where hash = coalesce(fa.art_hash, s.song_art)),
    doc = (a.tags::jsonb || jsonb_build_object('artists', l.artists, 'songArtists', l.song_artists, 'genres', l.genres, 'moods', l.moods, 'diskTitles', l.disk_titles)
      || jsonb_strip_nulls(jsonb_build_object('explicit', s.explicit_status)))::text
  from touched_album t
  cross join lateral (
    select count(*)::int as song_count, count(distinct x.disk)::int as disk_count, coalesce(sum(x.duration_ms), 0) as duration_ms,
      coalesce(sum(x.size_bytes), 0) as size_bytes, coalesce(min(x.added_at_ms), 0) as added_at_ms, coalesce(max(x.updated_at_ms), 0) as updated_at_ms,
      coalesce(max(x.year), 0) as year, (array_agg(x.art_hash order by x.disk, x.track, x.id) filter (where x.art_hash is not null))[1] as song_art,
      max(x.explicit_status) as explicit_status, array_agg(x.id) as song_ids, array_agg(distinct x.folder_id) as folder_ids, count(x.disk_subtitle) as titled_songs
    from song x where x.album_id = t.album_id) s
  left join lateral (
    select f.art_hash from folder f where f.id = any(s.folder_ids) and f.art_hash is not null order by f.path limit 1) fa on true
  cross join lateral (select
    coalesce((select jsonb_agg(${nameRef('r')} order by aa.position) from album_artist aa join artist r on r.id = aa.artist_id where aa.album_id = t.album_id), '[]') as artists,
    coalesce((select jsonb_agg(${nameRef('r')} order by r.name_sort, r.id) from (
      select distinct sa.artist_id from song_artist sa where sa.song_id = any(s.song_ids) offset 0) y join artist r on r.id = y.artist_id), '[]') as song_artists,
    coalesce((select jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) order by ag.song_count desc, g.name_sort, g.id)
      from album_genre ag join genre g on g.id = ag.genre_id where ag.album_id = t.album_id), '[]') as genres,
    coalesce((select jsonb_agg(jsonb_build_object('id', m.id, 'name', m.name) order by m.name, m.id) from (
      select distinct sm.mood_id from song_mood sm where sm.song_id = any(s.song_ids) offset 0) y join mood m on m.id = y.mood_id), '[]') as moods,
    coalesce((select jsonb_agg(jsonb_build_object('disk', d.disk, 'title', d.title) order by d.disk) from (
      select x.disk, min(x.disk_subtitle) as title from song x
      where s.titled_songs > 0 and x.album_id = t.album_id and x.disk_subtitle is not null group by x.disk) d), '[]') as disk_titles) l
  where a.id = t.album_id`;

/** Disks of each touched album; disk numbers that are too high share the last one, as their ids do. */
const albumDisks = [
  sql`delete from album_disk where album_id = any(${touchedAlbums})`,
  sql`insert into album_disk
    select t.album_id * ${MAX_DISK + 1}::bigint + n.disk, t.album_id, n.catalog_id, n.disk, n.subtitle, n.song_count, n.duration_ms, n.size_bytes, n.added_at_ms, n.updated_at_ms
    from touched_album t cross join lateral (
      select least(s.disk, ${MAX_DISK}::int) as disk, min(s.catalog_id) as catalog_id, min(s.disk_subtitle) as subtitle, count(*)::int as song_count, sum(s.duration_ms) as duration_ms,
        sum(s.size_bytes) as size_bytes, min(s.added_at_ms) as added_at_ms, max(s.updated_at_ms) as updated_at_ms
      from song s where s.album_id = t.album_id group by 1) n`,
];

/** The picture of an artist is that of the newest album. Only an artist whose own picture's album was touched needs a look at all albums. */
const artistPictures = [
  sql`update artist r set art_hash = p.art_hash, art_year = p.year, art_album_id = p.id
    from artist o left join lateral (
      select a.id, a.year, a.art_hash from album_artist aa join album a on a.id = aa.album_id
      where aa.artist_id = o.id and a.song_count > 0 and a.art_hash is not null order by a.year desc, a.id desc limit 1) p on true
    where o.art_album_id = any(${touchedAlbums}) and r.id = o.id`,
  sql`update artist r set art_hash = p.art_hash, art_year = p.year, art_album_id = p.id
    from (select distinct on (aa.artist_id) aa.artist_id, a.id, a.year, a.art_hash
      from touched_album t cross join lateral (
        select id, year, art_hash from album where id = t.album_id and song_count > 0 and art_hash is not null offset 0) a
      join album_artist aa on aa.album_id = a.id order by aa.artist_id, a.year desc, a.id desc) p
    where r.id = p.artist_id and (r.art_album_id is null or (p.year, p.id) > (r.art_year, r.art_album_id))`,
];

/** Roles of an artist on songs other than being their artist, with the catalogs: jumps from one to the next in the index, however many songs there are. */
const rolesOf = (artistId: RawBuilder<unknown>) => {
  const next = (after: RawBuilder<unknown>) =>
    sql`select c.role, c.catalog_id from song_contributor c where c.artist_id = ${artistId} ${after} order by c.role, c.catalog_id limit 1`;
  return sql`
    with recursive part as (
      (${next(sql``)})
      union all
      select n.role, n.catalog_id from part cross join lateral (${next(sql`and (c.role, c.catalog_id) > (part.role, part.catalog_id)`)}) n)
    select jsonb_object_agg(x.role, x.catalogs order by x.role) as roles
    from (select role, jsonb_agg(catalog_id order by catalog_id) as catalogs from part group by role) x`;
};

/** Sums and document of each touched artist, in one update: its row has many indexes. */
const artists = sql`
  update artist r set song_count = r.song_count + t.song_count, duration_ms = r.duration_ms + t.duration_ms, album_count = r.album_count + t.album_count,
    doc = (jsonb_strip_nulls(jsonb_build_object('sortName', r.sort_name, 'roles', p.roles)) || jsonb_build_object('genres', g.genres))::text
  from touched_artist t
  cross join lateral (
    select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) order by ag.song_count desc, g.name_sort, g.id), '[]') as genres
    from artist_genre ag join genre g on g.id = ag.genre_id where ag.artist_id = t.artist_id) g
  cross join lateral (${rolesOf(sql`t.artist_id`)}) p
  where r.id = t.artist_id`;

/** Albums of a batch, as their songs now are. */
export const albumSummaries = (db: Handle): ProjectedQuery[] =>
  [...albumGenres, albums, ...albumDisks].map((statement) => rawQuery(statement, db));

/** Artists of a batch, after their songs and albums have been counted again. */
export const artistSummaries = (db: Handle): ProjectedQuery[] => [
  dropEmptyContributions(db),
  ...[...artistPictures, artists].map((statement) => rawQuery(statement, db)),
];

/** Nothing of a batch is left in the notes when it commits. */
export const forgetTouched = (db: Handle): ProjectedQuery =>
  rawQuery(
    sql`with albums as (delete from touched_album), songs as (delete from touched_song), folders as (delete from touched_folder) delete from touched_artist`,
    db,
  );

/** Kinds of things that have lists of their own. */
export type ListKind = CounterTable['kind'];

/** Marks lists as changed by the event at a position, by kind; position 0 stands for no change. */
export const listsChanged = (positions: Partial<Record<ListKind, number>>, db: Handle): ProjectedQuery[] => {
  const changed = Object.entries(positions).filter(([, position]) => position > 0);
  if (changed.length === 0) return [];
  const [kinds, versions] = [changed.map(([kind]) => kind), changed.map(([, position]) => position)];
  return [
    rawQuery(
      sql`insert into counter as t (kind, catalog_id, version) select n.kind, 0, n.version from unnest(${kinds}::text[], ${versions}::bigint[]) as n(kind, version)
        on conflict (kind, catalog_id) do update set version = greatest(t.version, excluded.version)`,
      db,
    ),
    // Whether a catalog was ever counted depends on how the log was cut; that it counts nothing now does not.
    rawQuery(sql`delete from counter where catalog_id <> 0 and total = 0`, db),
  ];
};

/** An event about songs may change every list but that of deletions. */
export const songListsAt = (position: number): Record<Exclude<ListKind, 'mood' | 'deleted_song'>, number> => ({
  song: position,
  album: position,
  artist: position,
  genre: position,
  label: position,
  license: position,
  folder: position,
});
