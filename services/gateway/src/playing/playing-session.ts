import { playableType } from '@continuo/contracts';
import { z } from 'zod';

/** A play of a song that a client's reports have told to its end. Times in epoch milliseconds. */
const reportedPlay = z.object({ songId: z.int().positive(), startedAtMs: z.int().nonnegative(), endedAtMs: z.int().nonnegative() });

/** What a client says that it does. */
export const playingState = z.enum(['starting', 'playing', 'paused', 'stopped']);
export type PlayingState = z.infer<typeof playingState>;

/** What one client of an account says of what it plays. Times in epoch milliseconds. */
export const playingSession = z.object({
  userId: z.int().positive(),
  client: z.string(),
  objectType: playableType,
  objectId: z.int().positive(),
  /** 0 when it is unknown. */
  durationMs: z.int().nonnegative(),
  state: playingState,
  /** Where the client was at `atMs`. */
  positionMs: z.number().nonnegative(),
  atMs: z.int().nonnegative(),
  /** Milliseconds of media per millisecond of time. */
  rate: z.number().positive(),
  /** When it began to play; until it does, when the client came with it. */
  startedAtMs: z.int().nonnegative(),
  /** How much of the media was heard until `atMs`. */
  heardMs: z.number().nonnegative(),
  /** True when the last report asked that nothing be counted. */
  isUncounted: z.boolean(),
  /** True for reports, which say when it is over; others only say when it begins. */
  isReported: z.boolean(),
  /** The play before this one that counts. */
  before: reportedPlay.optional(),
});
export type PlayingSession = z.infer<typeof playingSession>;

/** One report of a client. */
export type PlaybackReport = Pick<
  PlayingSession,
  'userId' | 'client' | 'objectType' | 'objectId' | 'durationMs' | 'state' | 'positionMs' | 'rate' | 'isUncounted'
>;

/** What a report comes to. */
export interface Reported {
  /** What is known from now on; absent when the report says nothing that was not known. */
  readonly next?: PlayingSession;
  /** What came to its end by the report. */
  readonly ended?: PlayingSession;
  /** True when the client plays something that it did not before. */
  readonly isNew: boolean;
}

/** What reports say to be playing is shown for so long after it should have ended (compat facts, section 7.2). */
const LINGERS_MS = 30 * 60_000;
/** A client that once said what it plays is taken to do so for this long. */
const TELLS_FOR_MS = 60 * 60_000;
/** Reports that are so far from what the one before leads to expect say nothing new: players round, and networks are slow. */
const TOLERANCE_MS = 2000;
/** What stands still is written down anew after this long, so that it does not fall out. */
const REFRESH_MS = 5 * 60_000;
/** Clocks of players and servers differ by so much, and songs are rounded. */
const CLOCKS_MS = 30_000;
/** What says nothing for so long after its end was left alone before: nobody knows whether it was heard. */
const SURE_FOR_MS = 60_000;
/** Of a song that half, but not more than four minutes, must have been heard: what the services that collect plays ask for, too. */
const ENOUGH_PART = 0.5;
const ENOUGH_MS = 4 * 60_000;
/** The same for what is of unknown length. */
const ENOUGH_OF_UNKNOWN_MS = 30_000;

/** Who has heard so much more than the whole is on the next round. */
const ANOTHER_ROUND = 1.25;

const bounded = (positionMs: number, durationMs: number): number => (durationMs > 0 ? Math.min(positionMs, durationMs) : positionMs);

const progressMs = ({ state, atMs, rate }: PlayingSession, nowMs: number): number =>
  state === 'playing' ? Math.max(0, nowMs - atMs) * rate : 0;

/** Where the client must be by now, milliseconds from the beginning. */
export const positionAt = (session: PlayingSession, nowMs: number): number =>
  Math.round(bounded(session.positionMs + progressMs(session, nowMs), session.durationMs));

/** When it ends if the client goes on like this. */
export const endsAtMs = ({ atMs, durationMs, positionMs, rate }: PlayingSession): number =>
  atMs + Math.ceil(Math.max(0, durationMs - positionMs) / rate);

const shownUntilMs = (session: PlayingSession): number => endsAtMs(session) + (session.isReported ? LINGERS_MS : 0);

/** True while it is shown as playing. */
export const isLive = (session: PlayingSession, nowMs: number): boolean => session.state !== 'stopped' && nowMs < shownUntilMs(session);

/** True while the client is known to say by itself what it plays. */
export const tells = (session: PlayingSession, nowMs: number): boolean => nowMs < session.atMs + TELLS_FOR_MS || isLive(session, nowMs);

/** True when enough of it was heard to count as a play. */
export const isEnough = ({ heardMs, durationMs }: Pick<PlayingSession, 'heardMs' | 'durationMs'>): boolean =>
  heardMs >= (durationMs > 0 ? Math.min(durationMs * ENOUGH_PART, ENOUGH_MS) : ENOUGH_OF_UNKNOWN_MS);

const isLeftAlone = (known: PlayingSession, nowMs: number): boolean => known.state === 'playing' && nowMs > endsAtMs(known) + SURE_FOR_MS;

/**
 * What was heard between the last report and a moment. Where the client got to limits it, because a client that slept heard nothing; a jump back leaves only
 * the time that went by.
 */
const heardSince = (known: PlayingSession, nowMs: number, positionMs: number): number => {
  const byTime = Math.min(progressMs(known, nowMs), known.durationMs > 0 ? Math.max(0, known.durationMs - known.positionMs) : Infinity);
  const moved = positionMs - known.positionMs;
  if (moved > 0) return Math.min(byTime, moved);
  return isLeftAlone(known, nowMs) ? 0 : byTime;
};

const closed = (known: PlayingSession, nowMs: number, positionMs: number): PlayingSession => ({
  ...known,
  heardMs: known.heardMs + heardSince(known, nowMs, positionMs),
  positionMs: bounded(positionMs, known.durationMs),
  state: 'stopped',
  atMs: nowMs,
});

/** What something else takes the place of was heard until now, unless it was left alone. */
const replaced = (known: PlayingSession, nowMs: number): PlayingSession => {
  return closed(known, nowMs, isLeftAlone(known, nowMs) ? known.positionMs : positionAt(known, nowMs));
};

const opened = (report: PlaybackReport, nowMs: number): PlayingSession => ({
  ...report,
  positionMs: bounded(report.positionMs, report.durationMs),
  atMs: nowMs,
  startedAtMs: nowMs,
  heardMs: 0,
  isReported: true,
});

const isOfSame = (known: PlayingSession, report: Pick<PlayingSession, 'objectType' | 'objectId'>): boolean =>
  known.objectType === report.objectType && known.objectId === report.objectId;

const saysNothingNew = (known: PlayingSession, report: PlaybackReport, nowMs: number): boolean =>
  known.state === report.state &&
  known.rate === report.rate &&
  known.isUncounted === report.isUncounted &&
  Math.abs(positionAt(known, nowMs) - bounded(report.positionMs, report.durationMs)) <= TOLERANCE_MS &&
  (known.state === 'playing' ? nowMs < endsAtMs(known) : nowMs - known.atMs < REFRESH_MS);

const continued = (known: PlayingSession, report: PlaybackReport, nowMs: number): Reported => {
  if (saysNothingNew(known, report, nowMs)) return { isNew: false };
  const begins = known.state === 'starting' && known.heardMs === 0 && report.state === 'playing';
  const next = {
    ...opened(report, nowMs),
    startedAtMs: begins ? nowMs : known.startedAtMs,
    heardMs: known.heardMs + heardSince(known, nowMs, report.positionMs),
  };
  return { next, isNew: false };
};

/** The end of something whose beginning is lost: where the client got to is all that there is. */
const endOfUnknown = (report: PlaybackReport, nowMs: number): PlayingSession => {
  const positionMs = bounded(report.positionMs, report.durationMs);
  return { ...opened(report, nowMs), startedAtMs: Math.max(0, Math.round(nowMs - positionMs / report.rate)), heardMs: positionMs };
};

const stopped = (known: PlayingSession | undefined, report: PlaybackReport, nowMs: number): Reported => {
  if (known && isOfSame(known, report) && known.isReported) {
    if (known.state === 'stopped') return { isNew: false };
    const ended = { ...closed(known, nowMs, report.positionMs), isUncounted: report.isUncounted };
    return { next: ended, ended, isNew: false };
  }
  const ended = endOfUnknown(report, nowMs);
  // Something else goes on; what this report is about was taken for ended when that began.
  return known && isLive(known, nowMs) && !isOfSame(known, report) ? { ended, isNew: false } : { next: ended, ended, isNew: false };
};

const reported = (known: PlayingSession | undefined, report: PlaybackReport, nowMs: number): Reported => {
  if (report.state === 'stopped') return stopped(known, report, nowMs);
  const live = known && isLive(known, nowMs) ? known : undefined;
  if (live?.isReported && isOfSame(live, report)) {
    if (report.state !== 'starting') return continued(live, report, nowMs);
    if (live.state === 'starting')
      return saysNothingNew(live, report, nowMs) ? { isNew: false } : { next: opened(report, nowMs), isNew: false };
  }
  return { next: opened(report, nowMs), ...(live?.isReported ? { ended: replaced(live, nowMs) } : {}), isNew: true };
};

/** Whether a session is of one play of a song that counts, as far as it went. */
const counts = (session: PlayingSession): boolean =>
  session.isReported && !session.isUncounted && session.objectType === 'song' && isEnough(session);

/** The play before that of `next`, which clients may still speak of when something else has begun. */
const playBefore = (known: PlayingSession, { next, ended }: Reported): PlayingSession['before'] => {
  if (next && isOfSame(known, next) && known.startedAtMs === next.startedAtMs) return known.before;
  const last = ended && isOfSame(known, ended) && ended.startedAtMs === known.startedAtMs ? ended : known;
  return counts(last) ? { songId: last.objectId, startedAtMs: last.startedAtMs, endedAtMs: last.atMs } : known.before;
};

/**
 * What a report comes to, after what is known of the client (compat facts, section 7.2). `starting` opens a session, also for the same thing again, while
 * the clock stands; `playing` starts the clock, `paused` stops it, `stopped` ends it. Something else ends it as well.
 */
export const afterReport = (known: PlayingSession | undefined, report: PlaybackReport, nowMs: number): Reported => {
  const outcome = reported(known, report, nowMs);
  const before = known && playBefore(known, outcome);
  return outcome.next && before ? { ...outcome, next: { ...outcome.next, before } } : outcome;
};

/** What a client that only says what it begins is known to play; undefined when its reports say so better. */
export const afterAnnouncement = (
  known: PlayingSession | undefined,
  playing: Pick<PlayingSession, 'userId' | 'client' | 'objectType' | 'objectId' | 'durationMs'>,
  nowMs: number,
): PlayingSession | undefined =>
  known?.isReported && isLive(known, nowMs)
    ? undefined
    : { ...opened({ ...playing, state: 'playing', positionMs: 0, rate: 1, isUncounted: true }, nowMs), isReported: false };

/** The play that goes on, or was the last to end, where it is one of a song that its reports will count; without those that go round. */
const presentPlay = (known: PlayingSession, nowMs: number): PlayingSession['before'] => {
  if (!known.isReported || known.isUncounted || known.objectType !== 'song') return undefined;
  const heardMs = known.heardMs + heardSince(known, nowMs, positionAt(known, nowMs));
  if (known.durationMs > 0 && heardMs > known.durationMs * ANOTHER_ROUND) return undefined;
  const endedAtMs = known.state === 'stopped' ? known.atMs : isLive(known, nowMs) ? nowMs : endsAtMs(known);
  return { songId: known.objectId, startedAtMs: known.startedAtMs, endedAtMs };
};

/**
 * When the play began that a client means which says that it has heard a song; undefined when its own reports tell of no such play that counts. A time that it names may be that of any
 * moment of the play, as some name its end; without one it is now. Goes by what was heard, because pauses make a play longer than its song.
 */
export const reportedStart = (
  known: PlayingSession | undefined,
  { songId, saidMs }: { readonly songId: number; readonly saidMs?: number | undefined },
  nowMs: number,
): number | undefined => {
  if (!known) return undefined;
  const slackMs = saidMs === undefined ? SURE_FOR_MS : CLOCKS_MS;
  const atMs = saidMs ?? nowMs;
  const present = presentPlay(known, nowMs);
  // A time that lies between two plays of the same is the end of the first: the second will be counted by its own end.
  const plays = saidMs === undefined ? [present, known.before] : [known.before, present];
  return plays.find((play) => play?.songId === songId && atMs >= play.startedAtMs - slackMs && atMs <= play.endedAtMs + slackMs)
    ?.startedAtMs;
};
