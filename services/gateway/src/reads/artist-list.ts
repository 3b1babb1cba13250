import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { FilterRow, ListDefinition } from './list-query.js';
import { flagFilter, idFilter, textFilters, timeFilters, whole } from './text-filters.js';
import { inVisibleCatalogs, type Viewer } from './viewer.js';

const genre = idFilter((id) => sql<SqlBool>`exists (select from library.artist_genre g where g.artist_id = t.id and g.genre_id = ${id})`);
const noGenre = flagFilter(sql<SqlBool>`not exists (select from library.artist_genre g where g.artist_id = t.id)`);
const name = [sql`t.name_sort`];

const visible = (viewer: Viewer): RawBuilder<SqlBool> =>
  viewer.catalogs === 'all'
    ? sql<SqlBool>`true`
    : sql<SqlBool>`exists (select from library.artist_catalog ac where ac.artist_id = t.id and ${inVisibleCatalogs(viewer, sql`ac.catalog_id`)})`;

/** 1 keeps those that were ever credited so, 0 those that never were. */
const everCredited = (column: RawBuilder<number>): FilterRow => ({
  where: (value) => {
    const wanted = whole(value);
    if (wanted === undefined) return undefined;
    return wanted === 0 ? sql<SqlBool>`${column} = 0` : sql<SqlBool>`${column} > 0`;
  },
});

/** Artists with albums or songs: browse.md, section `artist`. */
export const artistList: ListDefinition = {
  kind: 'artist',
  from: sql`library.artist t`,
  base: (viewer) => sql<SqlBool>`(t.song_count > 0 or t.album_count > 0) and ${visible(viewer)}`,
  filters: {
    ...textFilters(sql`t.name`, sql`t.name_sort`),
    ...timeFilters('add', sql`t.added_at_ms`),
    id: idFilter((id) => sql<SqlBool>`t.id = ${id}`),
    album_artist: everCredited(sql`t.album_count`),
    song_artist: everCredited(sql`t.song_count`),
    catalog: idFilter(
      (id) => sql<SqlBool>`exists (select from library.artist_catalog ac where ac.artist_id = t.id and ac.catalog_id = ${id})`,
    ),
    catalog_enabled: flagFilter(
      sql<SqlBool>`exists (select from library.artist_catalog ac join library.catalog c on c.id = ac.catalog_id where ac.artist_id = t.id and c.enabled)`,
    ),
    genre,
    tag: genre,
    no_genre: noGenre,
    no_tag: noGenre,
    unplayed: {
      volatile: true,
      where: (value) =>
        whole(value) === 1
          ? sql<SqlBool>`not exists (select from library.song_artist sa join playback.song_plays p on p.song_id = sa.song_id where sa.artist_id = t.id and p.play_count > 0)`
          : undefined,
    },
  },
  sorts: {
    id: { columns: [] },
    name: { columns: name },
    title: { columns: name },
    album_count: { columns: [sql`t.album_count`] },
    song_count: { columns: [sql`t.song_count`] },
    time: { columns: [sql`t.duration_ms`] },
  },
};
