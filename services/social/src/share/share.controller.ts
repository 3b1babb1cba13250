import {
  type AggregateRunner,
  decision,
  decisionMeta,
  done,
  type DecisionOutcome,
  HandlesCommand,
  HandlesEvents,
  type JobDelivery,
  type RecordedOf,
  type UserKeys,
  type CommandOf,
  type AnswerTo,
  positionsOf,
} from '@continuo/chassis';
import {
  changeShare,
  createShare,
  deleteShare,
  Rejection,
  shareId as toShareId,
  userDeleted,
  visitShare,
  type CommandMessage,
  type ShareId,
  type UserId,
} from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { ShareIds } from './share-ids.js';
import type { ShareSecrets } from './share-secrets.js';
import { share, type ShareCommand } from './share.decider.js';

/** Dependencies of the handlers of shares. */
export interface ShareDependencies {
  readonly aggregates: AggregateRunner;
  readonly ids: ShareIds;
  readonly secrets: ShareSecrets;
  /** Refuses another share to an account that has as many as it may. */
  readonly requireRoom: (userId: UserId) => Promise<void>;
  /** Keys that seal the texts of people. */
  readonly keys: UserKeys;
}

/** Injection token of the {@link ShareDependencies}. */
export const SHARE_DEPENDENCIES = Symbol('ShareDependencies');

/** Answers the commands about shares. */
@Controller()
export class ShareController {
  constructor(@Inject(SHARE_DEPENDENCIES) private readonly tools: ShareDependencies) {}

  /** Makes a share. */
  @HandlesCommand(createShare)
  async create(message: CommandOf<typeof createShare>): AnswerTo<typeof createShare> {
    const { ids, secrets } = this.tools;
    await this.tools.requireRoom(message.data.userId);
    const sealedDescription = await this.sealed(message.data.userId, message.data.description);
    const made = { ...message.data, description: '', sealedDescription, ...secrets.of(message.id), createdAtMs: message.at };
    return ids.under(message.id, async (number) => {
      const shareId = toShareId.parse(number);
      const outcome = await this.decide(message, shareId, { type: 'create', share: { ...made, shareId } });
      return { result: { shareId }, positions: positionsOf(outcome) };
    });
  }

  /** Changes the terms of a share. */
  @HandlesCommand(changeShare)
  async change(message: CommandOf<typeof changeShare>): AnswerTo<typeof changeShare> {
    const { shareId, description, ...changes } = message.data;
    if (description === undefined) return done(this.decide(message, shareId, { type: 'change', shareId, changes }));
    const { userId } = (await this.tools.aggregates.load(share, shareId)).state;
    if (userId === null) throw new Rejection('share.not-found');
    const said = { ...changes, userId, sealedDescription: await this.sealed(userId, description) };
    return done(this.decide(message, shareId, { type: 'change', shareId, changes: said }));
  }

  /** Counts a visit. */
  @HandlesCommand(visitShare)
  visit(message: CommandOf<typeof visitShare>): AnswerTo<typeof visitShare> {
    const { shareId } = message.data;
    return done(this.decide(message, shareId, { type: 'visit', shareId, nowMs: message.at }));
  }

  /** Ends a share. */
  @HandlesCommand(deleteShare)
  delete(message: CommandOf<typeof deleteShare>): AnswerTo<typeof deleteShare> {
    const { shareId } = message.data;
    return done(this.decide(message, shareId, { type: 'delete', shareId }));
  }

  /** Ends the shares of deleted accounts: nobody could manage them, and their descriptions cannot be decrypted any more. */
  @HandlesEvents('identity', 'end-shares', [userDeleted], { startFrom: 'all', aggregates: ['user'] })
  async endAll({ id, at, data: { userId } }: RecordedOf<typeof userDeleted>, delivery: JobDelivery): Promise<void> {
    const { actor, correlationId, causationId } = delivery;
    for (const shareId of await this.tools.ids.ofUser(userId)) {
      const meta = { actor, correlationId, causationId, commandId: `${id}-${shareId}`, at };
      await this.tools.aggregates.run([decision(share, shareId, { type: 'delete', shareId })], meta);
    }
  }

  private async sealed(userId: UserId, text: string): Promise<string> {
    return (await this.tools.keys.sealerFor(userId)).seal(text);
  }

  private decide(message: CommandMessage, shareId: ShareId, command: ShareCommand): Promise<DecisionOutcome> {
    return this.tools.aggregates.run([decision(share, shareId, command)], decisionMeta(message));
  }
}
