import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { annotationSorts } from './annotations.js';
import { byColumns, type FilterRow, type ListDefinition } from './list-query.js';
import { canOccur, flagFilter, idFilter, idsFilter, switchFilter, textFilters } from './text-filters.js';
import { inVisibleCatalogs, seesAll, type Viewer } from './viewer.js';

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

/**
 * Genres: browse.md, section `tag`. Hidden ones only where they are asked for. Who sees all catalogs then also finds those that no song carries any more, so
 * that a merge can be looked up and undone.
 */
export const genreList: ListDefinition = {
  kind: 'genre',
  from: sql`library.genre t`,
  base: (viewer) =>
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
};

const labelName = byColumns(sql`t.name_sort`);
const ofLabel = { kind: 'label' } as const;

/** Labels with albums: browse.md, section `label`. */
export const labelList: ListDefinition = {
  kind: 'label',
  from: sql`library.label t`,
  base: (viewer) =>
    seesAll(viewer)
      ? sql<SqlBool>`t.album_count > 0`
      : sql<SqlBool>`exists (select from library.album_label l join library.album a on a.id = l.album_id
          where l.label_id = t.id and a.song_count > 0 and ${inVisibleCatalogs(viewer, sql`a.catalog_id`)})`,
  filters: {
    ...textFilters({ name: sql`t.name`, sortKey: sql`t.name_sort`, keyFollowsName: true }),
    id: idsFilter(sql`t.id`),
  },
  sorts: { id: byId, name: labelName, title: labelName, ...annotationSorts(ofLabel) },
};

const licenseName = byColumns(sql`t.name_sort`);

/** Licences with songs: browse.md, section `license`. None is hidden. */
export const licenseList: ListDefinition = {
  kind: 'license',
  from: sql`library.license t`,
  base: (viewer) =>
    seesAll(viewer)
      ? sql<SqlBool>`t.song_count > 0`
      : sql<SqlBool>`exists (select from library.song s where s.license_id = t.id and ${inVisibleCatalogs(viewer, sql`s.catalog_id`)})`,
  filters: {
    ...textFilters({ name: sql`t.name`, sortKey: sql`t.name_sort` }),
    id: idsFilter(sql`t.id`),
    hidden: switchFilter((on) => (on ? sql<SqlBool>`false` : undefined)),
  },
  sorts: { id: byId, name: licenseName, title: licenseName, external_link: byColumns(sql`t.external_link collate "C"`) },
};

/** Songs that are gone, of catalogs that the viewer sees. `deletion` orders by when they went. */
export const deletedSongList: ListDefinition = {
  kind: 'deleted_song',
  from: sql`(select d.*, d.song_id as id from library.deleted_song d) t`,
  base: (viewer) => inVisibleCatalogs(viewer, sql`t.catalog_id`),
  filters: {},
  sorts: { id: byId, deletion: byColumns(sql`t.deleted_at_ms`) },
};

const gatherType: FilterRow = {
  where: (value) => {
    if (value === '') return undefined;
    return canOccur(value) ? sql<SqlBool>`t.gather_types = ${value.toLowerCase()}` : sql<SqlBool>`false`;
  },
};
const catalogName = byColumns(sql`lower(t.name) collate "C"`);
const lastScan = byColumns(
  sql`coalesce((select max(sc.finished_at_ms) from ingestion.scan sc where sc.catalog_id = t.id and sc.state = 'finished'), 0)`,
);
const ofCatalog = { kind: 'catalog' } as const;

/** Catalogs: browse.md, section `catalog`. There are few of them, and no counter tells when they change. */
export const catalogList: ListDefinition = {
  kind: 'catalog',
  volatile: true,
  from: sql`library.catalog t`,
  base: (viewer) => inVisibleCatalogs(viewer, sql`t.id`),
  filters: {
    ...textFilters({ name: sql`t.name` }),
    id: idsFilter(sql`t.id`),
    gather_type: gatherType,
    // The list form: any of some kinds of media, between blanks.
    gather_types: {
      own: true,
      where: (value) => (canOccur(value) ? sql<SqlBool>`t.gather_types = any(${value.split(' ')}::text[])` : sql<SqlBool>`false`),
    },
    enabled: switchFilter((on) => sql<SqlBool>`t.enabled = ${on}`),
    // The caller's catalogs are part of every list.
    user: flagFilter(() => sql<SqlBool>`true`),
  },
  sorts: {
    id: byId,
    name: catalogName,
    title: catalogName,
    catalog_type: byColumns(sql`t.type collate "C"`),
    enabled: byColumns(sql`t.enabled`),
    gather_types: byColumns(sql`t.gather_types collate "C"`),
    last_add: lastScan,
    last_clean: lastScan,
    last_update: lastScan,
    rename_pattern: byColumns(sql`coalesce(t.rename_pattern, '') collate "C"`),
    sort_pattern: byColumns(sql`coalesce(t.sort_pattern, '') collate "C"`),
    ...annotationSorts(ofCatalog),
  },
};
