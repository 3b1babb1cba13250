import type { AlbumDocument } from '@continuo/contracts';
import { sql, type RawBuilder } from 'kysely';
import { annotationsOf, type Annotations } from '../people/annotations.reads.js';
import type { ReadDatabase } from '../database/database.js';
import { albumArtHash } from '../art/found-art.reads.js';
import { inOrder } from '../songs/songs.reads.js';
import { inVisibleCatalogs, type Viewer } from '../visibility/viewer.js';
import { isOneOf } from '../database/id-condition.js';

/** Disks of an album beyond this number share its last disk id (`albumDiskIdOf`). */
export const DISK_IDS = 256;

/** The disk id of a song, as `albumDiskIdOf` gives it. */
export const diskIdOf = (song: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(${song}.album_id * ${sql.lit(DISK_IDS)} + least(${song}.disk, ${sql.lit(DISK_IDS - 1)}))`;

/** A disk of an album with what it takes from the album. Durations in milliseconds. */
export interface AlbumDiskView {
  readonly id: number;
  readonly catalogId: number;
  readonly disk: number;
  readonly subtitle: string | null;
  readonly songCount: number;
  readonly durationMs: number;
  readonly album: {
    readonly id: number;
    readonly name: string;
    readonly prefix: string | null;
    readonly basename: string;
    readonly year: number;
    readonly releaseType: string | null;
    readonly mbid: string | null;
    readonly mbidGroup: string | null;
    /** The picture that stands for the disk, which has none of its own. */
    readonly artHash: string | null;
    readonly doc: AlbumDocument;
  };
  readonly annotations: Annotations;
}

/** Disks by id, in the order of the ids; what is gone or may not be seen is left out. */
export const albumDisksByIds = async (db: ReadDatabase, ids: ArrayLike<number>, viewer: Viewer): Promise<AlbumDiskView[]> => {
  if (ids.length === 0) return [];
  const reading = db
    .selectFrom('library.album_disk as d')
    .innerJoin('library.album as a', 'a.id', 'd.album_id')
    .select(['d.id', 'd.catalog_id as catalogId', 'd.disk', 'd.subtitle', 'd.song_count as songCount', 'd.duration_ms as durationMs'])
    .select(['a.id as albumId', 'a.name', 'a.prefix', 'a.basename', 'a.year', 'a.release_type as releaseType', 'a.mbid'])
    .select(['a.mbid_group as mbidGroup', albumArtHash.as('artHash'), 'a.doc'])
    .where(isOneOf(sql<number>`d.id`, ids))
    .where(inVisibleCatalogs(viewer, sql`d.catalog_id`))
    .execute();
  const [rows, annotationOf] = await Promise.all([reading, annotationsOf(db, viewer, 'album_disk', ids)]);
  return inOrder(ids, rows).map(({ albumId, name, prefix, basename, year, releaseType, mbid, mbidGroup, artHash, doc, ...disk }) => ({
    ...disk,
    album: { id: albumId, name, prefix, basename, year, releaseType, mbid, mbidGroup, artHash, doc: JSON.parse(doc) as AlbumDocument },
    annotations: annotationOf(disk.id),
  }));
};

/** The picture of a disk, which is its album's; null when there is none, undefined when there is no such disk. */
export const albumDiskArt = async (db: ReadDatabase, id: number, viewer: Viewer): Promise<string | null | undefined> => {
  const row = await db
    .selectFrom('library.album_disk as d')
    .innerJoin('library.album as a', 'a.id', 'd.album_id')
    .select(albumArtHash.as('hash'))
    .where('d.id', '=', id)
    .where(inVisibleCatalogs(viewer, sql`d.catalog_id`))
    .executeTakeFirst();
  return row?.hash;
};
