import type { LoggedEvent } from '../log/read-log.js';
import type { PlayCount } from './play-ledger.js';

/** Totals of the playback service's log, computed without the product's own code. */
export interface PlayLog {
  readonly counts: readonly PlayCount[];
  /** Plays and skips in all. */
  readonly plays: number;
  /** The same song by the same client at the same time, more than once. */
  readonly doubled: readonly string[];
  /** Skips of plays that are not there. */
  readonly groundless: readonly string[];
  /** Atomic batches without their last event. */
  readonly partial: readonly string[];
}

interface Play {
  readonly userId: number;
  readonly songId: number;
  isSkipped: boolean;
}

const keyOf = ({ data }: LoggedEvent): string => [data['userId'], data['songId'], data['playedAtMs'], data['client']].join('/');

/** Adds up a log. */
export const auditPlayLog = async (events: AsyncIterable<LoggedEvent>): Promise<PlayLog> => {
  const plays = new Map<string, Play>();
  const [doubled, groundless]: [string[], string[]] = [[], []];
  const open = new Set<string>();
  for await (const event of events) {
    if (event.batch) {
      if (event.batch.commits) open.delete(event.batch.id);
      else open.add(event.batch.id);
    }
    const key = keyOf(event);
    if (event.type === 'SongPlayed') {
      if (plays.has(key)) doubled.push(key);
      plays.set(key, { userId: Number(event.data['userId']), songId: Number(event.data['songId']), isSkipped: false });
    }
    if (event.type === 'SongSkipped') {
      const play = plays.get(key);
      if (!play || play.isSkipped) groundless.push(key);
      else play.isSkipped = true;
    }
  }
  const byUserSong = Map.groupBy(plays.values(), ({ userId, songId }) => `${userId}/${songId}`);
  const counts = [...byUserSong.values()].map((all) => ({
    userId: all[0]?.userId ?? 0,
    songId: all[0]?.songId ?? 0,
    plays: all.filter(({ isSkipped }) => !isSkipped).length,
    skips: all.filter(({ isSkipped }) => isSkipped).length,
  }));
  return { counts, plays: plays.size, doubled, groundless, partial: [...open] };
};
