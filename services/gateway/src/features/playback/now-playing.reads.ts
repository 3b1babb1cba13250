import { sql, type RawBuilder } from 'kysely';
import { endsAtMs, isLive, positionAt, type PlayingSession, type PlayingState } from './playing-session.js';
import type { ReadDatabase } from '../../reads/database/database.js';
import { inVisibleCatalogs, type Viewer } from '../../reads/visibility/viewer.js';

/** Current playback of a client. */
export interface NowPlayingView {
  readonly objectType: string;
  readonly objectId: number;
  readonly client: string;
  readonly startedAtMs: number;
  /** When it ends by itself. */
  readonly expiresAtMs: number;
  readonly userId: number;
  readonly username: string;
  readonly state: PlayingState;
  /** Current position; the time since the start for clients that do not report it, whatever the duration. */
  readonly positionMs: number;
  readonly playbackRate: number;
}

/** Accounts and time of a query. */
export interface NowPlayingQuery {
  readonly nowMs: number;
  /** One account's alone. */
  readonly userId?: number;
  /** Playback that clients report; it takes precedence over the log. */
  readonly sessions?: readonly PlayingSession[];
  /** Videos are shown where there are any. */
  readonly videos?: boolean;
  /** And so are episodes of podcasts. */
  readonly episodes?: boolean;
}

/** As many as are ever shown. */
const MOST = 5000;
/** A client begins and says so at nearly the same time. */
const AT_ONCE_MS = 5000;

/** The condition that `n` is a thing that the viewer may see: a song, or a video or an episode where there are any. */
const isShown = (viewer: Viewer, { videos = false, episodes = false }: Pick<NowPlayingQuery, 'videos' | 'episodes'>) => {
  const seenIn = (table: RawBuilder<unknown>): RawBuilder<unknown> =>
    sql`exists (select from ${table} o where o.id = n.object_id and ${inVisibleCatalogs(viewer, sql`o.catalog_id`)})`;
  return sql<boolean>`case n.object_type when 'song' then ${seenIn(sql`library.song`)}
    when 'video' then ${videos ? seenIn(sql`library.video`) : sql`false`}
    when 'podcast_episode' then ${episodes ? seenIn(sql`library.podcast_episode`) : sql`false`} else false end`;
};

/** Reads playback from the log, for clients that report nothing. */
const fromLog = async (db: ReadDatabase, viewer: Viewer, { nowMs, userId, ...kinds }: NowPlayingQuery): Promise<NowPlayingView[]> => {
  const query = db
    .selectFrom('playback.now_playing as n')
    .innerJoin('social.user as u', 'u.id', 'n.user_id')
    .select(['n.object_type as objectType', 'n.object_id as objectId', 'n.client', 'n.started_at_ms as startedAtMs'])
    .select(['n.expires_at_ms as expiresAtMs', 'u.id as userId', 'u.username'])
    .where('n.expires_at_ms', '>', nowMs)
    .where(isShown(viewer, kinds))
    .orderBy('n.started_at_ms', 'desc')
    .orderBy('n.user_id')
    .orderBy('n.client')
    .limit(MOST);
  const rows = await (userId === undefined ? query : query.where('n.user_id', '=', userId)).execute();
  return rows.map((row) => ({ ...row, state: 'playing', positionMs: Math.max(0, nowMs - row.startedAtMs), playbackRate: 1 }));
};

const viewOf = (session: PlayingSession, username: string, nowMs: number): NowPlayingView => {
  const { objectType, objectId, client, startedAtMs, userId, state, rate } = session;
  const positionMs = positionAt(session, nowMs);
  // Whoever stands still ends so much later.
  const expiresAtMs = state === 'playing' ? endsAtMs(session) : endsAtMs({ ...session, atMs: nowMs, positionMs });
  return { objectType, objectId, client, startedAtMs, expiresAtMs, userId, username, state, positionMs, playbackRate: rate };
};

/** The sessions that the viewer may see. */
const fromClients = async (
  db: ReadDatabase,
  viewer: Viewer,
  { nowMs, sessions = [], ...kinds }: NowPlayingQuery,
): Promise<NowPlayingView[]> => {
  const live = sessions
    .filter((one) => isLive(one, nowMs))
    .toSorted((a, b) => b.startedAtMs - a.startedAtMs)
    .slice(0, MOST);
  if (live.length === 0) return [];
  const column = <T>(of: (one: PlayingSession) => T): T[] => live.map(of);
  const { rows } = await sql<{ place: number; username: string }>`
    select n.place::int as place, u.username
    from unnest(${column((one) => one.userId)}::int[], ${column((one) => one.objectType)}::text[], ${column((one) => one.objectId)}::int[])
      with ordinality as n (user_id, object_type, object_id, place)
    join social."user" u on u.id = n.user_id
    where ${isShown(viewer, kinds)}`.execute(db);
  return rows.flatMap(({ place, username }) => {
    const session = live[place - 1];
    return session ? [viewOf(session, username, nowMs)] : [];
  });
};

const byStart = (one: NowPlayingView, other: NowPlayingView): number =>
  other.startedAtMs - one.startedAtMs || one.userId - other.userId || (one.client < other.client ? -1 : Number(one.client > other.client));

/**
 * Reads what is playing, the latest start first: songs, videos and episodes that the viewer may see, of everybody or of one account. Where a client says itself what it
 * does, that is shown, unless the log knows of something that it began later.
 */
export const nowPlaying = async (db: ReadDatabase, viewer: Viewer, query: NowPlayingQuery): Promise<NowPlayingView[]> => {
  const [logged, said] = await Promise.all([fromLog(db, viewer, query), fromClients(db, viewer, query)]);
  const keyOf = ({ userId, client }: { userId: number; client: string }): string => `${userId}/${client}`;
  const saidAt = new Map((query.sessions ?? []).map((one) => [keyOf(one), one.atMs]));
  const unsaid = logged.filter((view) => view.startedAtMs > (saidAt.get(keyOf(view)) ?? -Infinity) + AT_ONCE_MS);
  const later = new Set(unsaid.map(keyOf));
  return [...unsaid, ...said.filter((view) => !later.has(keyOf(view)))].toSorted(byStart).slice(0, MOST);
};
