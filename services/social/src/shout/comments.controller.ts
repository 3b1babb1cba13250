import {
  decision,
  decisionMeta,
  done,
  HandlesCommand,
  KeyedMutex,
  AGGREGATES,
  USER_KEYS,
  type AggregateRunner,
  type Decision,
  type DecisionOutcome,
  type UserKeys,
  type CommandOf,
  type AnswerTo,
} from '@continuo/chassis';
import { makeShout, removeShout, sendChatMessage, type CommandMessage, type UserId } from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import { chat } from '../chat/chat.decider.js';
import { shouts } from './shouts.decider.js';

/** Answers the commands about what people write: shouts and the chat. Texts are sealed under their author's key before they get into the log. */
@Controller()
export class CommentsController {
  readonly #mutex = new KeyedMutex();

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

  /** Removes a comment. */
  @HandlesCommand(removeShout)
  async removeShout(message: CommandOf<typeof removeShout>): AnswerTo<typeof removeShout> {
    return done(this.#run(message, decision(shouts, message.data.userId, { type: 'remove', ...message.data })));
  }

  /** Writes into the chat. */
  @HandlesCommand(sendChatMessage)
  async sendChatMessage(message: CommandOf<typeof sendChatMessage>): AnswerTo<typeof sendChatMessage> {
    const { userId, text } = message.data;
    return done(this.#run(message, decision(chat, userId, { type: 'send', userId, sealedText: await this.#sealed(userId, text) })));
  }

  async #sealed(userId: UserId, text: string): Promise<string> {
    const sealer = await this.keys.sealerFor(userId);
    return sealer.seal(text);
  }

  /** Serialises the messages of one user instead of letting them conflict. */
  #run(message: CommandMessage<{ userId: UserId }>, what: Decision): Promise<DecisionOutcome> {
    return this.#mutex.run(message.data.userId, () => this.aggregates.run([what], decisionMeta(message)));
  }
}
