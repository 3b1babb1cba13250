import { decision, decisionMeta, HandlesCommand, KeyedMutex, AGGREGATES, type AggregateRunner, type Handled } from '@continuo/chassis';
import { toggleFollow, userFollowed, type CommandMessage } from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { follows } from './follows.decider.js';

/** Answers the commands about following. */
@Controller()
export class FollowController {
  readonly #mutex = new KeyedMutex();

  constructor(@Inject(AGGREGATES) private readonly aggregates: AggregateRunner) {}

  /** Follows an account or lets it go; calls of one user take turns. */
  @HandlesCommand(toggleFollow)
  toggle(message: CommandMessage<z.output<typeof toggleFollow.schema>>): Promise<Handled<z.input<typeof toggleFollow.result>>> {
    const { userId } = message.data;
    return this.#mutex.run(userId, async () => {
      const decisions = [decision(follows, userId, { type: 'toggle', ...message.data })];
      const { position, events } = await this.aggregates.run(decisions, decisionMeta(message));
      const following = events.flat().at(-1)?.type === userFollowed.type;
      return { result: { following }, positions: position ? [position] : [] };
    });
  }
}
