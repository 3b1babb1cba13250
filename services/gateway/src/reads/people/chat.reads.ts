import type { ReadDatabase } from '../database/database.js';

/** A message of the chat. */
export interface ChatMessageView {
  readonly username: string;
  readonly atMs: number;
  readonly text: string;
}

/** As many messages as are ever shown, the newest. */
const MOST = 500;

/** Messages of the chat that were written after a time, oldest first. */
export const chatMessages = async (db: ReadDatabase, sinceMs: number): Promise<ChatMessageView[]> => {
  const newestFirst = await db
    .selectFrom('social.chat_message as m')
    .innerJoin('social.user as u', 'u.id', 'm.user_id')
    .select(['u.username', 'm.at_ms as atMs', 'm.text'])
    .where('m.at_ms', '>', sinceMs)
    .orderBy('m.at_ms', 'desc')
    .orderBy('m.id', 'desc')
    .limit(MOST)
    .execute();
  return newestFirst.toReversed();
};
