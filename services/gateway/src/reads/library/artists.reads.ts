import type { ArtistDocument } from '@continuo/contracts';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { visibleParts } from './artist-parts.reads.js';
import { isVisibleArtist } from '../visibility/artist-visibility.js';
import { inScope } from '../visibility/catalog-scope.reads.js';
import { ANNOTATED_AT_ONCE, annotationColumns, annotationsIn, annotationsOf, type Annotations } from '../people/annotations.reads.js';
import type { ReadDatabase } from '../database/database.js';
import { isOneOf } from '../database/id-condition.js';
import { foundArtistArt, withFoundArt } from '../art/found-art.reads.js';
import { inOrder } from '../songs/songs.reads.js';
import type { Viewer } from '../visibility/viewer.js';

/** An artist as the surfaces show it. Durations in milliseconds. */
export interface ArtistView {
  readonly id: number;
  readonly name: string;
  readonly prefix: string | null;
  readonly basename: string;
  readonly mbid: string | null;
  readonly albumCount: number;
  readonly songCount: number;
  readonly durationMs: number;
  readonly artHash: string | null;
  readonly doc: ArtistDocument;
  readonly annotations: Annotations;
}

const visible = (viewer: Viewer): RawBuilder<SqlBool> => isVisibleArtist(viewer, sql`a.id`);

/** Artists that a viewer may see, as they are shown to who sees every catalog. */
const visibleArtists = (db: ReadDatabase, viewer: Viewer) =>
  db
    .selectFrom('library.artist as a')
    .select(['a.id', 'a.name', 'a.prefix', 'a.basename', 'a.mbid', 'a.album_count as albumCount', 'a.song_count as songCount'])
    .select(['a.duration_ms as durationMs', 'a.art_hash as artHash', 'a.art_album_id as artAlbumId', 'a.doc'])
    .select(foundArtistArt.as('foundArtHash'))
    .where(visible(viewer));

/** A few artists with their annotations, in one statement. */
const annotatedArtists = async (db: ReadDatabase, wanted: RawBuilder<SqlBool>, viewer: Viewer) => {
  const rows = await visibleArtists(db, viewer)
    .select(annotationColumns(viewer, 'artist', sql<number>`a.id`))
    .where(wanted)
    .execute();
  return rows.map(({ flaggedAtMs, rating, averageRating, bookmarkMs, ...row }) => ({
    ...row,
    annotations: annotationsIn({ flaggedAtMs, rating, averageRating, bookmarkMs }),
  }));
};

/** Many artists, and beside them their annotations. */
const artistsAndAnnotations = async (db: ReadDatabase, wanted: RawBuilder<SqlBool>, viewer: Viewer, ids: ArrayLike<number>) => {
  const reading = visibleArtists(db, viewer).where(wanted).execute();
  const [rows, annotationOf] = await Promise.all([reading, annotationsOf(db, viewer, 'artist', ids)]);
  return rows.map((row) => ({ ...row, annotations: annotationOf(row.id) }));
};

/** Artists by id, in the order of the ids; what is gone or may not be seen is left out. */
export const artistsByIds = async (db: ReadDatabase, ids: ArrayLike<number>, viewer: Viewer): Promise<ArtistView[]> => {
  if (ids.length === 0) return [];
  const wanted = isOneOf(sql<number>`a.id`, ids);
  const reading = ids.length <= ANNOTATED_AT_ONCE ? annotatedArtists(db, wanted, viewer) : artistsAndAnnotations(db, wanted, viewer, ids);
  const rows = await visibleParts(db, await reading, viewer);
  return inOrder(ids, rows).map((row) => {
    const { artAlbumId: _, ...artist } = withFoundArt(row);
    return { ...artist, doc: artistDocument(artist.doc, viewer) };
  });
};

/** An artist's document, with the roles in what the viewer may see. @param text the document as the read model has it */
export const artistDocument = (text: string, { catalogs }: Pick<Viewer, 'catalogs'>): ArtistDocument => {
  const doc = JSON.parse(text) as ArtistDocument;
  if (catalogs === 'all' || !doc.roles) return doc;
  const seen = Object.entries(doc.roles).filter(([, ids]) => ids.some((id) => inScope(catalogs, id)));
  return { ...doc, roles: Object.fromEntries(seen) };
};

/** An artist's picture; null when there is none, undefined when there is no such artist. */
export const artistArt = async (db: ReadDatabase, id: number, viewer: Viewer): Promise<string | null | undefined> => {
  const row = await db
    .selectFrom('library.artist as a')
    .select([
      'a.id',
      'a.album_count as albumCount',
      'a.song_count as songCount',
      'a.duration_ms as durationMs',
      'a.art_hash as artHash',
      'a.art_album_id as artAlbumId',
      'a.doc',
      foundArtistArt.as('foundArtHash'),
    ])
    .where('a.id', '=', id)
    .where(visible(viewer))
    .executeTakeFirst();
  if (!row) return undefined;
  const [seen] = await visibleParts(db, [row], viewer);
  return seen && withFoundArt(seen).artHash;
};
