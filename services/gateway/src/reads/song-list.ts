import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { annotationFilters, annotationSorts } from './annotations.js';
import { byColumns, type ListDefinition } from './list-query.js';
import { playSorts, songPlays, unplayedFilter } from './play-overlays.js';
import { canOccur, flagFilter, idFilter, idsFilter, integerOf, switchFilter, textFilters, timeFilters } from './text-filters.js';
import { inVisibleCatalogs } from './viewer.js';

/** Disks of an album beyond this number share its last disk id (`albumDiskIdOf`). */
const DISK_IDS = 256;

/** The disk id of a song, as `albumDiskIdOf` gives it. */
export const diskIdOf = (song: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(${song}.album_id * ${sql.lit(DISK_IDS)} + least(${song}.disk, ${sql.lit(DISK_IDS - 1)}))`;

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

/** Songs: browse.md, section `song`. */
export const songList: ListDefinition = {
  kind: 'song',
  from: sql`library.song t`,
  base: (viewer) => inVisibleCatalogs(viewer, sql`t.catalog_id`),
  filters: {
    ...textFilters({ name: sql`t.title`, sortKey: sql`t.title_sort`, keyFollowsName: true }),
    ...timeFilters('add', sql`t.added_at_ms`),
    ...timeFilters('update', sql`t.updated_at_ms`),
    id: idsFilter(sql`t.id`),
    album: idFilter((id) => sql<SqlBool>`t.album_id = ${id}::bigint`),
    album_disk: idFilter(onDisk),
    artist,
    catalog: idFilter((id) => sql<SqlBool>`t.catalog_id = ${id}::bigint`),
    catalog_enabled: flagFilter(() => sql<SqlBool>`exists (select from library.catalog c where c.id = t.catalog_id and c.enabled)`),
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
    // The caller's catalogs are part of every list.
    user_catalog: flagFilter(() => sql<SqlBool>`true`),
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
};
