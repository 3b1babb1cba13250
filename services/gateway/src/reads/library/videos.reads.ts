import type { VideoDocument } from '@continuo/contracts';
import { sql } from 'kysely';
import type { StreamRules } from '../../transcode/decision/stream-rules.js';
import type { VideoFacts } from '../../transcode/decision/video/decide-video.js';
import { annotationsOf, type Annotations } from '../people/annotations.reads.js';
import type { ReadDatabase } from '../database/database.js';
import { mediaPlays } from '../plays/media-plays.reads.js';
import { inOrder, type SongFile } from '../songs/songs.reads.js';
import { inVisibleCatalogs, type Viewer } from '../visibility/viewer.js';
import { isOneOf } from '../database/id-condition.js';

/** A video with what differs by user. */
export interface VideoView {
  readonly id: number;
  readonly catalogId: number;
  readonly folderId: number;
  readonly fileName: string;
  /** Relative to the catalog's root. */
  readonly path: string;
  /** Absolute real path of the video's catalog. */
  readonly catalogPath: string;
  readonly title: string;
  /** Usual file suffix, without the dot. */
  readonly format: string;
  readonly mime: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly durationMs: number;
  readonly bitrateBps: number;
  readonly sizeBytes: number;
  readonly releaseDate: string | null;
  /** When the video came into the library, epoch milliseconds. */
  readonly addedAtMs: number;
  readonly doc: VideoDocument;
  readonly annotations: Annotations;
  /** Plays of all accounts. */
  readonly playCount: number;
  readonly lastPlayedAtMs: number | null;
  /** Stream rules of the viewer. */
  readonly streams?: StreamRules | undefined;
}

/** Videos by id, in the order of the ids; what is gone or may not be seen is left out. */
export const videosByIds = async (db: ReadDatabase, ids: ArrayLike<number>, viewer: Viewer): Promise<VideoView[]> => {
  if (ids.length === 0) return [];
  const reading = db
    .selectFrom('library.video as v')
    .innerJoin('library.catalog as c', 'c.id', 'v.catalog_id')
    .select(['v.id', 'v.catalog_id as catalogId', 'v.folder_id as folderId', 'v.file_name as fileName', 'v.path', 'c.path as catalogPath'])
    .select(['v.title', 'v.format', 'v.mime', 'v.width_px as widthPx', 'v.height_px as heightPx', 'v.duration_ms as durationMs'])
    .select(['v.bitrate_bps as bitrateBps', 'v.size_bytes as sizeBytes', 'v.release_date as releaseDate', 'v.added_at_ms as addedAtMs'])
    .select('v.doc')
    .where(isOneOf(sql<number>`v.id`, ids))
    .where(inVisibleCatalogs(viewer, sql`v.catalog_id`))
    .execute();
  const [rows, annotationOf, playsOf] = await Promise.all([reading, annotationsOf(db, viewer, 'video', ids), mediaPlays(db, 'video', ids)]);
  return inOrder(ids, rows).map((row) => ({
    ...row,
    doc: JSON.parse(row.doc) as VideoDocument,
    annotations: annotationOf(row.id),
    ...playsOf(row.id),
    streams: viewer.streams,
  }));
};

/** Returns the properties of a video for stream decisions. */
export const videoFacts = (video: Pick<VideoView, 'format' | 'widthPx' | 'heightPx' | 'bitrateBps' | 'durationMs' | 'doc'>): VideoFacts => {
  const { format, widthPx, heightPx, bitrateBps, durationMs, doc } = video;
  const { sampleRateHz, channels, audioTracks = [], captions = [] } = doc;
  return { format, widthPx, heightPx, bitrateBps, durationMs, sampleRateHz, channels, audioTracks: audioTracks.length, captions };
};

/** The file behind a video; undefined when there is no such video for the viewer. One narrow statement: every segment of a stream asks for it. */
export const videoFile = async (db: ReadDatabase, id: number, viewer: Viewer): Promise<SongFile | undefined> => {
  const video = await db
    .selectFrom('library.video as v')
    .innerJoin('library.catalog as c', 'c.id', 'v.catalog_id')
    .select(['v.path', 'c.path as catalogPath', 'v.title', 'v.format', 'v.mime', 'v.duration_ms as durationMs', 'v.doc'])
    .select(['v.width_px as widthPx', 'v.height_px as heightPx', 'v.bitrate_bps as bitrateBps'])
    .where('v.id', '=', id)
    .where(inVisibleCatalogs(viewer, sql`v.catalog_id`))
    .executeTakeFirst();
  if (!video) return undefined;
  const { catalogPath, path, mime, durationMs, format, title } = video;
  const facts = videoFacts({ ...video, doc: JSON.parse(video.doc) as VideoDocument });
  return { id, catalogPath, path, mime, durationMs, format, title, artist: '', video: facts };
};

/** The picture of a video: none is kept yet. Undefined when there is no such video for the viewer. */
export const videoArt = async (db: ReadDatabase, id: number, viewer: Viewer): Promise<null | undefined> =>
  (await videosByIds(db, [id], viewer)).length > 0 ? null : undefined;

/** A random video of all of them; undefined when the viewer sees none. It starts at a random key, which an index gives. */
export const randomVideo = async (db: ReadDatabase, viewer: Viewer): Promise<number | undefined> => {
  const start = Math.random();
  const one = (from: boolean) => sql`(select v.id, v.random_key from library.video v
    where v.random_key ${from ? sql`>=` : sql`<`} ${start} and ${inVisibleCatalogs(viewer, sql`v.catalog_id`)} order by v.random_key limit 1)`;
  const { rows } = await sql<{ id: number }>`select x.id from (${one(true)} union all ${one(false)}) x limit 1`.execute(db);
  return rows[0]?.id;
};

/** Deleted video. Times in epoch milliseconds. */
export interface DeletedVideoView {
  readonly id: number;
  readonly catalogId: number;
  readonly title: string;
  readonly file: string;
  readonly addedAtMs: number;
  readonly deletedAtMs: number;
}

/** Videos that are gone by id, in the order of the ids; those of catalogs that the viewer may not see are left out. */
export const deletedVideosByIds = async (db: ReadDatabase, ids: ArrayLike<number>, viewer: Viewer): Promise<DeletedVideoView[]> => {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('library.deleted_video as d')
    .select([
      'd.video_id as id',
      'd.catalog_id as catalogId',
      'd.title',
      'd.file',
      'd.added_at_ms as addedAtMs',
      'd.deleted_at_ms as deletedAtMs',
    ])
    .where(isOneOf(sql<number>`d.video_id`, ids))
    .where(inVisibleCatalogs(viewer, sql`d.catalog_id`))
    .execute();
  return inOrder(ids, rows);
};
