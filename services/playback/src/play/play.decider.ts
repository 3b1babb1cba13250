import type { Aggregate } from '@continuo/chassis';
import { songPlayed, type PlayEvent, type SongId, type UserId } from '@continuo/contracts';

/**
 * How many of a user's latest plays are remembered to recognise repetitions. Twice the largest command, so that a client which sends
 * its whole offline list again is recognised even when other plays came in between.
 */
export const REMEMBERED_PLAYS = 2000;

/** Keys of the user's latest recorded plays, oldest first, at most {@link REMEMBERED_PLAYS}. */
export interface PlaysState {
  readonly recent: readonly string[];
}

/** Plays of one user by one client, in the order in which they count. */
export interface RecordPlays {
  readonly userId: UserId;
  readonly client: string;
  readonly plays: readonly { readonly songId: SongId; readonly playedAtMs: number }[];
}

const keyOf = (play: { readonly songId: number; readonly playedAtMs: number }, client: string): string =>
  `${play.songId}@${play.playedAtMs}/${client}`;

const initialState: PlaysState = { recent: [] };

const decide = (state: PlaysState, command: RecordPlays): PlayEvent[] => {
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

const evolve = (state: PlaysState, event: PlayEvent): PlaysState =>
  event.type === songPlayed.type
    ? {
        recent: [...state.recent.slice(1 - REMEMBERED_PLAYS), keyOf(event.data, event.data.client)],
      }
    : state;

/**
 * What one user has played; the id is the user's id. The same song by the same client at the same time counts once, as far as the
 * remembered plays reach back.
 */
export const plays: Aggregate<PlaysState, RecordPlays, PlayEvent> = {
  context: 'playback',
  kind: 'plays',
  initialState,
  decide,
  evolve,
};
