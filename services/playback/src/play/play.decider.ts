import type { Aggregate } from '@continuo/chassis';
import {
  mediaDownloaded,
  mediaPlayed,
  playbackStarted,
  playbackStopped,
  playsCleared,
  songPlayed,
  songSkipped,
  type PlayableType,
  type PlayEvent,
  type SongId,
  type UserId,
} from '@continuo/contracts';
import { isAlreadyReported, noPlays, thingOf, withoutLength, withPlay, type RememberedPlays } from './remembered-plays.js';

/** Clients of a user that can play at the same time; another one takes the place of the one that was quiet the longest. */
export const REMEMBERED_CLIENTS = 20;

/** Listeners whose plays come without a look into the log. Reading one costs more than its play, so that they should all be there who listen at the same time. */
const LISTENERS_IN_MEMORY = 50_000;
/** Approximate memory of all listeners: 2,000 who have played thousands of songs, ten times as many of a few songs each. */
const LISTENERS_BYTES = 96 * 1024 * 1024;
/** A remembered play of known length, a client, a download; a state with nothing in it. */
const LENGTH_BYTES = 120;
const CLIENT_BYTES = 500;
const DOWNLOAD_BYTES = 200;
const EMPTY_BYTES = 1000;

const bytesOf = ({ plays: { fingerprints, lengths }, clients, downloads }: PlaysState): number =>
  EMPTY_BYTES + fingerprints.length + lengths.length * LENGTH_BYTES + clients.length * CLIENT_BYTES + downloads.length * DOWNLOAD_BYTES;

/** Downloads that are remembered to know the parts of one from another. */
const REMEMBERED_DOWNLOADS = 16;
/** A file is fetched in parts for so long. */
const SAME_DOWNLOAD_MS = 10 * 60_000;

/** A client that says again what it plays may be so far off without being told to have started anew, milliseconds. */
const SAME_START_MS = 5000;

/** The latest play of a client that was under way when it was told. */
interface LatestPlay {
  readonly songId: SongId;
  readonly playedAtMs: number;
  readonly skipWindowMs: number;
}

interface Playing {
  readonly objectType: PlayableType;
  readonly objectId: number;
  readonly startedAtMs: number;
}

interface ClientState {
  readonly client: string;
  readonly latest?: LatestPlay;
  readonly playing?: Playing;
}

interface Download {
  readonly client: string;
  readonly objectType: PlayableType;
  readonly objectId: number;
  readonly atMs: number;
}

/** State of one user's plays. */
export interface PlaysState {
  readonly plays: RememberedPlays;
  /** The latest downloads, oldest first, at most {@link REMEMBERED_DOWNLOADS}. */
  readonly downloads: readonly Download[];
  /** The clients that played, the latest last, at most {@link REMEMBERED_CLIENTS}. */
  readonly clients: readonly ClientState[];
}

/** Plays of one user by one client, in the order in which they count. */
export interface RecordPlays {
  readonly type: 'record';
  readonly userId: UserId;
  readonly client: string;
  readonly plays: readonly { readonly songId: SongId; readonly playedAtMs: number; readonly durationMs?: number | undefined }[];
}

/** A client plays something; see the command `startPlayback`. */
export interface StartPlayback {
  readonly type: 'start';
  readonly userId: UserId;
  readonly client: string;
  readonly objectType: PlayableType;
  readonly objectId: number;
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly isNow: boolean;
  readonly play?: { readonly skipWindowMs?: number | undefined } | undefined;
}

/** A client no longer plays something; see the command `stopPlayback`. */
export interface StopPlayback {
  readonly type: 'stop';
  readonly userId: UserId;
  readonly client: string;
  readonly objectType: PlayableType;
  readonly objectId: number;
  readonly heard?: { readonly startedAtMs: number; readonly durationMs: number } | undefined;
}

/** A client fetched a file to keep it. */
export interface RecordDownload {
  readonly type: 'download';
  readonly userId: UserId;
  readonly client: string;
  readonly objectType: PlayableType;
  readonly objectId: number;
  readonly downloadedAtMs: number;
}

/** Clears the plays of a user. */
export interface ClearPlays {
  readonly type: 'clear';
  readonly userId: UserId;
}

/** Commands of a user's plays. */
export type PlaysCommand = RecordPlays | StartPlayback | StopPlayback | RecordDownload | ClearPlays;

const tellerOf = ({ clients }: PlaysState, name: string): ClientState | undefined => clients.find(({ client }) => client === name);

const initialState: PlaysState = { plays: noPlays, downloads: [], clients: [] };

const record = (state: PlaysState, { userId, client, plays: said }: RecordPlays): PlayEvent[] => {
  let remembered = state.plays;
  const events: PlayEvent[] = [];
  for (const { songId, playedAtMs, durationMs } of said) {
    const play = { thing: songId, playedAtMs, client };
    if (isAlreadyReported(remembered, play)) continue;
    remembered = withPlay(remembered, play, durationMs ?? 0);
    events.push(songPlayed({ userId, songId, playedAtMs, client, ...(durationMs === undefined ? {} : { durationMs }) }));
  }
  return events;
};

const within = (startMs: number, lengthMs: number, atMs: number): boolean => atMs >= startMs && atMs < startMs + lengthMs;

/** True when some client of the user began the same less than its length before. */
const repeatsPlay = (
  { plays: remembered }: PlaysState,
  { client, objectType, objectId, startedAtMs }: Pick<StartPlayback, 'client' | 'objectType' | 'objectId' | 'startedAtMs'>,
): boolean =>
  isAlreadyReported(remembered, { thing: thingOf(objectType, objectId), playedAtMs: startedAtMs, client }, { byAnyClient: true });

/** Marks the song before as skipped, when the client began another one; reporting a past play skips nothing. */
const skipped = (teller: ClientState | undefined, { userId, client, startedAtMs, play }: StartPlayback): PlayEvent[] => {
  const latest = teller?.latest;
  if (play?.skipWindowMs === undefined || !latest || !within(latest.playedAtMs, latest.skipWindowMs, startedAtMs)) return [];
  return [songSkipped({ userId, songId: latest.songId, playedAtMs: latest.playedAtMs, client, skippedAtMs: startedAtMs })];
};

/** When a client beyond those that are remembered begins, the one that was quiet the longest gives up its place. */
const crowdedOut = ({ clients }: PlaysState, command: StartPlayback): PlayEvent[] => {
  const [oldest] = clients;
  if (!oldest?.playing || clients.length < REMEMBERED_CLIENTS || clients.some(({ client }) => client === command.client)) return [];
  return [playbackStopped({ userId: command.userId, client: oldest.client })];
};

/** Marks the song before as skipped, also when the client goes back to a play that still counts as the same one. */
const leftBehind = (teller: ClientState | undefined, command: StartPlayback): PlayEvent[] =>
  command.objectType === 'song' && teller?.latest?.songId !== command.objectId ? skipped(teller, command) : [];

const songPlayedNow = (state: PlaysState, command: StartPlayback, showsUntilMs: number | undefined): PlayEvent[] => {
  const { userId, client, objectId, startedAtMs, durationMs, play } = command;
  return [
    ...skipped(tellerOf(state, client), command),
    songPlayed({
      userId,
      songId: objectId as SongId,
      playedAtMs: startedAtMs,
      client,
      durationMs,
      ...(play?.skipWindowMs === undefined ? {} : { skipWindowMs: play.skipWindowMs }),
      ...(showsUntilMs === undefined ? {} : { playingUntilMs: showsUntilMs }),
    }),
    ...crowdedOut(state, command),
  ];
};

const mediaPlayedNow = (state: PlaysState, command: StartPlayback, showsUntilMs: number | undefined): PlayEvent[] => {
  const { userId, client, objectType, objectId, startedAtMs: playedAtMs, durationMs } = command;
  if (objectType === 'song') return [];
  const shown = showsUntilMs === undefined ? {} : { playingUntilMs: showsUntilMs };
  return [mediaPlayed({ userId, client, objectType, objectId, playedAtMs, durationMs, ...shown }), ...crowdedOut(state, command)];
};

const start = (state: PlaysState, command: StartPlayback): PlayEvent[] => {
  const { userId, client, objectType, objectId, startedAtMs, durationMs, isNow } = command;
  const teller = tellerOf(state, client);
  const playing = teller?.playing;
  const shows = isNow && startedAtMs >= (playing?.startedAtMs ?? 0) - SAME_START_MS;
  const playingUntilMs = startedAtMs + durationMs;
  if (command.play && !repeatsPlay(state, command)) {
    const played = objectType === 'song' ? songPlayedNow : mediaPlayedNow;
    return played(state, command, shows ? playingUntilMs : undefined);
  }
  const isSame =
    playing?.objectType === objectType && playing.objectId === objectId && Math.abs(playing.startedAtMs - startedAtMs) < SAME_START_MS;
  const left = leftBehind(teller, command);
  if (!shows || isSame) return left;
  return [...left, playbackStarted({ userId, client, objectType, objectId, startedAtMs, playingUntilMs }), ...crowdedOut(state, command)];
};

/** Records a play that was heard long enough; it is over and nothing can turn it into a skip. */
const heardOut = (state: PlaysState, { userId, client, objectType, objectId, heard }: StopPlayback): PlayEvent[] => {
  if (!heard || repeatsPlay(state, { client, objectType, objectId, startedAtMs: heard.startedAtMs })) return [];
  const played = { userId, client, playedAtMs: heard.startedAtMs, durationMs: heard.durationMs };
  return [objectType === 'song' ? songPlayed({ ...played, songId: objectId as SongId }) : mediaPlayed({ ...played, objectType, objectId })];
};

const stop = (state: PlaysState, command: StopPlayback): PlayEvent[] => {
  const { userId, client, objectType, objectId } = command;
  const playing = tellerOf(state, client)?.playing;
  const isOver = playing?.objectType === objectType && playing.objectId === objectId;
  return [...heardOut(state, command), ...(isOver ? [playbackStopped({ userId, client })] : [])];
};

const isOf = (one: Omit<Download, 'atMs'>, other: Omit<Download, 'atMs'>): boolean =>
  one.client === other.client && one.objectType === other.objectType && one.objectId === other.objectId;

const download = ({ downloads }: PlaysState, { userId, client, objectType, objectId, downloadedAtMs }: RecordDownload): PlayEvent[] => {
  const thing = { client, objectType, objectId };
  const isOneOf = downloads.some((one) => isOf(one, thing) && Math.abs(downloadedAtMs - one.atMs) < SAME_DOWNLOAD_MS);
  return isOneOf ? [] : [mediaDownloaded({ userId, ...thing, downloadedAtMs })];
};

const decide = (state: PlaysState, command: PlaysCommand): PlayEvent[] => {
  switch (command.type) {
    case 'record':
      return record(state, command);
    case 'start':
      return start(state, command);
    case 'stop':
      return stop(state, command);
    case 'download':
      return download(state, command);
    case 'clear':
      // What is remembered stays: a client that sends its list again does not bring back what was forgotten.
      return state.plays.fingerprints === '' ? [] : [playsCleared({ userId: command.userId })];
  }
};

const withClient = ({ clients }: PlaysState, client: string, change: (known: ClientState) => ClientState): readonly ClientState[] => {
  const known = clients.find((one) => one.client === client) ?? { client };
  return [...clients.filter((one) => one.client !== client), change(known)].slice(-REMEMBERED_CLIENTS);
};

const evolvePlayed = (state: PlaysState, data: Extract<PlayEvent, { type: 'SongPlayed' }>['data']): PlaysState => {
  const { songId, playedAtMs, client, durationMs = 0, skipWindowMs, playingUntilMs } = data;
  // What was sent in later skips nothing, and does not keep what was under way then from being skipped.
  const isLatest = skipWindowMs !== undefined && playedAtMs >= (tellerOf(state, client)?.latest?.playedAtMs ?? 0);
  const clients = withClient(state, client, (before) => ({
    ...before,
    ...(isLatest ? { latest: { songId, playedAtMs, skipWindowMs } } : {}),
    ...(playingUntilMs === undefined ? {} : { playing: { objectType: 'song', objectId: songId, startedAtMs: playedAtMs } }),
  }));
  return { ...state, plays: withPlay(state.plays, { thing: songId, playedAtMs, client }, durationMs), clients };
};

const evolveMedia = (state: PlaysState, data: Extract<PlayEvent, { type: 'MediaPlayed' }>['data']): PlaysState => {
  const { objectType, objectId, playedAtMs, client, durationMs = 0, playingUntilMs } = data;
  const playing = playingUntilMs === undefined ? {} : { playing: { objectType, objectId, startedAtMs: playedAtMs } };
  return {
    ...state,
    plays: withPlay(state.plays, { thing: thingOf(objectType, objectId), playedAtMs, client }, durationMs),
    clients: withClient(state, client, (before) => ({ ...before, ...playing })),
  };
};

/** Forgets a skipped play: going back to it plays it anew. Nothing skips it twice. */
const evolveSkipped = (
  state: PlaysState,
  { songId, playedAtMs, client }: Extract<PlayEvent, { type: 'SongSkipped' }>['data'],
): PlaysState => ({
  ...state,
  plays: withoutLength(state.plays, { thing: songId, playedAtMs, client }),
  clients: state.clients.map((one) => {
    if (one.client !== client || one.latest?.songId !== songId || one.latest.playedAtMs !== playedAtMs) return one;
    const { latest: _, ...rest } = one;
    return rest;
  }),
});

const evolve = (state: PlaysState, event: PlayEvent): PlaysState => {
  switch (event.type) {
    case 'SongPlayed':
      return evolvePlayed(state, event.data);
    case 'SongSkipped':
      return evolveSkipped(state, event.data);
    case 'MediaPlayed':
      return evolveMedia(state, event.data);
    case 'MediaDownloaded': {
      const { client, objectType, objectId, downloadedAtMs: atMs } = event.data;
      return { ...state, downloads: [...state.downloads.slice(1 - REMEMBERED_DOWNLOADS), { client, objectType, objectId, atMs }] };
    }
    case 'PlaybackStarted': {
      const { objectType, objectId, startedAtMs, client } = event.data;
      return { ...state, clients: withClient(state, client, (known) => ({ ...known, playing: { objectType, objectId, startedAtMs } })) };
    }
    case 'PlaybackStopped':
      return {
        ...state,
        clients: state.clients.map(({ playing, ...one }) => (one.client === event.data.client || !playing ? one : { ...one, playing })),
      };
    default:
      return state;
  }
};

/**
 * Plays of one user; the id is the user's id. The same song by the same client at the same time, or before it can have
 * ended, counts once, as far as the remembered plays reach back.
 */
export const plays: Aggregate<PlaysState, PlaysCommand, PlayEvent> = {
  context: 'playback',
  kind: 'plays',
  snapshotVersion: 5,
  keepWarm: LISTENERS_IN_MEMORY,
  warmBytes: { most: LISTENERS_BYTES, of: bytesOf },
  initialState,
  decide,
  evolve,
};
