import type { ChatMessageView } from '../../reads/chat.reads.js';
import { objectTable } from '../../render/object-table.js';
import { fieldsOf } from './fields.js';

const fields = fieldsOf<ChatMessageView>();

/** What somebody wrote into the chat; its time is in milliseconds, one of the few that are. */
export const chatMessage = objectTable<ChatMessageView, undefined>('chatMessage', [
  fields.text('username', ({ username }) => username),
  fields.num('time', ({ atMs }) => atMs),
  fields.text('message', ({ text }) => text),
]);
