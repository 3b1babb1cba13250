import type { Aggregate } from '@continuo/chassis';
import {
  Rejection,
  songVotedFor,
  songVoteWithdrawn,
  votedSongPlayed,
  type DemocraticSongEvent,
  type SongId,
  type UserId,
} from '@continuo/contracts';

/** Id of the aggregate with the votes for one song; votes for different songs never conflict. */
export const democraticSongId = (listId: number, songId: number): string => `${listId}-${songId}`;

/** The song and its list. */
interface About {
  readonly listId: number;
  readonly songId: SongId;
}

/** A vote of one user, or its withdrawal (`wants: false`). A song that was played less than `cooldownMs` before `nowMs` takes no votes. */
export interface Vote {
  readonly userId: UserId;
  readonly wants: boolean;
  readonly nowMs: number;
  readonly cooldownMs: number;
}

/** Casts votes in their order, all or none of them; or plays the song, at `nowMs`. */
export type DemocraticSongCommand = About &
  ({ readonly type: 'cast'; readonly votes: readonly Vote[] } | { readonly type: 'play'; readonly nowMs: number });

/** Voters of the song, and when its votes were last used up (0: never). */
export interface DemocraticSongState {
  readonly voters: readonly UserId[];
  readonly playedAtMs: number;
}

const cast = (state: DemocraticSongState, { listId, songId }: About, votes: readonly Vote[]): DemocraticSongEvent[] => {
  const voters = new Set(state.voters);
  return votes.flatMap(({ userId, wants, nowMs, cooldownMs }): DemocraticSongEvent[] => {
    if (voters.has(userId) === wants) return [];
    if (!wants) {
      voters.delete(userId);
      return [songVoteWithdrawn({ listId, songId, userId })];
    }
    if (state.playedAtMs > 0 && nowMs < state.playedAtMs + cooldownMs) throw new Rejection('democratic.cooling', undefined, 'oid');
    voters.add(userId);
    return [songVotedFor({ listId, songId, userId, votedAtMs: nowMs })];
  });
};

const decide = (state: DemocraticSongState, command: DemocraticSongCommand): readonly DemocraticSongEvent[] => {
  const { listId, songId } = command;
  if (command.type === 'cast') return cast(state, command, command.votes);
  if (state.voters.length === 0) throw new Rejection('song.not-found', 'nobody votes for the song any more');
  return [votedSongPlayed({ listId, songId, playedAtMs: command.nowMs })];
};

const evolve = (state: DemocraticSongState, event: DemocraticSongEvent): DemocraticSongState => {
  switch (event.type) {
    case 'SongVotedFor':
      return { ...state, voters: [...state.voters, event.data.userId] };
    case 'SongVoteWithdrawn':
      return { ...state, voters: state.voters.filter((voter) => voter !== event.data.userId) };
    case 'VotedSongPlayed':
      return { voters: [], playedAtMs: event.data.playedAtMs };
    default:
      return state;
  }
};

/** The votes for one song of one list; the id is {@link democraticSongId}'s. */
export const democraticSong: Aggregate<DemocraticSongState, DemocraticSongCommand, DemocraticSongEvent> = {
  context: 'playback',
  kind: 'democratic-song',
  initialState: { voters: [], playedAtMs: 0 },
  decide,
  evolve,
};
