import type { Aggregate } from '@continuo/chassis';
import {
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

/**
 * How many of a user's latest plays are remembered to recognise repetitions. Twice the largest command, so that a client which sends
 * its whole offline list again is recognised even when other plays came in between.
 */
export const REMEMBERED_PLAYS = 2000;

/** Clients of a user that can play at the same time; another one takes the place of the one that was quiet the longest. */
export const REMEMBERED_CLIENTS = 20;

/** A client that says again what it plays may be so far off without being told to have started anew, milliseconds. */
const SAME_START_MS = 5000;

/** The latest play of a client. */
interface LatestPlay {
  readonly songId: SongId;
  readonly playedAtMs: number;
  readonly durationMs: number;
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

/** What is known of one user's listening. */
export interface PlaysState {
  /** Keys of the latest recorded plays, oldest first, at most {@link REMEMBERED_PLAYS}. */
  readonly recent: readonly string[];
  /** The clients that played, the latest last, at most {@link REMEMBERED_CLIENTS}. */
  readonly clients: readonly ClientState[];
}

/** Plays of one user by one client, in the order in which they count. */
export interface RecordPlays {
  readonly type: 'record';
  readonly userId: UserId;
  readonly client: string;
  readonly plays: readonly { readonly songId: SongId; readonly playedAtMs: number }[];
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
  readonly play?: { readonly skipWindowMs: number } | undefined;
}

/** A client no longer plays something. */
export interface StopPlayback {
  readonly type: 'stop';
  readonly userId: UserId;
  readonly client: string;
  readonly objectType: PlayableType;
  readonly objectId: number;
}

/** What the user played counts no longer. */
export interface ClearPlays {
  readonly type: 'clear';
  readonly userId: UserId;
}

/** What can be done with a user's plays. */
export type PlaysCommand = RecordPlays | StartPlayback | StopPlayback | ClearPlays;

const keyOf = (play: { readonly songId: number; readonly playedAtMs: number }, client: string): string =>
  `${play.songId}@${play.playedAtMs}/${client}`;

const initialState: PlaysState = { recent: [], clients: [] };

const record = (state: PlaysState, command: RecordPlays): PlayEvent[] => {
  const known = new Set(state.recent);
  const events: PlayEvent[] = [];
  for (const play of command.plays) {
    const key = keyOf(play, command.client);
    if (known.has(key)) continue;
    known.add(key);
    events.push(
      songPlayed({
        userId: command.userId,
        songId: play.songId,
        playedAtMs: play.playedAtMs,
        client: command.client,
      }),
    );
  }
  return events;
};

const within = (startMs: number, lengthMs: number, atMs: number): boolean => atMs >= startMs && atMs < startMs + lengthMs;

/** True when some client of the user began the same song less than its length before. */
const repeatsPlay = (state: PlaysState, { client, objectId, startedAtMs }: StartPlayback): boolean =>
  state.clients.some(({ latest }) => latest?.songId === objectId && within(latest.playedAtMs, latest.durationMs, startedAtMs)) ||
  state.recent.includes(keyOf({ songId: objectId, playedAtMs: startedAtMs }, client));

const skipped = (known: ClientState | undefined, { userId, client, startedAtMs }: StartPlayback): PlayEvent[] => {
  const latest = known?.latest;
  if (!latest || !within(latest.playedAtMs, latest.skipWindowMs, startedAtMs)) return [];
  return [songSkipped({ userId, songId: latest.songId, playedAtMs: latest.playedAtMs, client, skippedAtMs: startedAtMs })];
};

/** When a client beyond those that are remembered begins, the one that was quiet the longest gives up its place. */
const crowdedOut = ({ clients }: PlaysState, command: StartPlayback): PlayEvent[] => {
  const [oldest] = clients;
  if (!oldest?.playing || clients.length < REMEMBERED_CLIENTS || clients.some(({ client }) => client === command.client)) return [];
  return [playbackStopped({ userId: command.userId, client: oldest.client })];
};

const playedNow = (state: PlaysState, command: StartPlayback, showsUntilMs: number | undefined): PlayEvent[] => {
  const { userId, client, objectId, startedAtMs, durationMs, play } = command;
  const known = state.clients.find((one) => one.client === client);
  return [
    ...skipped(known, command),
    songPlayed({
      userId,
      songId: objectId as SongId,
      playedAtMs: startedAtMs,
      client,
      durationMs,
      skipWindowMs: play?.skipWindowMs ?? 0,
      ...(showsUntilMs === undefined ? {} : { playingUntilMs: showsUntilMs }),
    }),
    ...crowdedOut(state, command),
  ];
};

const start = (state: PlaysState, command: StartPlayback): PlayEvent[] => {
  const { userId, client, objectType, objectId, startedAtMs, durationMs, isNow } = command;
  const playing = state.clients.find((one) => one.client === client)?.playing;
  const shows = isNow && startedAtMs >= (playing?.startedAtMs ?? 0) - SAME_START_MS;
  const playingUntilMs = startedAtMs + durationMs;
  if (command.play && objectType === 'song' && !repeatsPlay(state, command))
    return playedNow(state, command, shows ? playingUntilMs : undefined);
  const isSame =
    playing?.objectType === objectType && playing.objectId === objectId && Math.abs(playing.startedAtMs - startedAtMs) < SAME_START_MS;
  if (!shows || isSame) return [];
  return [playbackStarted({ userId, client, objectType, objectId, startedAtMs, playingUntilMs }), ...crowdedOut(state, command)];
};

const stop = (state: PlaysState, { userId, client, objectType, objectId }: StopPlayback): PlayEvent[] => {
  const playing = state.clients.find((one) => one.client === client)?.playing;
  return playing?.objectType === objectType && playing.objectId === objectId ? [playbackStopped({ userId, client })] : [];
};

const decide = (state: PlaysState, command: PlaysCommand): PlayEvent[] => {
  switch (command.type) {
    case 'record':
      return record(state, command);
    case 'start':
      return start(state, command);
    case 'stop':
      return stop(state, command);
    case 'clear':
      // What is remembered stays: a client that sends its list again does not bring back what was forgotten.
      return state.recent.length === 0 ? [] : [playsCleared({ userId: command.userId })];
  }
};

const withClient = ({ clients }: PlaysState, client: string, change: (known: ClientState) => ClientState): readonly ClientState[] => {
  const known = clients.find((one) => one.client === client) ?? { client };
  return [...clients.filter((one) => one.client !== client), change(known)].slice(-REMEMBERED_CLIENTS);
};

const evolvePlayed = (state: PlaysState, data: Extract<PlayEvent, { type: 'SongPlayed' }>['data']): PlaysState => {
  const { songId, playedAtMs, client, durationMs = 0, skipWindowMs = 0, playingUntilMs } = data;
  const recent = [...state.recent.slice(1 - REMEMBERED_PLAYS), keyOf(data, client)];
  const clients = withClient(state, client, (known) => ({
    ...known,
    ...(playedAtMs < (known.latest?.playedAtMs ?? 0) ? {} : { latest: { songId, playedAtMs, durationMs, skipWindowMs } }),
    ...(playingUntilMs === undefined ? {} : { playing: { objectType: 'song', objectId: songId, startedAtMs: playedAtMs } }),
  }));
  return { recent, clients };
};

const evolve = (state: PlaysState, event: PlayEvent): PlaysState => {
  switch (event.type) {
    case 'SongPlayed':
      return evolvePlayed(state, event.data);
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
 * What one user has played and plays; the id is the user's id. The same song by the same client at the same time counts once, as far as the
 * remembered plays reach back.
 */
export const plays: Aggregate<PlaysState, PlaysCommand, PlayEvent> = {
  context: 'playback',
  kind: 'plays',
  snapshotVersion: 2,
  initialState,
  decide,
  evolve,
};
