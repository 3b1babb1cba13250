import { sql, type SqlBool } from 'kysely';
import type { ListDefinition } from './list-query.js';
import { flagFilter, idFilter, textFilters, timeFilters, whole } from './text-filters.js';
import { inVisibleCatalogs } from './viewer.js';

const genre = idFilter((id) => sql<SqlBool>`exists (select from library.album_genre g where g.album_id = t.id and g.genre_id = ${id})`);
const noGenre = flagFilter(sql<SqlBool>`not exists (select from library.album_genre g where g.album_id = t.id)`);
const songArtist = (id: number) =>
  sql<SqlBool>`exists (select from library.song s join library.song_artist sa on sa.song_id = s.id where s.album_id = t.id and sa.artist_id = ${id})`;
const albumArtist = (id: number) =>
  sql<SqlBool>`exists (select from library.album_artist aa where aa.album_id = t.id and aa.artist_id = ${id})`;
const name = [sql`t.name_sort`];
const byYear = [sql`t.name_sort`, sql`t.year`];
const byArtist = [sql`t.artist_sort`, sql`t.name_sort`];
const plays = sql`left join lateral (
  select sum(sp.play_count) as play_count, max(sp.last_played_at_ms) as last_played_at_ms
  from library.song s join playback.song_plays sp on sp.song_id = s.id where s.album_id = t.id
) p on true`;

/** Albums that have songs: browse.md, section `album`. */
export const albumList: ListDefinition = {
  kind: 'album',
  from: sql`library.album t`,
  base: (viewer) => sql<SqlBool>`t.song_count > 0 and ${inVisibleCatalogs(viewer, sql`t.catalog_id`)}`,
  filters: {
    ...textFilters(sql`t.name`, sql`t.name_sort`),
    ...timeFilters('add', sql`t.added_at_ms`),
    ...timeFilters('update', sql`t.updated_at_ms`),
    id: idFilter((id) => sql<SqlBool>`t.id = ${id}`),
    album_artist: {
      where: (value) => {
        const id = whole(value);
        if (id === undefined) return undefined;
        return id === 0 ? sql<SqlBool>`t.album_artist_id is null` : albumArtist(id);
      },
    },
    artist: idFilter((id) => sql<SqlBool>`(${albumArtist(id)} or ${songArtist(id)})`),
    song_artist: idFilter(songArtist),
    catalog: idFilter((id) => sql<SqlBool>`t.catalog_id = ${id}`),
    catalog_enabled: flagFilter(sql<SqlBool>`exists (select from library.catalog c where c.id = t.catalog_id and c.enabled)`),
    genre,
    tag: genre,
    mood: idFilter(
      (id) =>
        sql<SqlBool>`exists (select from library.song s join library.song_mood m on m.song_id = s.id where s.album_id = t.id and m.mood_id = ${id})`,
    ),
    no_genre: noGenre,
    no_tag: noGenre,
    unplayed: {
      volatile: true,
      where: (value) =>
        whole(value) === 1
          ? sql<SqlBool>`not exists (select from library.song s join playback.song_plays p on p.song_id = s.id where s.album_id = t.id and p.play_count > 0)`
          : undefined,
    },
  },
  joins: { last_played: plays, total_count: plays },
  sorts: {
    id: { columns: [] },
    name: { columns: name },
    title: { columns: name },
    name_year: { columns: byYear },
    name_original_year: { columns: [sql`t.name_sort`, sql`coalesce(t.original_year, t.year)`] },
    addition_time: { columns: [sql`t.added_at_ms`] },
    album_artist: { columns: byArtist },
    album_artist_album_sort: { columns: byArtist },
    album_artist_title: { columns: byArtist },
    artist: { columns: byArtist },
    generic_artist: { columns: byArtist },
    catalog: { columns: [sql`t.catalog_id`, sql`t.name_sort`] },
    disk_count: { columns: [sql`t.disk_count`] },
    song_count: { columns: [sql`t.song_count`] },
    release_type: { columns: [sql`t.release_type`] },
    time: { columns: [sql`t.duration_ms`] },
    year: { columns: [sql`t.year`, sql`t.added_at_ms`] },
    original_year: { columns: [sql`coalesce(t.original_year, t.year)`] },
    last_played: { volatile: true, columns: [sql`p.last_played_at_ms`] },
    total_count: { volatile: true, columns: [sql`coalesce(p.play_count, 0)`] },
  },
};
