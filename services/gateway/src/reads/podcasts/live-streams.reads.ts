import { sql } from 'kysely';
import type { ReadDatabase } from '../database/database.js';
import { inOrder } from '../songs/songs.reads.js';
import { inVisibleCatalogs, type Viewer } from '../visibility/viewer.js';
import { isOneOf } from '../database/id-condition.js';

/** A radio station. */
export interface LiveStreamView {
  readonly id: number;
  readonly catalogId: number;
  readonly name: string;
  /** Stream URL. */
  readonly url: string;
  readonly siteUrl: string | null;
  /** Codec, when known. */
  readonly codec: string | null;
  /** Current title; null when the station does not report it. Absent when not asked. */
  readonly nowPlaying?: string | null | undefined;
}

/** Stations by id, in the order of the ids; what is gone or may not be seen is left out. */
export const liveStreamsByIds = async (db: ReadDatabase, ids: ArrayLike<number>, viewer: Viewer): Promise<LiveStreamView[]> => {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('library.live_stream as r')
    .select(['r.id', 'r.catalog_id as catalogId', 'r.name', 'r.url', 'r.site_url as siteUrl', 'r.codec'])
    .where(isOneOf(sql<number>`r.id`, ids))
    .where(inVisibleCatalogs(viewer, sql`r.catalog_id`))
    .execute();
  return inOrder(ids, rows);
};

/** The picture of a station: none is kept. Undefined when there is no such station for the viewer. */
export const liveStreamArt = async (db: ReadDatabase, id: number, viewer: Viewer): Promise<null | undefined> =>
  (await liveStreamsByIds(db, [id], viewer)).length > 0 ? null : undefined;
