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

/** The aggregate that keeps the votes for one song: those for different songs never wait for each other. */
export const democraticSongId = (listId: number, songId: number): string => `${listId}-${songId}`;

/** Which song of which list it is about. */
interface About {
  readonly listId: number;
  readonly songId: SongId;
}

/** What one user wants: that the song be played, or no longer. A song that was played less than `cooldownMs` before `nowMs` takes no votes. */
export interface Ballot {
  readonly userId: UserId;
  readonly wants: boolean;
  readonly nowMs: number;
  readonly cooldownMs: number;
}

/** Casts ballots in their order, all or none of them; or plays the song, at `nowMs`. */
export type DemocraticSongCommand = About &
  ({ readonly type: 'cast'; readonly ballots: readonly Ballot[] } | { readonly type: 'play'; readonly nowMs: number });

/** Who votes for the song, and when its votes were last used up (0: never). */
export interface DemocraticSongState {
  readonly voters: readonly UserId[];
  readonly playedAtMs: number;
}

const cast = (state: DemocraticSongState, { listId, songId }: About, ballots: readonly Ballot[]): DemocraticSongEvent[] => {
  const voters = new Set(state.voters);
  return ballots.flatMap(({ userId, wants, nowMs, cooldownMs }): DemocraticSongEvent[] => {
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
  if (command.type === 'cast') return cast(state, command, command.ballots);
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
