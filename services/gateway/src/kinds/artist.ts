import { artistArt } from '../reads/library/artists.reads.js';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { byColumns, type FilterRow, type ListSource } from '../reads/lists/list-query.js';
import { endMs, flagFilter, idFilter, idsFilter, startMs, switchFilter, textFilters, timeFilters } from '../reads/lists/text-filters.js';
import { annotationFilters, annotationSorts } from '../reads/people/annotations.js';
import { playSorts, unplayedFilter, type PlaySource } from '../reads/plays/play-overlays.js';
import { isVisibleArtist } from '../reads/visibility/artist-visibility.js';
import { inVisibleCatalogs, seesAll, type Viewer } from '../reads/visibility/viewer.js';
import type { Kind } from './kind.js';

/** True when a catalog that the viewer sees has something of the artist that fits. */
const inCatalog = (viewer: Viewer, fits: RawBuilder<SqlBool>): RawBuilder<SqlBool> =>
  sql<SqlBool>`exists (select from library.artist_catalog ac where ac.artist_id = t.id and ${inVisibleCatalogs(viewer, sql`ac.catalog_id`)} and ${fits})`;

/** True when the artist is credited on a song that the viewer sees and that fits. */
const onSong = (viewer: Viewer, fits: RawBuilder<SqlBool>): RawBuilder<SqlBool> =>
  sql<SqlBool>`exists (select from library.song_artist sa join library.song s on s.id = sa.song_id
    where sa.artist_id = t.id and ${inVisibleCatalogs(viewer, sql`s.catalog_id`)} and ${fits})`;

/** True when the artist is album artist of an album that the viewer sees and that fits. */
const ofAlbum = (viewer: Viewer, fits: RawBuilder<SqlBool>): RawBuilder<SqlBool> =>
  sql<SqlBool>`exists (select from library.album_artist aa join library.album a on a.id = aa.album_id
    where aa.artist_id = t.id and a.song_count > 0 and ${inVisibleCatalogs(viewer, sql`a.catalog_id`)} and ${fits})`;

// What is summed up over all catalogs may be asked only for who sees all of them; for others it is summed up over theirs.
const has = (column: 'song_count' | 'album_count') => (viewer: Viewer) =>
  seesAll(viewer) ? sql<SqlBool>`t.${sql.ref(column)} > 0` : inCatalog(viewer, sql`ac.${sql.ref(column)} > 0`);
const count = (column: 'song_count' | 'album_count') => ({
  columns: (viewer: Viewer) => [
    seesAll(viewer)
      ? sql`t.${sql.ref(column)}`
      : sql`(select coalesce(sum(ac.${sql.ref(column)}), 0) from library.artist_catalog ac
          where ac.artist_id = t.id and ${inVisibleCatalogs(viewer, sql`ac.catalog_id`)})`,
  ],
});
const time = {
  columns: (viewer: Viewer) => [
    seesAll(viewer)
      ? sql`t.duration_ms`
      : sql`(select coalesce(sum(s.duration_ms), 0) from library.song_artist sa join library.song s on s.id = sa.song_id
          where sa.artist_id = t.id and ${inVisibleCatalogs(viewer, sql`s.catalog_id`)})`,
  ],
};

const genreRows = (viewer: Viewer, fits: RawBuilder<SqlBool>): RawBuilder<SqlBool> =>
  seesAll(viewer)
    ? sql<SqlBool>`exists (select from library.artist_genre g where g.artist_id = t.id and ${fits})`
    : onSong(viewer, sql`exists (select from library.song_genre g where g.song_id = s.id and ${fits})`);
const genre = idFilter((id, viewer) => genreRows(viewer, sql`g.genre_id = ${id}::bigint`));
const noGenre = flagFilter((viewer) => sql<SqlBool>`not ${genreRows(viewer, sql`true`)}`);

/** 1 keeps those that were ever credited so, anything else those that never were. */
const everCredited = (credited: (viewer: Viewer) => RawBuilder<SqlBool>): FilterRow =>
  switchFilter((on, viewer) => (on ? credited(viewer) : sql<SqlBool>`not ${credited(viewer)}`));

const plays: PlaySource = {
  name: 'artist',
  id: sql`sa.artist_id`,
  join: (viewer) =>
    seesAll(viewer)
      ? sql`join library.song_artist sa on sa.song_id = p.song_id`
      : sql`join library.song_artist sa on sa.song_id = p.song_id
          join library.song s on s.id = p.song_id and ${inVisibleCatalogs(viewer, sql`s.catalog_id`)}`,
  grouped: true,
  perViewer: true,
};
const { total_count, last_played } = playSorts(plays);
const name = byColumns(sql`t.name_sort`);
const annotated = { kind: 'artist' } as const;

const asAlbumArtist = sql`select aa.album_id from library.album_artist aa where aa.artist_id = o.id`;
const asSongArtist = sql`select s.album_id from library.song_artist sa join library.song s on s.id = sa.song_id where sa.artist_id = o.id`;

const albumsIn = (albumIds: RawBuilder<unknown>, viewer: Viewer): RawBuilder<unknown> =>
  sql`select a.id from library.album a where a.id in (${albumIds}) and a.song_count > 0 and ${inVisibleCatalogs(viewer, sql`a.catalog_id`)}
    order by a.name_sort, a.year, a.id`;

const source: ListSource = { from: sql`library.artist t`, visible: (viewer) => isVisibleArtist(viewer, sql`t.id`) };

/** Artists with albums or songs. The date of addition is the artist's own, in any catalog. */
export const artist = {
  source,
  list: {
    shuffled: true,
    from: source.from,
    visible: (viewer) =>
      seesAll(viewer)
        ? sql<SqlBool>`(t.song_count > 0 or t.album_count > 0)`
        : inCatalog(viewer, sql`(ac.song_count > 0 or ac.album_count > 0)`),
    filters: {
      ...textFilters({ name: sql`t.name`, sortKey: sql`t.name_sort`, keyFollowsName: true }),
      ...timeFilters('add', sql`t.added_at_ms`),
      // An artist is as new as the latest change of tags of a song that credits it.
      update_gt: idFilter((seconds, viewer) => onSong(viewer, sql`s.updated_at_ms >= ${startMs(seconds)}::bigint`)),
      update_lt: idFilter(
        (seconds, viewer) =>
          sql<SqlBool>`(${onSong(viewer, sql`true`)} and not ${onSong(viewer, sql`s.updated_at_ms > ${endMs(seconds)}::bigint`)})`,
      ),
      id: idsFilter(sql`t.id`),
      album_artist: everCredited(has('album_count')),
      song_artist: everCredited(has('song_count')),
      catalog: idFilter((id, viewer) => inCatalog(viewer, sql`ac.catalog_id = ${id}::bigint`)),
      catalog_enabled: flagFilter((viewer) =>
        inCatalog(viewer, sql`exists (select from library.catalog c where c.id = ac.catalog_id and c.enabled)`),
      ),
      user_catalog: flagFilter(() => sql<SqlBool>`true`),
      genre,
      tag: genre,
      no_genre: noGenre,
      no_tag: noGenre,
      label: idFilter((id, viewer) =>
        seesAll(viewer)
          ? sql<SqlBool>`exists (select from library.artist_label l where l.artist_id = t.id and l.label_id = ${id}::bigint)`
          : ofAlbum(viewer, sql`exists (select from library.album_label l where l.album_id = a.id and l.label_id = ${id}::bigint)`),
      ),
      mood: idFilter((id, viewer) =>
        onSong(viewer, sql`exists (select from library.song_mood m where m.song_id = s.id and m.mood_id = ${id}::bigint)`),
      ),
      unplayed: unplayedFilter(plays),
      ...annotationFilters(annotated),
    },
    sorts: {
      id: byColumns(),
      name,
      title: name,
      addition_time: byColumns(sql`t.added_at_ms`),
      album_count: count('album_count'),
      song_count: count('song_count'),
      time,
      total_count,
      last_played,
      ...annotationSorts(annotated),
    },
  },
  names: { ...source, name: sql`t.name`, parts: sql`t.prefix, t.basename` },
  art: artistArt,
  children: {
    songs: (viewer) =>
      sql`select s.id from library.song_artist sa join library.song s on s.id = sa.song_id where sa.artist_id = o.id and ${inVisibleCatalogs(viewer, sql`s.catalog_id`)}
      order by s.title_sort, s.id`,
    albums: (viewer) => albumsIn(sql`${asAlbumArtist} union ${asSongArtist}`, viewer),
    albumsAsAlbumArtist: (viewer) => albumsIn(asAlbumArtist, viewer),
    albumsAsSongArtist: (viewer) => albumsIn(asSongArtist, viewer),
  },
} satisfies Kind;
