import { albumArt } from '../reads/library/albums.reads.js';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { byColumns, type FilterRow, type SortRow } from '../reads/lists/list-query.js';
import { flagFilter, idFilter, idOrNoneFilter, idsFilter, textFilters, timeFilters } from '../reads/lists/text-filters.js';
import { annotationFilters, annotationSorts } from '../reads/people/annotations.js';
import { playSorts, unplayedFilter, type PlaySource } from '../reads/plays/play-overlays.js';
import { inVisibleCatalogs } from '../reads/visibility/viewer.js';
import { ofCatalogs, type Kind } from './kind.js';

const albumArtist = (album: RawBuilder<number>, id: number) =>
  sql<SqlBool>`exists (select from library.album_artist aa where aa.album_id = ${album} and aa.artist_id = ${id}::bigint)`;

/** Joins of the rows of an album list, or of a list of disks, with albums and songs. */
interface AlbumRows {
  /** The album of a row. */
  readonly album: RawBuilder<number>;
  /** Join condition of a song `s` and a row. */
  readonly songs: RawBuilder<SqlBool>;
  /** The row of a song `s`. */
  readonly ofSong: RawBuilder<number>;
  /** The rows of an album that is credited in `aa`, and the join that they need. */
  readonly ofAlbumArtist: RawBuilder<number>;
  readonly fromAlbumArtist: RawBuilder<unknown>;
}

/** Filters on albums, for lists of albums and of parts of them. */
export const albumFilters = (rows: AlbumRows): Record<string, FilterRow> => {
  const { album, songs } = rows;
  const songArtist = (id: number) =>
    sql<SqlBool>`exists (select from library.song s join library.song_artist sa on sa.song_id = s.id where ${songs} and sa.artist_id = ${id}::bigint)`;
  const genre = idFilter(
    (id) => sql<SqlBool>`exists (select from library.album_genre g where g.album_id = ${album} and g.genre_id = ${id}::bigint)`,
  );
  const noGenre = flagFilter(() => sql<SqlBool>`not exists (select from library.album_genre g where g.album_id = ${album})`);
  return {
    album_artist: idOrNoneFilter(
      (id) => albumArtist(album, id),
      () => sql<SqlBool>`not exists (select from library.album_artist aa where aa.album_id = ${album})`,
    ),
    // A set, not two conditions joined with or, which would be asked of every row.
    artist: idFilter(
      (id) => sql<SqlBool>`t.id in (
        select ${rows.ofAlbumArtist} from library.album_artist aa ${rows.fromAlbumArtist} where aa.artist_id = ${id}::bigint
        union select ${rows.ofSong} from library.song s join library.song_artist sa on sa.song_id = s.id where sa.artist_id = ${id}::bigint)`,
    ),
    song_artist: idOrNoneFilter(
      songArtist,
      () => sql<SqlBool>`not exists (select from library.song s join library.song_artist sa on sa.song_id = s.id where ${songs})`,
    ),
    catalog: idFilter((id) => sql<SqlBool>`t.catalog_id = ${id}::bigint`),
    catalog_enabled: flagFilter(() => sql<SqlBool>`exists (select from library.catalog c where c.id = t.catalog_id and c.enabled)`),
    // The caller's catalogs are part of every list.
    user_catalog: flagFilter(() => sql<SqlBool>`true`),
    genre,
    tag: genre,
    no_genre: noGenre,
    no_tag: noGenre,
  };
};

/** Orders by what is known of an album, whose alias is given: for lists of albums and of parts of them. */
export const albumSorts = (a: RawBuilder<unknown>): Record<string, SortRow> => {
  const name = byColumns(sql`${a}.name_sort`);
  const byArtist = byColumns(sql`${a}.artist_sort`, sql`${a}.name_sort`);
  const songArtist = sql`(select min(ar.name_sort) from library.song s join library.song_artist sa on sa.song_id = s.id
    join library.artist ar on ar.id = sa.artist_id where s.album_id = ${a}.id)`;
  return {
    name,
    title: name,
    name_year: byColumns(sql`${a}.name_sort`, sql`${a}.year`),
    name_original_year: byColumns(sql`${a}.name_sort`, sql`coalesce(${a}.original_year, ${a}.year)`),
    album_artist: byArtist,
    album_artist_title: byArtist,
    artist: byArtist,
    album_artist_album_sort: byColumns(sql`${a}.artist_sort`, sql`${a}.name_sort`, sql`${a}.year`),
    generic_artist: byColumns(
      sql`case when ${a}.album_artist_id is null then coalesce(${songArtist}, '') else ${a}.artist_sort end`,
      sql`${a}.name_sort`,
    ),
    barcode: byColumns(sql`coalesce(${a}.barcode, '') collate "C"`),
    catalog_number: byColumns(sql`coalesce(${a}.catalog_number, '') collate "C"`),
    disk_count: byColumns(sql`${a}.disk_count`),
    original_year: byColumns(sql`coalesce(${a}.original_year, ${a}.year)`),
    release_status: byColumns(sql`lower(coalesce(${a}.release_status, '')) collate "C"`),
    release_type: byColumns(sql`lower(coalesce(${a}.release_type, '')) collate "C"`),
    version: byColumns(sql`lower(coalesce(${a}.version, '')) collate "C"`),
  };
};

const plays: PlaySource = {
  name: 'album',
  id: sql`s.album_id`,
  join: () => sql`join library.song s on s.id = p.song_id`,
  grouped: true,
};
const { total_count, last_played } = playSorts(plays);
const annotated = { kind: 'album' } as const;

const source = ofCatalogs(sql`library.album t`);

/** Albums that have songs. */
export const album = {
  source,
  list: {
    shuffled: true,
    from: source.from,
    visible: (viewer) => sql<SqlBool>`t.song_count > 0 and ${inVisibleCatalogs(viewer, sql`t.catalog_id`)}`,
    filters: {
      ...textFilters({ name: sql`t.name`, sortKey: sql`t.name_sort`, keyFollowsName: true }),
      ...timeFilters('add', sql`t.added_at_ms`),
      ...timeFilters('update', sql`t.updated_at_ms`),
      id: idsFilter(sql`t.id`),
      ...albumFilters({
        album: sql`t.id`,
        songs: sql`s.album_id = t.id`,
        ofSong: sql`s.album_id`,
        ofAlbumArtist: sql`aa.album_id`,
        fromAlbumArtist: sql``,
      }),
      mood: idFilter(
        (id) =>
          sql<SqlBool>`exists (select from library.song s join library.song_mood m on m.song_id = s.id where s.album_id = t.id and m.mood_id = ${id}::bigint)`,
      ),
      unplayed: unplayedFilter(plays),
      ...annotationFilters(annotated),
    },
    sorts: {
      ...albumSorts(sql`t`),
      id: byColumns(),
      addition_time: byColumns(sql`t.added_at_ms`),
      catalog: byColumns(sql`t.catalog_id`, sql`t.name_sort`),
      song_count: byColumns(sql`t.song_count`),
      time: byColumns(sql`t.duration_ms`),
      year: byColumns(sql`t.year`, sql`t.added_at_ms`),
      total_count,
      last_played,
      ...annotationSorts(annotated),
    },
  },
  names: { ...source, name: sql`t.name`, parts: sql`t.prefix, t.basename` },
  art: albumArt,
  children: {
    songs: (viewer) =>
      sql`select s.id from library.song s where s.album_id = o.id and ${inVisibleCatalogs(viewer, sql`s.catalog_id`)} order by s.disk, s.track, s.id`,
  },
} satisfies Kind;
