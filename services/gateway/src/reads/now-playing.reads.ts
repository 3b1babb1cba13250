import { sql } from 'kysely';
import type { ReadDatabase } from './database.js';
import { inVisibleCatalogs, type Viewer } from './viewer.js';

/** What a client of somebody plays. */
export interface NowPlayingView {
  readonly objectType: string;
  readonly objectId: number;
  readonly client: string;
  readonly startedAtMs: number;
  /** When it ends by itself. */
  readonly expiresAtMs: number;
  readonly userId: number;
  readonly username: string;
}

/** As many as are ever shown. */
const MOST = 5000;

/** What is playing at `nowMs`, the latest start first: songs that the viewer may see, of everybody or of one account. */
export const nowPlaying = (
  db: ReadDatabase,
  viewer: Viewer,
  { nowMs, userId }: { readonly nowMs: number; readonly userId?: number },
): Promise<NowPlayingView[]> => {
  const query = db
    .selectFrom('playback.now_playing as n')
    .innerJoin('social.user as u', 'u.id', 'n.user_id')
    .innerJoin('library.song as s', 's.id', 'n.object_id')
    .select(['n.object_type as objectType', 'n.object_id as objectId', 'n.client', 'n.started_at_ms as startedAtMs'])
    .select(['n.expires_at_ms as expiresAtMs', 'u.id as userId', 'u.username'])
    .where('n.expires_at_ms', '>', nowMs)
    .where('n.object_type', '=', 'song')
    .where(inVisibleCatalogs(viewer, sql`s.catalog_id`))
    .orderBy('n.started_at_ms', 'desc')
    .orderBy('n.user_id')
    .orderBy('n.client')
    .limit(MOST);
  return (userId === undefined ? query : query.where('n.user_id', '=', userId)).execute();
};
