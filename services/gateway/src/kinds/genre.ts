import { genresByIds } from '../reads/library/genres.reads.js';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { byColumns, type ListSource } from '../reads/lists/list-query.js';
import { idFilter, idsFilter, switchFilter, textFilters } from '../reads/lists/text-filters.js';
import { annotationSorts } from '../reads/people/annotations.js';
import { inVisibleCatalogs, seesAll, type Viewer } from '../reads/visibility/viewer.js';
import type { Kind } from './kind.js';

const byId = byColumns();

/** The albums of a genre that the viewer sees, and how many of their songs carry it. */
const visibleAlbums = (viewer: Viewer): RawBuilder<unknown> => sql`library.album_genre g join library.album a on a.id = g.album_id
  and a.song_count > 0 and ${inVisibleCatalogs(viewer, sql`a.catalog_id`)} where g.genre_id = t.id`;

// What is counted over all catalogs may be asked only for who sees all of them; for others it is counted over theirs.
const genreCounts = {
  song: (viewer: Viewer) =>
    seesAll(viewer) ? sql<number>`t.song_count` : sql<number>`(select coalesce(sum(g.song_count), 0) from ${visibleAlbums(viewer)})`,
  album: (viewer: Viewer) => (seesAll(viewer) ? sql<number>`t.album_count` : sql<number>`(select count(*) from ${visibleAlbums(viewer)})`),
  artist: (viewer: Viewer) =>
    seesAll(viewer)
      ? sql<number>`t.artist_count`
      : sql<number>`(select count(distinct sa.artist_id) from library.song_genre g join library.song s on s.id = g.song_id
          join library.song_artist sa on sa.song_id = s.id where g.genre_id = t.id and ${inVisibleCatalogs(viewer, sql`s.catalog_id`)})`,
};

const genreVideos = (viewer: Viewer) => sql<number>`(select count(*) from library.video_genre g join library.video v on v.id = g.video_id
  where g.genre_id = t.id and ${inVisibleCatalogs(viewer, sql`v.catalog_id`)})`;

const isGenreOf = (value: string): value is keyof typeof genreCounts => Object.hasOwn(genreCounts, value);
const genreId = idFilter((id) => sql<SqlBool>`t.id = ${id}::bigint`);
const genreName = byColumns(sql`t.name_sort`);
const ofGenre = { kind: 'genre' } as const;

const source: ListSource = { from: sql`library.genre t`, visible: () => sql<SqlBool>`true` };

/**
 * Genres. Hidden ones only where they are asked for. Who sees all catalogs then also finds those that no song carries any more, so
 * that a merge can be looked up and undone.
 */
export const genre = {
  source,
  read: genresByIds,
  list: {
    shuffled: true,
    from: source.from,
    visible: (viewer) =>
      seesAll(viewer) ? sql<SqlBool>`(t.song_count > 0 or t.hidden)` : sql<SqlBool>`exists (select from ${visibleAlbums(viewer)})`,
    presets: [{ name: 'hidden', value: '0' }],
    filters: {
      ...textFilters({ name: sql`t.name`, sortKey: sql`t.name_sort` }),
      id: idsFilter(sql`t.id`),
      genre: genreId,
      tag: genreId,
      hidden: switchFilter((on) => (on ? sql<SqlBool>`t.hidden` : sql<SqlBool>`not t.hidden`)),
      object_type: {
        where: (value, viewer) => {
          if (value === '') return undefined;
          const kind = value.toLowerCase();
          if (kind === 'video') return sql<SqlBool>`${genreVideos(viewer)} > 0`;
          return isGenreOf(kind) ? sql<SqlBool>`${genreCounts[kind](viewer)} > 0` : sql<SqlBool>`false`;
        },
      },
    },
    sorts: {
      id: byId,
      // The specification gives genres, tags and ids the same order.
      genre: byId,
      tag: byId,
      name: genreName,
      title: genreName,
      album: { columns: (viewer) => [genreCounts.album(viewer)] },
      artist: { columns: (viewer) => [genreCounts.artist(viewer)] },
      song: { columns: (viewer) => [genreCounts.song(viewer)] },
      video: { columns: (viewer) => [genreVideos(viewer)] },
      ...annotationSorts(ofGenre),
    },
  },
} satisfies Kind;
