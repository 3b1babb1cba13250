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

/** Votes of one song. `nowMs` is when the command was given; a song that was played less than `cooldownMs` before takes no votes. */
export type DemocraticSongCommand = About &
  (
    | { readonly type: 'vote'; readonly userId: UserId; readonly nowMs: number; readonly cooldownMs: number }
    | { readonly type: 'withdraw'; readonly userId: UserId }
    | { readonly type: 'play'; readonly nowMs: number }
  );

/** Who votes for the song, and when its votes were last used up (0: never). */
export interface DemocraticSongState {
  readonly voters: readonly UserId[];
  readonly playedAtMs: number;
}

const decide = ({ voters, playedAtMs }: DemocraticSongState, command: DemocraticSongCommand): readonly DemocraticSongEvent[] => {
  const { listId, songId } = command;
  switch (command.type) {
    case 'vote': {
      const { userId, nowMs, cooldownMs } = command;
      if (voters.includes(userId)) return [];
      if (playedAtMs > 0 && nowMs < playedAtMs + cooldownMs) throw new Rejection('democratic.cooling', undefined, 'oid');
      return [songVotedFor({ listId, songId, userId, votedAtMs: nowMs })];
    }
    case 'withdraw':
      return voters.includes(command.userId) ? [songVoteWithdrawn({ listId, songId, userId: command.userId })] : [];
    case 'play':
      if (voters.length === 0) throw new Rejection('song.not-found', 'nobody votes for the song any more');
      return [votedSongPlayed({ listId, songId, playedAtMs: command.nowMs })];
    default:
      return command satisfies never;
  }
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
