import { sql, type SqlBool } from 'kysely';
import { isListedFor } from '../reads/visibility/playlist-access.js';
import { inVisibleCatalogs, seesAll, type Viewer } from '../reads/visibility/viewer.js';
import type { Condition } from './text-tests.js';

/*
 * Visibility conditions: one per kind, on `t`. Every search starts from it, so that no rule has to remember it.
 */

const inCatalogs = (viewer: Viewer): Condition => inVisibleCatalogs(viewer, sql`t.catalog_id`);

/** Songs of visible catalogs. */
export const visibleSongs = inCatalogs;

/** Albums of visible catalogs that have songs. */
export const visibleAlbums = (viewer: Viewer): Condition => sql<SqlBool>`t.song_count > 0 and ${inCatalogs(viewer)}`;

/** Disks of visible catalogs. */
export const visibleDisks = inCatalogs;

/** Credits that make an artist visible. */
export type Credit = 'any' | 'songs' | 'albums';

const credits: Readonly<Record<Credit, (alias: string) => Condition>> = {
  any: (alias) => sql<SqlBool>`(${sql.ref(`${alias}.song_count`)} > 0 or ${sql.ref(`${alias}.album_count`)} > 0)`,
  songs: (alias) => sql<SqlBool>`${sql.ref(`${alias}.song_count`)} > 0`,
  albums: (alias) => sql<SqlBool>`${sql.ref(`${alias}.album_count`)} > 0`,
};

/** Artists who are credited in a visible catalog. */
export const visibleArtists = (viewer: Viewer, credit: Credit, alias = 't'): Condition =>
  seesAll(viewer)
    ? credits[credit](alias)
    : sql<SqlBool>`${sql.ref(`${alias}.id`)} in (select ac.artist_id from library.artist_catalog ac where ${credits[credit]('ac')} and ${inVisibleCatalogs(viewer, sql`ac.catalog_id`)})`;

/** Genres that a visible song carries and that nobody took out of the lists. */
export const visibleGenres = (viewer: Viewer): Condition =>
  seesAll(viewer)
    ? sql<SqlBool>`t.song_count > 0 and not t.hidden`
    : sql<SqlBool>`not t.hidden and t.id in (
        select g.genre_id from library.song_genre g join library.song s on s.id = g.song_id where ${inVisibleCatalogs(viewer, sql`s.catalog_id`)})`;

/** Labels of visible albums. */
export const visibleLabels = (viewer: Viewer): Condition =>
  seesAll(viewer)
    ? sql<SqlBool>`t.album_count > 0`
    : sql<SqlBool>`t.id in (
        select l.label_id from library.album_label l join library.album a on a.id = l.album_id where a.song_count > 0 and ${inVisibleCatalogs(viewer, sql`a.catalog_id`)})`;

/** Playlists that are public, the viewer's own or shared with it; also administrators find only these. */
export const visiblePlaylists = (viewer: Viewer): Condition => isListedFor(viewer.userId);

/** Videos of visible catalogs. */
export const visibleVideos = inCatalogs;

/** Podcasts of visible catalogs, and their episodes, which are in the same one. */
export const visiblePodcasts = inCatalogs;
export const visibleEpisodes = inCatalogs;

/** Accounts that can log in. */
export const visibleUsers = (): Condition => sql<SqlBool>`not t.disabled`;
