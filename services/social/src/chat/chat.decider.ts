import type { Aggregate } from '@continuo/chassis';
import { chatMessageSent, type ChatEvent, type UserId } from '@continuo/contracts';

/** Says something in the chat; the text comes sealed. */
export interface ChatCommand {
  readonly type: 'send';
  readonly userId: UserId;
  readonly sealedText: string;
}

/** Chat messages of one user; the id is the user's. No message is ever refused, so no state is kept. */
export const chat: Aggregate<object, ChatCommand, ChatEvent> = {
  context: 'identity',
  kind: 'chat',
  initialState: {},
  decide: (_state, { userId, sealedText }) => [chatMessageSent({ userId, sealedText })],
  evolve: (state) => state,
};
