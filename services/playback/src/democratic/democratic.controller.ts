import {
  decision,
  decisionMeta,
  HandlesCommand,
  HandlesEvents,
  InTurn,
  type AggregateRunner,
  type Handled,
  type JobDelivery,
  type RecordedOf,
} from '@continuo/chassis';
import { songId as toSongId, takeDemocraticTurn, userDeleted, voteForSong, withdrawVote, type CommandMessage } from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { democraticSong, democraticSongId, type DemocraticSongCommand } from './democratic-song.decider.js';
import { TurnTaker } from './turn-taker.js';
import type { VotesInView } from './votes-in-view.js';

/** Injection token of the {@link AggregateRunner}. */
export const DEMOCRATIC_AGGREGATES = Symbol('AggregateRunner');
/** Injection token of the {@link VotesInView}. */
export const VOTES = Symbol('VotesInView');

type Done = Handled<Record<string, never>>;

/** Answers the commands about what people vote for, and gives listeners their songs. */
@Controller()
export class DemocraticController {
  readonly #songs = new InTurn();
  readonly #listeners = new InTurn();
  readonly #taker: TurnTaker;

  constructor(
    @Inject(DEMOCRATIC_AGGREGATES) private readonly aggregates: AggregateRunner,
    @Inject(VOTES) private readonly votes: VotesInView,
  ) {
    this.#taker = new TurnTaker(aggregates);
  }

  /** Counts a vote. */
  @HandlesCommand(voteForSong)
  vote(message: CommandMessage<z.output<typeof voteForSong.schema>>): Promise<Done> {
    return this.#run(message, { type: 'vote', ...message.data, nowMs: message.at });
  }

  /** Takes a vote back. */
  @HandlesCommand(withdrawVote)
  withdraw(message: CommandMessage<z.output<typeof withdrawVote.schema>>): Promise<Done> {
    return this.#run(message, { type: 'withdraw', ...message.data });
  }

  /** Says what a client plays, and moves it on. Requests of one listener take turns. */
  @HandlesCommand(takeDemocraticTurn)
  takeTurn(
    message: CommandMessage<z.output<typeof takeDemocraticTurn.schema>>,
  ): Promise<Handled<z.input<typeof takeDemocraticTurn.result>>> {
    return this.#listeners.run(message.data.userId, async () => {
      const { songId, positions } = await this.#taker.take(message);
      return { result: { songId }, positions };
    });
  }

  /** Whoever is gone votes no more. A song at a time, so that being tried again goes on where it was. */
  @HandlesEvents('identity', 'forget-votes', [userDeleted], { startFrom: 'all', aggregates: ['user'] })
  async forget({ id, at, data: { userId } }: RecordedOf<typeof userDeleted>, delivery: JobDelivery): Promise<void> {
    const { actor, correlationId, causationId } = delivery;
    for (const { listId, songId } of await this.votes.ofUser(userId)) {
      const song = democraticSongId(listId, songId);
      const meta = { actor, correlationId, causationId, commandId: `${id}-${song}`, at };
      const command = { type: 'withdraw', listId, songId: toSongId.parse(songId), userId } as const;
      await this.aggregates.run([decision(democraticSong, song, command)], meta);
    }
  }

  /** Many vote for the same song at the same moment: votes for one song take turns instead of conflicting. */
  #run(message: CommandMessage<unknown>, command: DemocraticSongCommand): Promise<Done> {
    const song = democraticSongId(command.listId, command.songId);
    return this.#songs.run(song, async () => {
      const { position } = await this.aggregates.run([decision(democraticSong, song, command)], decisionMeta(message));
      return { result: {}, positions: position ? [position] : [] };
    });
  }
}
