import { cleanText, MAX_CHAT_CHARS, sendChatMessage } from '@continuo/contracts';
import { runCommand } from '../../../../server/commands.js';
import { requireRole } from '../../../../preferences/index.js';
import { chatMessages } from '../../../../reads/people/chat.reads.js';
import { containerBody } from '../../documents.js';
import { CompatError } from '../../errors.js';
import { chatMessage } from '../../objects/chat-message.object.js';
import { optionalInt, requiredText } from '../../parameters.js';
import { endpointsUsing, anybody, type Access } from '../endpoint.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasCommands, HasConfig } from '../../../../server/needs.js';

type Services = HasCommands & HasConfig & HasReadModel;
const { document, action } = endpointsUsing<Services>();

/** Guests cannot write. */
const writers: Access = { level: 25 };

const textOf = (message: string): string => {
  const text = cleanText(message);
  if (text === '') throw new CompatError(10, 'Required parameter is missing: message');
  if (text.length > MAX_CHAT_CHARS) throw new CompatError(10, `Parameter message has more than ${MAX_CHAT_CHARS} characters`);
  return text;
};

/** Operations of the chat, newest message last. When it is off, it is empty and read-only. */
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
    act: async ({ params, services, context, preferences }) => {
      requireRole(preferences, context.caller.account.id, 'comment');
      if (!services.config.SOCIABLE) throw new CompatError(0, 'Chat is switched off on this server');
      await runCommand(services, context, sendChatMessage, { userId: context.caller.account.id, text: textOf(params.message) });
    },
  }),
} as const;
