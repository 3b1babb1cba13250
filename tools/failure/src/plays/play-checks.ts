import { sql, type Kysely } from 'kysely';
import { equal, noneOf, type Finding } from '../checks/finding.js';
import { checkDeadLetters, checkRebuild } from '../checks/rebuild.js';
import type { Links } from '../cluster/cluster.js';
import { readLog } from '../log/read-log.js';
import type { PlayCount } from './play-ledger.js';
import { auditPlayLog, type PlayLog } from './play-log.js';

/** The projection of plays, and its stream. */
export const PLAYS = { projection: 'playback-plays', stream: 'EV_PLAYBACK' } as const;

/** Reads the counts of each user and song from the tables. */
export const countsInTables = async (db: Kysely<unknown>): Promise<PlayCount[]> => {
  const { rows } = await sql<PlayCount>`select user_id as "userId", song_id as "songId", play_count as plays, skip_count as skips
    from playback.user_song_plays`.execute(db);
  return rows;
};

const lineOf = ({ userId, songId, plays, skips }: PlayCount): string => `${userId}/${songId}: ${plays} plays, ${skips} skips`;

const againstLog = (tables: readonly PlayCount[], log: PlayLog): Finding[] => {
  const [inTables, inLog] = [new Set(tables.map(lineOf)), new Set(log.counts.map(lineOf))];
  return [
    noneOf('counts that the log does not give', [...inTables.difference(inLog)]),
    noneOf('counts of the log that are not in the tables', [...inLog.difference(inTables)]),
    noneOf('log: plays there twice', log.doubled),
    noneOf('log: skips of nothing', log.groundless),
    noneOf('log: atomic batches in part', log.partial),
  ];
};

/** The counts by song are the sums of those by user, and the history has every play and skip. */
const amongEachOther = async (db: Kysely<unknown>, log: PlayLog): Promise<Finding[]> => {
  const { rows: differing } = await sql<{ songId: number }>`
    select coalesce(s.song_id, u.song_id) as "songId" from playback.song_plays s
    full join (select song_id, sum(play_count) as plays, sum(skip_count) as skips, max(last_played_at_ms) as last from playback.user_song_plays group by 1) u
      on u.song_id = s.song_id
    where s.play_count is distinct from u.plays or s.skip_count is distinct from u.skips or s.last_played_at_ms is distinct from u.last`.execute(
    db,
  );
  const { rows: history } = await sql<{ entries: number }>`select count(*)::int as entries from playback.play`.execute(db);
  return [
    noneOf(
      'songs whose counts are not the sums of their listeners',
      differing.map(({ songId }) => String(songId)),
    ),
    equal('entries of the history = plays and skips of the log', history[0]?.entries ?? 0, log.plays),
  ];
};

/** Everything that must hold for the log and the tables of plays, whatever happened to them. */
export const checkPlays = async ({ nats, db }: Links): Promise<Finding[]> => {
  const log = await auditPlayLog(readLog(nats, PLAYS.stream));
  return [
    ...againstLog(await countsInTables(db), log),
    ...(await amongEachOther(db, log)),
    await checkDeadLetters(nats),
    await checkRebuild(nats, PLAYS.projection),
  ];
};
