import type { ChatMessageView } from '../../../reads/people/chat.reads.js';
import { objectTable } from '../../../render/object-table.js';
import { fieldsOf } from './fields.js';

const fields = fieldsOf<ChatMessageView>();

/** A chat message; its time is in milliseconds. */
export const chatMessage = objectTable<ChatMessageView, undefined>('chatMessage', [
  fields.text('username', ({ username }) => username),
  fields.int('time', ({ atMs }) => atMs),
  fields.text('message', ({ text }) => text),
]);
