import { sql } from 'kysely';
import type { ReadDatabase } from '../database/database.js';
import { randomIds } from './random-ids.js';
import { IdList, parseIds } from '../lists/id-list.js';
import { IdSet } from '../database/id-set.js';
import type { Condition } from '../lists/list-query.js';
import { gathered } from '../lists/list-statement.js';
import type { Lists } from '../lists/lists.js';
import { filterIds } from '../lists/overlay-order.js';
import type { Viewer } from '../visibility/viewer.js';

/** Selection of a generated list by the viewer's plays. */
export type GenerateMode = 'recent' | 'forgotten' | 'unplayed' | 'random';

/** Parameters of a generated list. */
export interface Generating {
  readonly mode: GenerateMode;
  /** In the words of the list of songs, see `kinds/song.ts`. */
  readonly where: readonly Condition[];
  /** Start of the recent period, epoch milliseconds. */
  readonly sinceMs: number;
  /** The most songs; all that there are when undefined. */
  readonly most: number | undefined;
}

const playedWhen = {
  recent: (sinceMs: number) => sql`and p.last_played_at_ms >= ${sinceMs}`,
  forgotten: (sinceMs: number) => sql`and p.last_played_at_ms < ${sinceMs}`,
  unplayed: () => sql``,
} as const;

/** Songs that the viewer played: lately, not lately, or ever. */
const playedSongs = async (db: ReadDatabase, mode: keyof typeof playedWhen, sinceMs: number, viewer: Viewer): Promise<IdSet> => {
  const statement = gathered(sql`select p.song_id as id from playback.user_song_plays p
    where p.user_id = ${viewer.userId} and p.play_count > 0 ${playedWhen[mode](sinceMs)}`);
  return new IdSet(parseIds((await statement.execute(db)).rows[0]?.ids ?? null));
};

/** A random selection of visible songs, another one each time. The songs that match are kept as lists are; what the viewer played is read each time. */
export const generatedSongs = async (
  { db, lists }: { readonly db: ReadDatabase; readonly lists: Lists },
  { mode, where, sinceMs, most }: Generating,
  viewer: Viewer,
): Promise<IdList> => {
  const { ids } = await lists.ids({ kind: 'song', where, sort: { name: 'id', descending: false } }, viewer);
  const left = mode === 'random' ? ids : filterIds(ids, await playedSongs(db, mode, sinceMs, viewer), mode !== 'unplayed');
  return new IdList(randomIds(left, most ?? left.length));
};
