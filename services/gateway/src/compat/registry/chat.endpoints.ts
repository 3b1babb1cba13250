import { cleanText, MAX_CHAT_CHARS, sendChatMessage } from '@continuo/contracts';
import { runCommand } from '../../commands.js';
import { chatMessages } from '../../reads/chat.reads.js';
import { containerBody } from '../documents.js';
import { CompatError } from '../errors.js';
import { chatMessage } from '../objects/chat-message.object.js';
import { optionalInt, requiredText } from '../parameters.js';
import { action, anybody, document, type Access } from './endpoint.js';

/** Guests read and do not write. */
const writers: Access = { level: 25 };

const textOf = (message: string): string => {
  const text = cleanText(message);
  if (text === '') throw new CompatError(10, 'Required parameter is missing: message');
  if (text.length > MAX_CHAT_CHARS) throw new CompatError(10, `Parameter message has more than ${MAX_CHAT_CHARS} characters`);
  return text;
};

/** The chat (compat facts, section 8.9): newest last. Off, nobody has said anything and nobody can. */
export const chatEndpoints = {
  getChatMessages: document({
    access: anybody,
    params: { since: optionalInt },
    body: containerBody('chatMessages', 'chatMessage', chatMessage),
    answer: ({ params, services }) => (services.config.SOCIABLE ? chatMessages(services.db, params.since ?? 0) : []),
  }),
  addChatMessage: action({
    access: writers,
    params: { message: requiredText },
    act: async ({ params, services, context }) => {
      if (!services.config.SOCIABLE) throw new CompatError(0, 'Chat is switched off on this server');
      await runCommand(services, context, sendChatMessage, { userId: context.caller.account.id, text: textOf(params.message) });
    },
  }),
} as const;
