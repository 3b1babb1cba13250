import { sql } from 'kysely';
import type { ReadDatabase } from '../database/database.js';
import { isOneOf } from '../database/id-condition.js';

/** Plays of all accounts, and the last one in epoch milliseconds. */
export interface MediaPlays {
  readonly playCount: number;
  readonly lastPlayedAtMs: number | null;
}

const NEVER: MediaPlays = { playCount: 0, lastPlayedAtMs: null };

/** Plays of videos or episodes: one statement whatever their number. */
export const mediaPlays = async (
  db: ReadDatabase,
  objectType: 'video' | 'podcast_episode',
  ids: ArrayLike<number>,
): Promise<(id: number) => MediaPlays> => {
  const rows = await db
    .selectFrom('playback.media_plays')
    .select((eb) => [
      'object_id as id',
      eb.cast<number>(eb.fn.sum('play_count'), 'integer').as('playCount'),
      eb.fn.max('last_played_at_ms').as('lastPlayedAtMs'),
    ])
    .where('object_type', '=', objectType)
    .where(isOneOf(sql<number>`object_id`, ids))
    .groupBy('object_id')
    .execute();
  const plays = new Map(rows.map(({ id, playCount, lastPlayedAtMs }) => [id, { playCount, lastPlayedAtMs }]));
  return (id) => plays.get(id) ?? NEVER;
};
