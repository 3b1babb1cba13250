import type { PlayQueueRun } from '@continuo/contracts';
import type { ReadDatabase } from '../database/database.js';
import type { Viewer } from '../visibility/viewer.js';

/** The play queue that somebody saved last, as it was saved. */
export interface PlayQueueRecord {
  readonly runs: readonly PlayQueueRun[];
  /** Index in the whole queue, from 0. */
  readonly currentIndex: number;
  readonly positionMs: number;
  readonly client: string;
  /** Source, order and device of the queue in the client's own form. */
  readonly context: string | null;
  readonly changedAtMs: number;
}

/** The viewer's play queue; undefined when they never saved one. Whoever shows it leaves out what is gone or hidden. */
export const playQueueOf = async (db: ReadDatabase, viewer: Viewer): Promise<PlayQueueRecord | undefined> => {
  const row = await db
    .selectFrom('playback.play_queue')
    .select(['runs', 'current_index as currentIndex', 'position_ms as positionMs', 'client', 'context', 'changed_at_ms as changedAtMs'])
    .where('user_id', '=', viewer.userId)
    .executeTakeFirst();
  return row && { ...row, runs: JSON.parse(row.runs) as PlayQueueRun[] };
};
