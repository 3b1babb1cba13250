import type { Aggregate } from '@continuo/chassis';
import { democraticTurnTaken, Rejection, type DemocraticListenerEvent, type SongId, type UserId } from '@continuo/contracts';

/** Clients of a user that can listen at the same time; another one takes the place of the one that was quiet the longest. */
export const REMEMBERED_LISTENERS = 20;

/** Players fetch the next song a little before the present one is over: so long before its end it counts as over, but never more than a fifth of it. */
const FETCHED_AHEAD_MS = 30_000;
const FETCHED_AHEAD_PART = 0.2;

/** The aggregate that keeps what the clients of one user hear of a list. */
export const democraticListenerId = (listId: number, userId: number): string => `${listId}-${userId}`;

/** Song that a client plays of the list, as its `number`th song. */
export interface Turn {
  readonly client: string;
  readonly number: number;
  readonly songId: SongId;
  readonly startedAtMs: number;
  readonly durationMs: number;
}

/** Songs that clients play, the latest last, at most {@link REMEMBERED_LISTENERS}. */
export interface DemocraticListenerState {
  readonly turns: readonly Turn[];
}

/** A client goes on to a song. `after` is the number of the turn that it follows, 0 for the first: two requests at the same moment do not both move on. */
export interface DemocraticListenerCommand {
  readonly type: 'begin';
  readonly listId: number;
  readonly userId: UserId;
  readonly client: string;
  readonly songId: SongId;
  readonly durationMs: number;
  readonly nowMs: number;
  readonly after: number;
}

/** Finds the song that a client plays; undefined before its first song. */
export const turnOf = ({ turns }: DemocraticListenerState, client: string): Turn | undefined =>
  turns.find((turn) => turn.client === client);

/** True once a song has played so long that whoever asks for its beginning means the next one. */
export const isOver = ({ startedAtMs, durationMs }: Turn, nowMs: number): boolean =>
  nowMs >= startedAtMs + durationMs - Math.min(FETCHED_AHEAD_MS, durationMs * FETCHED_AHEAD_PART);

const decide = (state: DemocraticListenerState, command: DemocraticListenerCommand): readonly DemocraticListenerEvent[] => {
  const { listId, userId, client, songId, durationMs, nowMs, after } = command;
  if ((turnOf(state, client)?.number ?? 0) !== after) throw new Rejection('conflict', 'the client has gone on in the meantime');
  return [democraticTurnTaken({ listId, userId, client, songId, durationMs, startedAtMs: nowMs })];
};

const evolve = (state: DemocraticListenerState, event: DemocraticListenerEvent): DemocraticListenerState => {
  if (event.type !== democraticTurnTaken.type) return state;
  const { client, songId, startedAtMs, durationMs } = event.data;
  const number = (turnOf(state, client)?.number ?? 0) + 1;
  const others = state.turns.filter((turn) => turn.client !== client);
  return { turns: [...others, { client, number, songId, startedAtMs, durationMs }].slice(-REMEMBERED_LISTENERS) };
};

/** Songs that the clients of one user play of one list; the id is {@link democraticListenerId}'s. */
export const democraticListener: Aggregate<DemocraticListenerState, DemocraticListenerCommand, DemocraticListenerEvent> = {
  context: 'playback',
  kind: 'democratic-listener',
  initialState: { turns: [] },
  decide,
  evolve,
};
