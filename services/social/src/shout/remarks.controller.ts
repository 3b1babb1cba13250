import {
  type AggregateRunner,
  decision,
  type Decision,
  decisionMeta,
  type DecisionOutcome,
  HandlesCommand,
  InTurn,
  type UserKeys,
  type CommandOf,
  type AnswerTo,
} from '@continuo/chassis';
import { makeShout, removeShout, sendChatMessage, type CommandMessage, type UserId } from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import { AGGREGATES } from '../access/access-list.controller.js';
import { chat } from '../chat/chat.decider.js';
import { shouts } from './shouts.decider.js';

/** Injection token of the users' keys. */
export const USER_KEYS = Symbol('UserKeys');

/** Answers the commands about what people write: shouts and the chat. Texts are sealed under their author's key before they get into the log. */
@Controller()
export class RemarksController {
  readonly #turns = new InTurn();

  constructor(
    @Inject(AGGREGATES) private readonly aggregates: AggregateRunner,
    @Inject(USER_KEYS) private readonly keys: UserKeys,
  ) {}

  /** Says something about a thing. */
  @HandlesCommand(makeShout)
  async makeShout(message: CommandOf<typeof makeShout>): AnswerTo<typeof makeShout> {
    const { userId, kind, objectId } = message.data;
    const sealedText = await this.#sealed(userId, message.data.text);
    const { position } = await this.#run(message, decision(shouts, userId, { type: 'make', userId, kind, objectId, sealedText }));
    if (!position) throw new Error('a shout left no event');
    return { result: { shoutId: position.position }, positions: [position] };
  }

  /** Takes a shout away. */
  @HandlesCommand(removeShout)
  async removeShout(message: CommandOf<typeof removeShout>): AnswerTo<typeof removeShout> {
    const { position } = await this.#run(message, decision(shouts, message.data.userId, { type: 'remove', ...message.data }));
    return { result: {}, positions: position ? [position] : [] };
  }

  /** Writes into the chat. */
  @HandlesCommand(sendChatMessage)
  async sendChatMessage(message: CommandOf<typeof sendChatMessage>): AnswerTo<typeof sendChatMessage> {
    const { userId, text } = message.data;
    const { position } = await this.#run(
      message,
      decision(chat, userId, { type: 'send', userId, sealedText: await this.#sealed(userId, text) }),
    );
    return { result: {}, positions: position ? [position] : [] };
  }

  async #sealed(userId: UserId, text: string): Promise<string> {
    const sealer = await this.keys.sealerFor(userId);
    return sealer.seal(text);
  }

  /** What one user writes at the same time is taken in turn instead of conflicting. */
  #run(message: CommandMessage<{ userId: UserId }>, what: Decision): Promise<DecisionOutcome> {
    return this.#turns.run(message.data.userId, () => this.aggregates.run([what], decisionMeta(message)));
  }
}
