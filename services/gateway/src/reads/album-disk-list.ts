import { sql, type SqlBool } from 'kysely';
import { albumFilters, albumSorts } from './album-list.js';
import { annotationFilters, annotationSorts } from './annotations.js';
import { byColumns, type ListDefinition } from './list-query.js';
import { playSorts, unplayedFilter, type PlaySource } from './play-overlays.js';
import { diskIdOf } from './song-list.js';
import { idFilter, idsFilter, textFilters, timeFilters } from './text-filters.js';
import { inVisibleCatalogs } from './viewer.js';

const plays: PlaySource = {
  name: 'album_disk',
  id: diskIdOf(sql`s`),
  join: () => sql`join library.song s on s.id = p.song_id`,
  grouped: true,
};
const { total_count, last_played } = playSorts(plays);
const annotated = { kind: 'album_disk' } as const;

/**
 * Disks of albums: browse.md, section `album_disk`. Names, genres and album artists are the album's; song artists, plays, times and dates are those of
 * the disk's own songs.
 */
export const albumDiskList: ListDefinition = {
  kind: 'album_disk',
  from: sql`library.album_disk t join library.album a on a.id = t.album_id`,
  base: (viewer) => inVisibleCatalogs(viewer, sql`t.catalog_id`),
  filters: {
    ...textFilters({ name: sql`a.name`, sortKey: sql`a.name_sort`, keyFollowsName: true }),
    ...timeFilters('add', sql`t.added_at_ms`),
    ...timeFilters('update', sql`t.updated_at_ms`),
    id: idsFilter(sql`t.id`),
    album: idFilter((id) => sql<SqlBool>`t.album_id = ${id}::bigint`),
    ...albumFilters({
      album: sql`t.album_id`,
      songs: sql`s.album_id = t.album_id and ${diskIdOf(sql`s`)} = t.id`,
      ofSong: diskIdOf(sql`s`),
      ofAlbumArtist: sql`d.id`,
      fromAlbumArtist: sql`join library.album_disk d on d.album_id = aa.album_id`,
    }),
    unplayed: unplayedFilter(plays),
    ...annotationFilters(annotated),
  },
  sorts: {
    ...albumSorts(sql`a`),
    id: byColumns(),
    addition_time: byColumns(sql`t.added_at_ms`),
    album_id: byColumns(sql`t.album_id`),
    catalog: byColumns(sql`t.catalog_id`, sql`a.name_sort`),
    disk: byColumns(sql`t.disk`),
    disksubtitle: byColumns(sql`lower(coalesce(t.subtitle, '')) collate "C"`),
    song_count: byColumns(sql`t.song_count`),
    time: byColumns(sql`t.duration_ms`),
    year: byColumns(sql`a.year`, sql`t.added_at_ms`),
    total_count,
    last_played,
    ...annotationSorts(annotated),
  },
};
