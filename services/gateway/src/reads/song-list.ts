import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { ListDefinition } from './list-query.js';
import { escapeLike, flagFilter, holdsText, idFilter, textFilters, timeFilters, whole } from './text-filters.js';
import { inVisibleCatalogs } from './viewer.js';

const genre = idFilter((id) => sql<SqlBool>`exists (select from library.song_genre g where g.song_id = t.id and g.genre_id = ${id})`);
const noGenre = flagFilter(sql<SqlBool>`not exists (select from library.song_genre g where g.song_id = t.id)`);
const title: RawBuilder<unknown> = sql`t.title_sort`;
const plays = sql`left join playback.song_plays p on p.song_id = t.id`;
const album = sql`left join library.album a on a.id = t.album_id`;
const playCount = { volatile: true, columns: [sql`coalesce(p.play_count, 0)`] };

/** Songs: browse.md, section `song`. Sorts by rating and favourites wait for those facts; until then they leave the default order. */
export const songList: ListDefinition = {
  kind: 'song',
  from: sql`library.song t`,
  base: (viewer) => inVisibleCatalogs(viewer, sql`t.catalog_id`),
  filters: {
    ...textFilters(sql`t.title`, sql`t.title_sort`),
    ...timeFilters('add', sql`t.added_at_ms`),
    ...timeFilters('update', sql`t.updated_at_ms`),
    id: idFilter((id) => sql<SqlBool>`t.id = ${id}`),
    album: idFilter((id) => sql<SqlBool>`t.album_id = ${id}`),
    artist: idFilter((id) => sql<SqlBool>`exists (select from library.song_artist sa where sa.song_id = t.id and sa.artist_id = ${id})`),
    catalog: idFilter((id) => sql<SqlBool>`t.catalog_id = ${id}`),
    catalog_enabled: flagFilter(sql<SqlBool>`exists (select from library.catalog c where c.id = t.catalog_id and c.enabled)`),
    disk: idFilter((disk) => sql<SqlBool>`t.disk = ${disk}`),
    genre,
    tag: genre,
    mood: idFilter((id) => sql<SqlBool>`exists (select from library.song_mood m where m.song_id = t.id and m.mood_id = ${id})`),
    no_genre: noGenre,
    no_tag: noGenre,
    unplayed: {
      volatile: true,
      where: (value) =>
        whole(value) === 1
          ? sql<SqlBool>`not exists (select from playback.song_plays p where p.song_id = t.id and p.play_count > 0)`
          : undefined,
    },
    anywhere: { where: (value) => (value === '' ? undefined : anywhere(value)) },
  },
  joins: {
    album,
    album_disk: album,
    artist: sql`left join library.artist ar on ar.id = t.artist_id`,
    last_played: plays,
    object_count: plays,
    total_count: plays,
  },
  sorts: {
    id: { columns: [] },
    title: { columns: [title] },
    name: { columns: [title] },
    addition_time: { columns: [sql`t.added_at_ms`] },
    update_time: { columns: [sql`t.updated_at_ms`] },
    album: { columns: [sql`a.name_sort`, sql`t.album_id`, sql`t.disk`, sql`t.track`] },
    album_disk: { columns: [sql`a.name_sort`, sql`t.album_id`, sql`t.disk`, sql`t.track`] },
    artist: { columns: [sql`ar.name_sort`, title] },
    catalog: { columns: [sql`t.catalog_id`, title] },
    time: { columns: [sql`t.duration_ms`] },
    track: { columns: [sql`t.track`] },
    year: { columns: [sql`t.year`, sql`t.added_at_ms`] },
    last_played: { volatile: true, columns: [sql`p.last_played_at_ms`] },
    object_count: playCount,
    total_count: playCount,
  },
};

/** Title, artist, album or genre holds the text: the one rule behind `search_songs`. Each branch can use its own index. */
const anywhere = (text: string): RawBuilder<SqlBool> => sql<SqlBool>`t.id in (
  select s.id from library.song s where ${holdsText(sql`s.title`, sql`s.title_sort`, text)}
  union select s.id from library.song s join library.album a on a.id = s.album_id where ${holdsText(sql`a.name`, sql`a.name_sort`, text)}
  union select sa.song_id from library.song_artist sa join library.artist ar on ar.id = sa.artist_id
    where ${holdsText(sql`ar.name`, sql`ar.name_sort`, text)}
  union select g.song_id from library.song_genre g join library.genre gn on gn.id = g.genre_id where gn.name ilike ${`%${escapeLike(text)}%`}
)`;
