import { setTimeout } from 'node:timers/promises';
import type { PlayerAction, PlayerStatus } from '@continuo/contracts';
import type { Controlled, Player, PlayerReading, QueuePage } from '../player.js';
import { Visits } from '../visits.js';
import { addItems, currentEntry, hiddenEntries, readQueue, replaceQueue, wholeOf } from './mpd-queue.js';
import { MpdRefused, visitMpd, type MpdSession, type MpdSettings } from './mpd-session.js';
import { fieldsOf, mpdCommand } from './mpd-text.js';

const MS_PER_SECOND = 1000;

type Fields = ReadonlyMap<string, string>;

/** MPD's queue at the start of a visit: what it says, and how many entries of it are not shown. */
interface Seen {
  readonly fields: Fields;
  readonly hidden: 0 | 1;
  /** Entry that plays or is paused, by its position in MPD's own queue. */
  readonly playing: number | undefined;
}

const playingIn = (fields: Fields): number | undefined => (fields.get('state') === 'stop' ? undefined : wholeOf(fields, 'song'));

const look = async (session: MpdSession): Promise<Seen> => {
  const [reply = []] = await session.run('status');
  const fields = fieldsOf(reply);
  const hidden = await hiddenEntries(session, playingIn(fields));
  return { fields, hidden, playing: playingIn(fields) };
};

const stateOf = (fields: Fields): PlayerStatus['state'] => {
  const state = fields.get('state');
  return state === 'play' || state === 'pause' ? state : 'stop';
};

const volumeOf = (fields: Fields): number | null => {
  const percent = wholeOf(fields, 'volume');
  return percent === undefined ? null : Math.min(percent, 100);
};

/** Index of the entry that plays, else of the first one not begun, else none. */
const placeOf = (fields: Fields, length: number, hidden: number): number | null => {
  const song = wholeOf(fields, 'song');
  if (length === 0) return null;
  return song === undefined ? 0 : Math.min(Math.max(0, song - hidden), length - 1);
};

const statusOf = async (session: MpdSession): Promise<{ status: PlayerStatus; hidden: number }> => {
  const { fields, hidden } = await look(session);
  const length = Math.max(0, (wholeOf(fields, 'playlistlength') ?? 0) - hidden);
  const elapsedS = Number(fields.get('elapsed') ?? 0);
  const status: PlayerStatus = {
    state: stateOf(fields),
    volumePercent: volumeOf(fields),
    isRepeating: fields.get('repeat') === '1',
    isRandom: fields.get('random') === '1',
    length,
    index: placeOf(fields, length, hidden),
    positionMs: Number.isFinite(elapsedS) ? Math.max(0, Math.round(elapsedS * MS_PER_SECOND)) : 0,
    current: length === 0 && hidden === 0 ? null : await currentEntry(session),
  };
  return { status, hidden };
};

/** Time that MPD may take to open a medium before its reported position is trusted, ms. */
const OPENING_MS = 1500;
const PAUSE_MS = 40;

/**
 * Waits until MPD has opened what it plays: until then it tells the position that it was asked for, also where it cannot go there. Over HTTP it cannot within
 * Ogg files (Vorbis, Opus), whose end it would have to look for.
 */
const opened = async (session: MpdSession): Promise<void> => {
  for (const until = performance.now() + OPENING_MS; performance.now() < until;) {
    const [reply = []] = await session.run('status');
    if (fieldsOf(reply).has('audio')) return;
    await setTimeout(PAUSE_MS);
  }
};

/** Plays an entry from an instant on; from its beginning where MPD cannot go on from elsewhere. */
const skip = async (session: MpdSession, place: number, offsetMs: number): Promise<void> => {
  if (offsetMs === 0) {
    await session.run(mpdCommand('play', place));
    return;
  }
  try {
    await session.run(`seek ${place} ${offsetMs / MS_PER_SECOND}`, 'pause 0');
    await opened(session);
  } catch (error) {
    if (!(error instanceof MpdRefused)) throw error;
    await session.run(mpdCommand('play', place));
  }
};

const changeVolume = async (session: MpdSession, { fields }: Seen, by: number): Promise<void> => {
  const before = volumeOf(fields);
  // Without a mixer there is nothing to change; MPD says so itself.
  await session.run(mpdCommand('setvol', Math.min(100, Math.max(0, (before ?? 0) + by))));
};

/** MPD itself takes the place behind the last one for an empty range, and does nothing. */
const remove = async (session: MpdSession, place: number, { fields }: Seen): Promise<void> => {
  if (place >= (wholeOf(fields, 'playlistlength') ?? 0))
    throw new MpdRefused({ code: 50, commandIndex: 0, message: 'there is no such entry' });
  await session.run(mpdCommand('delete', place));
};

/** The actions that are one command of MPD's. `pause 1` and not `pause`, which would go on with what is paused. */
const plain: Readonly<Record<string, string>> = {
  play: 'play',
  pause: 'pause 1',
  stop: 'stop',
  next: 'next',
  previous: 'previous',
  clear: 'clear',
  shuffle: 'shuffle',
};

const perform = async (session: MpdSession, action: PlayerAction): Promise<void> => {
  const seen = await look(session);
  switch (action.type) {
    case 'skip':
      return skip(session, action.index + seen.hidden, action.offsetMs);
    case 'add':
      if (action.isInstead) await session.run('clear');
      return addItems(session, action.items);
    case 'replace':
      return replaceQueue(session, action.items, seen.playing);
    case 'substitute':
      await addItems(session, [action.item], action.index + seen.hidden + 1);
      return remove(session, action.index + seen.hidden, seen);
    case 'remove':
      return remove(session, action.index + seen.hidden, seen);
    case 'volume':
      await session.run(mpdCommand('setvol', action.percent));
      return;
    case 'volume-by':
      return changeVolume(session, seen, action.percent);
    default:
      await session.run(plain[action.type] ?? 'ping');
  }
};

const controlIn = async (session: MpdSession, action: PlayerAction): Promise<Controlled> => {
  let isAccepted = true;
  try {
    await perform(session, action);
  } catch (error) {
    if (!(error instanceof MpdRefused)) throw error;
    isAccepted = false;
  }
  return { isAccepted, status: (await statusOf(session)).status };
};

const readIn = async (session: MpdSession, page: QueuePage): Promise<PlayerReading> => {
  const { status, hidden } = await statusOf(session);
  return { status, entries: await readQueue(session, page, hidden) };
};

/** Time limit of an answer, below the four seconds after which a sender repeats its command, so that nothing is done twice. */
const ANSWERED_WITHIN_MS = 3900;

/** A Music Player Daemon (https://mpd.readthedocs.io/en/stable/protocol.html), version 0.20 or newer. */
export const mpdPlayer = (settings: MpdSettings): Player => {
  const visits = new Visits(ANSWERED_WITHIN_MS - settings.timeoutMs);
  return {
    control: (action) => visits.do(() => visitMpd(settings, (session) => controlIn(session, action))),
    read: (page) => visits.read(`${page.offset} ${page.limit}`, () => visitMpd(settings, (session) => readIn(session, page))),
  };
};
