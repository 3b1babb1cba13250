import {
  decision,
  decisionMeta,
  done,
  HandlesCommand,
  positionsOf,
  AGGREGATES,
  DATABASE,
  type AggregateRunner,
  type DecisionOutcome,
  type CommandOf,
  type AnswerTo,
} from '@continuo/chassis';
import { changeLiveStream, createLiveStream, deleteLiveStream, liveStreamId, type CommandMessage } from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { userContentIds } from '../identity/user-content-ids.js';
import { liveStream, type LiveStreamCommand } from './live-stream.decider.js';

/** Answers the commands about live streams. */
@Controller()
export class LiveStreamController {
  constructor(
    @Inject(AGGREGATES) private readonly aggregates: AggregateRunner,
    @Inject(DATABASE) private readonly db: Kysely<unknown>,
  ) {}

  /** Makes a station. */
  @HandlesCommand(createLiveStream)
  create(message: CommandOf<typeof createLiveStream>): AnswerTo<typeof createLiveStream> {
    return userContentIds(this.db, 'live_stream').under(message.id, async (number) => {
      const id = liveStreamId.parse(number);
      const outcome = await this.decide(message, { type: 'create', liveStreamId: id, terms: message.data });
      return { result: { liveStreamId: id }, positions: positionsOf(outcome) };
    });
  }

  /** Changes what is said of it. */
  @HandlesCommand(changeLiveStream)
  change(message: CommandOf<typeof changeLiveStream>): AnswerTo<typeof changeLiveStream> {
    const { liveStreamId: id, ...changes } = message.data;
    return done(this.decide(message, { type: 'change', liveStreamId: id, changes }));
  }

  /** Ends a station. */
  @HandlesCommand(deleteLiveStream)
  delete(message: CommandOf<typeof deleteLiveStream>): AnswerTo<typeof deleteLiveStream> {
    return done(this.decide(message, { type: 'delete', ...message.data }));
  }

  private decide(message: CommandMessage, command: LiveStreamCommand): Promise<DecisionOutcome> {
    return this.aggregates.run([decision(liveStream, command.liveStreamId, command)], decisionMeta(message));
  }
}
