import { playableType } from '@continuo/contracts';
import { z } from 'zod';

/** A finished play of a song by a client's reports. Times in epoch milliseconds. */
const reportedPlay = z.object({ songId: z.int().positive(), startedAtMs: z.int().nonnegative(), endedAtMs: z.int().nonnegative() });

/** Playback states that clients report. */
export const playingState = z.enum(['starting', 'playing', 'paused', 'stopped']);
export type PlayingState = z.infer<typeof playingState>;

/** Playback session of one client of an account. Times in epoch milliseconds. */
export const playingSession = z.object({
  userId: z.int().positive(),
  client: z.string(),
  objectType: playableType,
  objectId: z.int().positive(),
  /** 0 when it is unknown. */
  durationMs: z.int().nonnegative(),
  state: playingState,
  /** Position at `atMs`. */
  positionMs: z.number().nonnegative(),
  atMs: z.int().nonnegative(),
  /** Milliseconds of media per millisecond of time. */
  rate: z.number().positive(),
  /** Start of the play; before it starts, time of the first report. */
  startedAtMs: z.int().nonnegative(),
  /** Media time heard until `atMs`. */
  heardMs: z.number().nonnegative(),
  /** True when the last report asked that nothing be counted. */
  isUncounted: z.boolean(),
  /** True for playback reports, which include the end; false for announcements of a start only. */
  isReported: z.boolean(),
  /** The previous counted play. */
  before: reportedPlay.optional(),
});
export type PlayingSession = z.infer<typeof playingSession>;

/** One report of a client. */
export type PlaybackReport = Pick<
  PlayingSession,
  'userId' | 'client' | 'objectType' | 'objectId' | 'durationMs' | 'state' | 'positionMs' | 'rate' | 'isUncounted'
>;

/** Result of a report. */
export interface Reported {
  /** Next session; absent when the report changes nothing. */
  readonly next?: PlayingSession;
  /** Session that the report ended. */
  readonly ended?: PlayingSession;
  /** True when the client plays something that it did not before. */
  readonly isNew: boolean;
}

/** Time that a reported session is shown after its expected end. */
const SHOWN_AFTER_END_MS = 30 * 60_000;
/** Time that a client counts as reporting after a report. */
const REPORTING_MS = 60 * 60_000;
/** Reports that differ less from the expected position change nothing: players round, networks are slow. */
const TOLERANCE_MS = 2000;
/** An unchanged session is written again after this time, so that it does not expire. */
const REFRESH_MS = 5 * 60_000;
/** Tolerance for clocks of players and servers, and for rounded lengths. */
const CLOCK_TOLERANCE_MS = 30_000;
/** A session without a report for so long after its end counts as abandoned: nobody knows whether it was heard. */
const ABANDONED_AFTER_MS = 60_000;
/** A play counts after half of the song, at most four minutes, as scrobbling services define it. */
const ENOUGH_PART = 0.5;
const ENOUGH_MS = 4 * 60_000;
/** The same for media of unknown length. */
const ENOUGH_OF_UNKNOWN_MS = 30_000;

/** More heard time than this multiple of the length means that the song repeats. */
const REPEAT_FACTOR = 1.25;

const bounded = (positionMs: number, durationMs: number): number => (durationMs > 0 ? Math.min(positionMs, durationMs) : positionMs);

const progressMs = ({ state, atMs, rate }: PlayingSession, nowMs: number): number =>
  state === 'playing' ? Math.max(0, nowMs - atMs) * rate : 0;

/** Expected position, milliseconds from the beginning. */
export const positionAt = (session: PlayingSession, nowMs: number): number =>
  Math.round(bounded(session.positionMs + progressMs(session, nowMs), session.durationMs));

/** Expected end. */
export const endsAtMs = ({ atMs, durationMs, positionMs, rate }: PlayingSession): number =>
  atMs + Math.ceil(Math.max(0, durationMs - positionMs) / rate);

const shownUntilMs = (session: PlayingSession): number => endsAtMs(session) + (session.isReported ? SHOWN_AFTER_END_MS : 0);

/** True while it is shown as playing. */
export const isLive = (session: PlayingSession, nowMs: number): boolean => session.state !== 'stopped' && nowMs < shownUntilMs(session);

/** True while the client counts as reporting its playback. */
export const isReporting = (session: PlayingSession, nowMs: number): boolean =>
  nowMs < session.atMs + REPORTING_MS || isLive(session, nowMs);

/** True when enough of it was heard to count as a play. */
export const isEnough = ({ heardMs, durationMs }: Pick<PlayingSession, 'heardMs' | 'durationMs'>): boolean =>
  heardMs >= (durationMs > 0 ? Math.min(durationMs * ENOUGH_PART, ENOUGH_MS) : ENOUGH_OF_UNKNOWN_MS);

const isAbandoned = (known: PlayingSession, nowMs: number): boolean =>
  known.state === 'playing' && nowMs > endsAtMs(known) + ABANDONED_AFTER_MS;

/**
 * Media time heard since the last report. Limited by the reported position, because a client that slept heard nothing; after a jump back only
 * the elapsed time counts.
 */
const heardSince = (known: PlayingSession, nowMs: number, positionMs: number): number => {
  const byTime = Math.min(progressMs(known, nowMs), known.durationMs > 0 ? Math.max(0, known.durationMs - known.positionMs) : Infinity);
  const moved = positionMs - known.positionMs;
  if (moved > 0) return Math.min(byTime, moved);
  return isAbandoned(known, nowMs) ? 0 : byTime;
};

const stoppedSession = (known: PlayingSession, nowMs: number, positionMs: number): PlayingSession => ({
  ...known,
  heardMs: known.heardMs + heardSince(known, nowMs, positionMs),
  positionMs: bounded(positionMs, known.durationMs),
  state: 'stopped',
  atMs: nowMs,
});

/** A session replaced by another one was heard until now, unless it was abandoned. */
const replacedSession = (known: PlayingSession, nowMs: number): PlayingSession => {
  return stoppedSession(known, nowMs, isAbandoned(known, nowMs) ? known.positionMs : positionAt(known, nowMs));
};

const newSession = (report: PlaybackReport, nowMs: number): PlayingSession => ({
  ...report,
  positionMs: bounded(report.positionMs, report.durationMs),
  atMs: nowMs,
  startedAtMs: nowMs,
  heardMs: 0,
  isReported: true,
});

const isOfSame = (known: PlayingSession, report: Pick<PlayingSession, 'objectType' | 'objectId'>): boolean =>
  known.objectType === report.objectType && known.objectId === report.objectId;

const isUnchanged = (known: PlayingSession, report: PlaybackReport, nowMs: number): boolean =>
  known.state === report.state &&
  known.rate === report.rate &&
  known.isUncounted === report.isUncounted &&
  Math.abs(positionAt(known, nowMs) - bounded(report.positionMs, report.durationMs)) <= TOLERANCE_MS &&
  (known.state === 'playing' ? nowMs < endsAtMs(known) : nowMs - known.atMs < REFRESH_MS);

const continueSession = (known: PlayingSession, report: PlaybackReport, nowMs: number): Reported => {
  if (isUnchanged(known, report, nowMs)) return { isNew: false };
  const begins = known.state === 'starting' && known.heardMs === 0 && report.state === 'playing';
  const next = {
    ...newSession(report, nowMs),
    startedAtMs: begins ? nowMs : known.startedAtMs,
    heardMs: known.heardMs + heardSince(known, nowMs, report.positionMs),
  };
  return { next, isNew: false };
};

/** End of a session without a known start: the reported position is the heard time. */
const endOfUnknown = (report: PlaybackReport, nowMs: number): PlayingSession => {
  const positionMs = bounded(report.positionMs, report.durationMs);
  return { ...newSession(report, nowMs), startedAtMs: Math.max(0, Math.round(nowMs - positionMs / report.rate)), heardMs: positionMs };
};

const stopSession = (known: PlayingSession | undefined, report: PlaybackReport, nowMs: number): Reported => {
  if (known && isOfSame(known, report) && known.isReported) {
    if (known.state === 'stopped') return { isNew: false };
    const ended = { ...stoppedSession(known, nowMs, report.positionMs), isUncounted: report.isUncounted };
    return { next: ended, ended, isNew: false };
  }
  const ended = endOfUnknown(report, nowMs);
  // Another session goes on; the reported one ended when that began.
  return known && isLive(known, nowMs) && !isOfSame(known, report) ? { ended, isNew: false } : { next: ended, ended, isNew: false };
};

const applyReport = (known: PlayingSession | undefined, report: PlaybackReport, nowMs: number): Reported => {
  if (report.state === 'stopped') return stopSession(known, report, nowMs);
  const live = known && isLive(known, nowMs) ? known : undefined;
  if (live?.isReported && isOfSame(live, report)) {
    if (report.state !== 'starting') return continueSession(live, report, nowMs);
    if (live.state === 'starting')
      return isUnchanged(live, report, nowMs) ? { isNew: false } : { next: newSession(report, nowMs), isNew: false };
  }
  return { next: newSession(report, nowMs), ...(live?.isReported ? { ended: replacedSession(live, nowMs) } : {}), isNew: true };
};

/** True for a reported play of a song that counts. */
const isCountedPlay = (session: PlayingSession): boolean =>
  session.isReported && !session.isUncounted && session.objectType === 'song' && isEnough(session);

/** The play before that of `next`, which clients may still scrobble after another one has begun. */
const playBefore = (known: PlayingSession, { next, ended }: Reported): PlayingSession['before'] => {
  if (next && isOfSame(known, next) && known.startedAtMs === next.startedAtMs) return known.before;
  const last = ended && isOfSame(known, ended) && ended.startedAtMs === known.startedAtMs ? ended : known;
  return isCountedPlay(last) ? { songId: last.objectId, startedAtMs: last.startedAtMs, endedAtMs: last.atMs } : known.before;
};

/**
 * Applies a report to the session of its client. `starting` opens a session with a stopped clock, also for the same song again; `playing`
 * starts the clock, `paused` stops it, `stopped` ends the session. Another medium ends it as well.
 */
export const afterReport = (known: PlayingSession | undefined, report: PlaybackReport, nowMs: number): Reported => {
  const outcome = applyReport(known, report, nowMs);
  const before = known && playBefore(known, outcome);
  return outcome.next && before ? { ...outcome, next: { ...outcome.next, before } } : outcome;
};

/** Session of a client that only announces what it starts; undefined while it sends reports. */
export const afterAnnouncement = (
  known: PlayingSession | undefined,
  playing: Pick<PlayingSession, 'userId' | 'client' | 'objectType' | 'objectId' | 'durationMs'>,
  nowMs: number,
): PlayingSession | undefined =>
  known?.isReported && isLive(known, nowMs)
    ? undefined
    : { ...newSession({ ...playing, state: 'playing', positionMs: 0, rate: 1, isUncounted: true }, nowMs), isReported: false };

/** The present or last play of a song that reports will count; undefined while the song repeats. */
const presentPlay = (known: PlayingSession, nowMs: number): PlayingSession['before'] => {
  if (!known.isReported || known.isUncounted || known.objectType !== 'song') return undefined;
  const heardMs = known.heardMs + heardSince(known, nowMs, positionAt(known, nowMs));
  if (known.durationMs > 0 && heardMs > known.durationMs * REPEAT_FACTOR) return undefined;
  const endedAtMs = known.state === 'stopped' ? known.atMs : isLive(known, nowMs) ? nowMs : endsAtMs(known);
  return { songId: known.objectId, startedAtMs: known.startedAtMs, endedAtMs };
};

/**
 * Start of the play that a scrobble refers to; undefined when no counted play of the client matches. The scrobble's time may be any moment of
 * the play; without one it is now. Compares heard time, because pauses make a play longer than its song.
 */
export const reportedStart = (
  known: PlayingSession | undefined,
  { songId, saidMs }: { readonly songId: number; readonly saidMs?: number | undefined },
  nowMs: number,
): number | undefined => {
  if (!known) return undefined;
  const slackMs = saidMs === undefined ? ABANDONED_AFTER_MS : CLOCK_TOLERANCE_MS;
  const atMs = saidMs ?? nowMs;
  const present = presentPlay(known, nowMs);
  // A time between two plays of the same song is the end of the first: the second is counted by its own end.
  const plays = saidMs === undefined ? [present, known.before] : [known.before, present];
  return plays.find((play) => play?.songId === songId && atMs >= play.startedAtMs - slackMs && atMs <= play.endedAtMs + slackMs)
    ?.startedAtMs;
};
