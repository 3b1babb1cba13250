import {
  decision,
  decisionMeta,
  done,
  HandlesCommand,
  HandlesEvents,
  KeyedMutex,
  retryConflicts,
  sha256Hex,
  AGGREGATES,
  type AggregateRunner,
  type DecisionMeta,
  type DecisionOutcome,
  type Handled,
  type JobDelivery,
  type RecordedOf,
} from '@continuo/chassis';
import { savePlayQueue, userDeleted, type CommandMessage, type UserId } from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { playQueue, type PlayQueueCommand } from './play-queue.decider.js';

/** Rounds of the runner's own tries: of two devices that save at once the last one wins, none is refused. */
const ROUNDS = 3;

/** Answers the commands about play queues. */
@Controller()
export class PlayQueueController {
  readonly #mutex = new KeyedMutex();

  constructor(@Inject(AGGREGATES) private readonly aggregates: AggregateRunner) {}

  /** Saves a queue. */
  @HandlesCommand(savePlayQueue)
  save(message: CommandMessage<z.output<typeof savePlayQueue.schema>>): Promise<Handled<Record<string, never>>> {
    const { userId, runs } = message.data;
    const command = { type: 'save', ...message.data, runsSha256: sha256Hex(JSON.stringify(runs)), savedAtMs: message.at } as const;
    return this.#mutex.run(userId, async () => {
      return done(this.#run(userId, command, decisionMeta(message)));
    });
  }

  /** Deletes the queues of deleted accounts. */
  @HandlesEvents('identity', 'end-play-queues', [userDeleted], { startFrom: 'all', aggregates: ['user'] })
  async forget({ id, at, data: { userId } }: RecordedOf<typeof userDeleted>, delivery: JobDelivery): Promise<void> {
    const { actor, correlationId, causationId } = delivery;
    await this.#run(userId, { type: 'forget', userId }, { actor, correlationId, causationId, commandId: `${id}-play-queue`, at });
  }

  #run(userId: UserId, command: PlayQueueCommand, meta: DecisionMeta): Promise<DecisionOutcome> {
    return retryConflicts(ROUNDS, () => this.aggregates.run([decision(playQueue, userId, command)], meta));
  }
}
