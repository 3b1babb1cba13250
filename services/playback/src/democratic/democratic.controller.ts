import {
  decisionMeta,
  HandlesCommand,
  HandlesEvents,
  KeyedMutex,
  AGGREGATES,
  type AggregateRunner,
  type Handled,
  type JobDelivery,
  type RecordedOf,
} from '@continuo/chassis';
import {
  songId as toSongId,
  takeDemocraticTurn,
  userDeleted,
  voteForSong,
  withdrawVote,
  type CommandMessage,
  type SongId,
} from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { VoteService } from './vote-service.js';
import type { Vote } from './democratic-song.decider.js';
import { NextSongSelector } from './next-song-selector.js';
import type { VotesInView } from './votes-in-view.js';

/** Injection token of the {@link VotesInView}. */
export const VOTES = Symbol('VotesInView');

type Done = Handled<Record<string, never>>;

/** Handles the commands of democratic play: votes, withdrawn votes, and the next song of a listener. */
@Controller()
export class DemocraticController {
  readonly #voteService: VoteService;
  readonly #mutex = new KeyedMutex();
  readonly #nextSong: NextSongSelector;

  constructor(
    @Inject(AGGREGATES) aggregates: AggregateRunner,
    @Inject(VOTES) private readonly votes: VotesInView,
  ) {
    this.#voteService = new VoteService(aggregates);
    this.#nextSong = new NextSongSelector(aggregates);
  }

  /** Counts a vote. */
  @HandlesCommand(voteForSong)
  vote(message: CommandMessage<z.output<typeof voteForSong.schema>>): Promise<Done> {
    const { cooldownMs, ...about } = message.data;
    return this.#cast(message, { ...about, wants: true, cooldownMs });
  }

  /** Withdraws a vote. */
  @HandlesCommand(withdrawVote)
  withdraw(message: CommandMessage<z.output<typeof withdrawVote.schema>>): Promise<Done> {
    return this.#cast(message, { ...message.data, wants: false, cooldownMs: 0 });
  }

  /** Selects the song that a client plays next. Requests of one listener run one after the other. */
  @HandlesCommand(takeDemocraticTurn)
  takeTurn(
    message: CommandMessage<z.output<typeof takeDemocraticTurn.schema>>,
  ): Promise<Handled<z.input<typeof takeDemocraticTurn.result>>> {
    return this.#mutex.run(message.data.userId, async () => {
      const { songId, positions } = await this.#nextSong.take(message);
      return { result: { songId }, positions };
    });
  }

  /** Withdraws the votes of a deleted account, one song per append, so that a retry continues where it stopped. */
  @HandlesEvents('identity', 'forget-votes', [userDeleted], { startFrom: 'all', aggregates: ['user'] })
  async forget({ id, at, data: { userId } }: RecordedOf<typeof userDeleted>, delivery: JobDelivery): Promise<void> {
    const { actor, correlationId, causationId } = delivery;
    for (const { listId, songId } of await this.votes.ofUser(userId)) {
      const meta = { actor, correlationId, causationId, commandId: `${id}-${listId}-${songId}`, at };
      const vote = { userId, wants: false, nowMs: at, cooldownMs: 0 };
      await this.#voteService.cast({ listId, songId: toSongId.parse(songId), vote, meta });
    }
  }

  async #cast(
    message: CommandMessage<unknown>,
    { listId, songId, ...vote }: Omit<Vote, 'nowMs'> & { readonly listId: number; readonly songId: SongId },
  ): Promise<Done> {
    const meta = decisionMeta(message);
    const position = await this.#voteService.cast({ listId, songId, vote: { ...vote, nowMs: message.at }, meta });
    return { result: {}, positions: position ? [position] : [] };
  }
}
