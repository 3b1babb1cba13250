import {
  decisionMeta,
  HandlesCommand,
  HandlesEvents,
  InTurn,
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
import { BallotBox } from './ballot-box.js';
import type { Ballot } from './democratic-song.decider.js';
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
  readonly #ballots: BallotBox;
  readonly #listeners = new InTurn();
  readonly #taker: TurnTaker;

  constructor(
    @Inject(DEMOCRATIC_AGGREGATES) aggregates: AggregateRunner,
    @Inject(VOTES) private readonly votes: VotesInView,
  ) {
    this.#ballots = new BallotBox(aggregates);
    this.#taker = new TurnTaker(aggregates);
  }

  /** Counts a vote. */
  @HandlesCommand(voteForSong)
  vote(message: CommandMessage<z.output<typeof voteForSong.schema>>): Promise<Done> {
    const { cooldownMs, ...about } = message.data;
    return this.#cast(message, { ...about, wants: true, cooldownMs });
  }

  /** Takes a vote back. */
  @HandlesCommand(withdrawVote)
  withdraw(message: CommandMessage<z.output<typeof withdrawVote.schema>>): Promise<Done> {
    return this.#cast(message, { ...message.data, wants: false, cooldownMs: 0 });
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
      const meta = { actor, correlationId, causationId, commandId: `${id}-${listId}-${songId}`, at };
      const ballot = { userId, wants: false, nowMs: at, cooldownMs: 0 };
      await this.#ballots.cast({ listId, songId: toSongId.parse(songId), ballot, meta });
    }
  }

  async #cast(
    message: CommandMessage<unknown>,
    { listId, songId, ...ballot }: Omit<Ballot, 'nowMs'> & { readonly listId: number; readonly songId: SongId },
  ): Promise<Done> {
    const meta = decisionMeta(message);
    const position = await this.#ballots.cast({ listId, songId, ballot: { ...ballot, nowMs: message.at }, meta });
    return { result: {}, positions: position ? [position] : [] };
  }
}
