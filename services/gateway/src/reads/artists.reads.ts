import type { ArtistDocument } from '@continuo/contracts';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { visibleParts } from './artist-parts.reads.js';
import { isVisibleArtist } from './artist-visibility.js';
import { inScope } from './catalog-scope.reads.js';
import { annotationsOf, type Annotations } from './annotations.reads.js';
import type { ReadDatabase } from './database.js';
import { withFoundArt } from './found-art.reads.js';
import { inOrder } from './songs.reads.js';
import type { Viewer } from './viewer.js';

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

/** Artists by id, in the order of the ids; what is gone or may not be seen is left out. */
export const artistsByIds = async (db: ReadDatabase, ids: ArrayLike<number>, viewer: Viewer): Promise<ArtistView[]> => {
  if (ids.length === 0) return [];
  const reading = db
    .selectFrom('library.artist as a')
    .select(['a.id', 'a.name', 'a.prefix', 'a.basename', 'a.mbid', 'a.album_count as albumCount', 'a.song_count as songCount'])
    .select(['a.duration_ms as durationMs', 'a.art_hash as artHash', 'a.art_album_id as artAlbumId', 'a.doc'])
    .where(sql<boolean>`a.id = any(${Array.from(ids)}::int[])`)
    .where(visible(viewer))
    .execute();
  const [rows, annotationOf] = await Promise.all([reading, annotationsOf(db, viewer, 'artist', ids)]);
  const shown = await withFoundArt(db, await visibleParts(db, rows, viewer));
  return inOrder(ids, shown).map(({ artAlbumId: _, ...row }) => ({
    ...row,
    doc: artistDocument(row.doc, viewer),
    annotations: annotationOf(row.id),
  }));
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
    ])
    .where('a.id', '=', id)
    .where(visible(viewer))
    .executeTakeFirst();
  if (!row) return undefined;
  const [seen] = await withFoundArt(db, await visibleParts(db, [row], viewer));
  return seen?.artHash;
};
