import { songArt } from '../reads/songs/songs.reads.js';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { DISK_IDS } from '../reads/library/album-disks.reads.js';
import { byColumns } from '../reads/lists/list-query.js';
import {
  canOccur,
  flagFilter,
  idFilter,
  idsFilter,
  integerOf,
  switchFilter,
  textFilters,
  timeFilters,
} from '../reads/lists/text-filters.js';
import { annotationFilters, annotationSorts } from '../reads/people/annotations.js';
import { playSorts, songPlays, unplayedFilter } from '../reads/plays/play-overlays.js';
import { catalogFilters, deletedThings, ofCatalogs, type Kind, splitLater } from './kind.js';

/** The songs of a disk, found through the index on albums. */
const onDisk = (id: number): RawBuilder<SqlBool> => {
  const disk = ((id % DISK_IDS) + DISK_IDS) % DISK_IDS;
  const album = Math.floor(id / DISK_IDS);
  return sql<SqlBool>`(t.album_id = ${album}::bigint and least(t.disk, ${DISK_IDS - 1}::int) = ${disk}::int)`;
};

const genre = idFilter(
  (id) => sql<SqlBool>`exists (select from library.song_genre g where g.song_id = t.id and g.genre_id = ${id}::bigint)`,
);
const noGenre = flagFilter(() => sql<SqlBool>`not exists (select from library.song_genre g where g.song_id = t.id)`);
const artist = idFilter(
  (id) => sql<SqlBool>`exists (select from library.song_artist sa where sa.song_id = t.id and sa.artist_id = ${id}::bigint)`,
);
const isNamed = (alias: 'al' | 'ar', value: string): RawBuilder<SqlBool> =>
  canOccur(value) ? sql<SqlBool>`lower(${sql.ref(`${alias}.name`)}) = lower(${value})` : sql<SqlBool>`false`;
const title: RawBuilder<unknown> = sql`t.title_sort`;
const album = sql`left join library.album a on a.id = t.album_id`;
const inAlbum = { columns: () => [sql`coalesce(a.name_sort, '')`, sql`t.album_id`, sql`t.disk`, sql`t.track`], join: album };
const plays = playSorts(songPlays);
const annotated = { kind: 'song' } as const;

const source = ofCatalogs(sql`library.song t`);

/** Songs. */
export const song = {
  source,
  list: {
    shuffled: true,
    ...source,
    filters: {
      ...textFilters({ name: sql`t.title`, sortKey: sql`t.title_sort`, keyFollowsName: true }),
      ...timeFilters('add', sql`t.added_at_ms`),
      ...timeFilters('update', sql`t.updated_at_ms`),
      id: idsFilter(sql`t.id`),
      ...catalogFilters,
      album: idFilter((id) => sql<SqlBool>`t.album_id = ${id}::bigint`),
      album_disk: idFilter(onDisk),
      artist,
      disk: idFilter((disk) => sql<SqlBool>`t.disk = ${disk}::bigint`),
      // Songs cannot be switched off, so that all of them are on.
      enabled: switchFilter((on) => (on ? undefined : sql<SqlBool>`false`)),
      genre,
      license: idFilter((id) => sql<SqlBool>`t.license_id = ${id}::bigint`),
      mood: idFilter((id) => sql<SqlBool>`exists (select from library.song_mood m where m.song_id = t.id and m.mood_id = ${id}::bigint)`),
      no_genre: noGenre,
      no_tag: noGenre,
      tag: genre,
      // The order object_count adds the play counts for which this name stands.
      top50: artist,
      unplayed: unplayedFilter(songPlays),
      ...annotationFilters(annotated),
      // Songs right inside a folder.
      folder: { own: true, where: (value) => sql<SqlBool>`t.folder_id = ${integerOf(value)}::bigint` },
      // Songs of albums, or by artists, with exactly this name.
      album_name: {
        own: true,
        where: (value) => sql<SqlBool>`t.album_id in (select al.id from library.album al where ${isNamed('al', value)})`,
      },
      artist_name: {
        own: true,
        where: (value) =>
          sql<SqlBool>`t.id in (select sa.song_id from library.song_artist sa join library.artist ar on ar.id = sa.artist_id where ${isNamed('ar', value)})`,
      },
    },
    sorts: {
      id: byColumns(),
      title: byColumns(title),
      name: byColumns(title),
      addition_time: byColumns(sql`t.added_at_ms`),
      update_time: byColumns(sql`t.updated_at_ms`),
      album: inAlbum,
      album_disk: inAlbum,
      artist: { columns: () => [sql`coalesce(ar.name_sort, '')`, title], join: sql`left join library.artist ar on ar.id = t.artist_id` },
      catalog: byColumns(sql`t.catalog_id`, title),
      composer: byColumns(sql`lower(coalesce(t.composer, '')) collate "C"`),
      time: byColumns(sql`t.duration_ms`),
      track: byColumns(sql`t.track`),
      year: byColumns(sql`t.year`, sql`t.added_at_ms`),
      ...plays,
      object_count: plays.total_count,
      ...annotationSorts(annotated),
    },
  },
  names: { ...source, ...splitLater(sql`t.title`) },
  art: songArt,
} satisfies Kind;

/** Songs that are gone, of catalogs that the viewer sees. */
export const deletedSong = deletedThings(sql`(select d.*, d.song_id as id from library.deleted_song d) t`);
