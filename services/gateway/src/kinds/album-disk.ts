import { inVisibleCatalogs } from '../reads/visibility/viewer.js';
import { sql, type SqlBool } from 'kysely';
import { albumDiskArt, albumDisksByIds, diskIdOf } from '../reads/library/album-disks.reads.js';
import { byColumns } from '../reads/lists/list-query.js';
import { idFilter, idsFilter, textFilters, timeFilters } from '../reads/lists/text-filters.js';
import { annotationFilters, annotationSorts } from '../reads/people/annotations.js';
import { playSorts, unplayedFilter, type PlaySource } from '../reads/plays/play-overlays.js';
import { albumFilters, albumSorts } from './album.js';
import { ofCatalogs, type Kind } from './kind.js';

const plays: PlaySource = {
  name: 'album_disk',
  id: diskIdOf(sql`s`),
  join: () => sql`join library.song s on s.id = p.song_id`,
  grouped: true,
};
const { total_count, last_played } = playSorts(plays);
const annotated = { kind: 'album_disk' } as const;

const source = ofCatalogs(sql`library.album_disk t`);
const withAlbum = ofCatalogs(sql`library.album_disk t join library.album a on a.id = t.album_id`);

/**
 * Disks of albums. Names, genres and album artists are the album's; song artists, plays, times and dates are those of
 * the disk's own songs.
 */
export const albumDisk = {
  source,
  read: albumDisksByIds,
  list: {
    shuffled: true,
    ...withAlbum,
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
  },
  names: { ...withAlbum, name: sql`a.name`, parts: sql`a.prefix, a.basename` },
  art: albumDiskArt,
  children: {
    // A disk's id is that of its album and its number; see `albumDiskIdOf`.
    songs: (viewer) =>
      sql`select s.id from library.song s where s.album_id = o.id / 256 and least(s.disk, 255) = o.id % 256 and ${inVisibleCatalogs(viewer, sql`s.catalog_id`)}
      order by s.track, s.id`,
  },
} satisfies Kind;
