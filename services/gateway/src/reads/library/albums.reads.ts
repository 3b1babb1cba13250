import type { AlbumDocument } from '@continuo/contracts';
import { sql } from 'kysely';
import { ANNOTATED_AT_ONCE, annotationColumns, annotationsIn, annotationsOf, type Annotations } from '../people/annotations.reads.js';
import type { ReadDatabase } from '../database/database.js';
import { isOneOf } from '../database/id-condition.js';
import { albumArtHash } from '../art/found-art.reads.js';
import { grouped, inOrder } from '../songs/songs.reads.js';
import { inVisibleCatalogs, type Viewer } from '../visibility/viewer.js';

/** An album as the surfaces show it. Durations and times in milliseconds. */
export interface AlbumView {
  readonly id: number;
  readonly catalogId: number;
  readonly name: string;
  readonly prefix: string | null;
  readonly basename: string;
  readonly year: number;
  readonly originalYear: number | null;
  readonly songCount: number;
  readonly diskCount: number;
  readonly durationMs: number;
  readonly addedAtMs: number;
  readonly releaseType: string | null;
  readonly mbid: string | null;
  readonly mbidGroup: string | null;
  readonly artHash: string | null;
  readonly doc: AlbumDocument;
  readonly annotations: Annotations;
}

/** Albums that a viewer may see, as they are shown. */
const visibleAlbums = (db: ReadDatabase, viewer: Viewer) =>
  db
    .selectFrom('library.album as a')
    .select(['a.id', 'a.catalog_id as catalogId', 'a.name', 'a.prefix', 'a.basename', 'a.year', 'a.original_year as originalYear'])
    .select(['a.song_count as songCount', 'a.disk_count as diskCount', 'a.duration_ms as durationMs', 'a.added_at_ms as addedAtMs'])
    .select(['a.release_type as releaseType', 'a.mbid', 'a.mbid_group as mbidGroup', albumArtHash.as('artHash'), 'a.doc'])
    .where(inVisibleCatalogs(viewer, sql`a.catalog_id`));

/** A few albums with their annotations, in one statement. */
export const annotatedAlbums = (db: ReadDatabase, viewer: Viewer) =>
  visibleAlbums(db, viewer).select(annotationColumns(viewer, 'album', sql<number>`a.id`));

/** An album as a row of {@link annotatedAlbums} has it. */
export const annotatedAlbum = <R extends Annotations & { readonly doc: string }>({
  flaggedAtMs,
  rating,
  averageRating,
  bookmarkMs,
  ...row
}: R) => ({
  ...row,
  doc: JSON.parse(row.doc) as AlbumDocument,
  annotations: annotationsIn({ flaggedAtMs, rating, averageRating, bookmarkMs }),
});

/** Albums by id, in the order of the ids; what is gone or may not be seen is left out. */
export const albumsByIds = async (db: ReadDatabase, ids: ArrayLike<number>, viewer: Viewer): Promise<AlbumView[]> => {
  if (ids.length === 0) return [];
  const wanted = isOneOf(sql<number>`a.id`, ids);
  if (ids.length <= ANNOTATED_AT_ONCE) {
    const few = await annotatedAlbums(db, viewer).where(wanted).execute();
    return inOrder(ids, few).map(annotatedAlbum);
  }
  const reading = visibleAlbums(db, viewer).where(wanted).execute();
  const [rows, annotationOf] = await Promise.all([reading, annotationsOf(db, viewer, 'album', ids)]);
  return inOrder(ids, rows).map((row) => ({ ...row, doc: JSON.parse(row.doc) as AlbumDocument, annotations: annotationOf(row.id) }));
};

/** Ids of the albums on which some artists are credited as album artists, by name and year, by artist. */
export const albumIdsByArtist = async (db: ReadDatabase, artistIds: ArrayLike<number>, viewer: Viewer): Promise<Map<number, number[]>> => {
  const rows = await db
    .selectFrom('library.album_artist as aa')
    .innerJoin('library.album as a', 'a.id', 'aa.album_id')
    .select(['a.id', 'aa.artist_id as ownerId'])
    .where(isOneOf(sql<number>`aa.artist_id`, artistIds))
    .where('a.song_count', '>', 0)
    .where(inVisibleCatalogs(viewer, sql`a.catalog_id`))
    .orderBy('aa.artist_id')
    .orderBy('a.name_sort')
    .orderBy('a.year')
    .orderBy('a.id')
    .execute();
  return grouped(rows);
};

/** An album's picture; null when it has none, undefined when there is no such album. */
export const albumArt = async (db: ReadDatabase, id: number, viewer: Viewer): Promise<string | null | undefined> => {
  const row = await db
    .selectFrom('library.album as a')
    .select(albumArtHash.as('hash'))
    .where('a.id', '=', id)
    .where(inVisibleCatalogs(viewer, sql`a.catalog_id`))
    .executeTakeFirst();
  return row?.hash;
};
