import type { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { makeShout, sendChatMessage, toggleFollow, type ReadModel } from '@continuo/contracts';
import type { Kysely } from 'kysely';
import { TEST_NOW_MS } from '../servers/test-gateway.js';

const MINUTE_MS = 60_000;
/** Followed by nobody, and follows nobody. */
const THIRD = { id: 3, username: 'third & last' };

/** Answers what people do with each other. */
export const withCommunity = (commands: InMemoryCommandClient): InMemoryCommandClient =>
  commands
    .handle(toggleFollow, async () => ({ result: { following: true }, positions: [] }))
    .handle(makeShout, async () => ({ result: { shoutId: 9 }, positions: [] }))
    .handle(sendChatMessage, async () => ({ result: {}, positions: [] }));

const at = (minutesAgo: number): number => TEST_NOW_MS - minutesAgo * MINUTE_MS;

/**
 * Three accounts beyond those of every test gateway: one that nobody knows, one that follows, one that is disabled. The first two accounts follow each other, like, rate and shout,
 * also about what is not there.
 */
export const seedCommunity = async (db: Kysely<ReadModel>): Promise<void> => {
  const like = await db.selectFrom('social.user').selectAll().where('id', '=', 2).executeTakeFirstOrThrow();
  const more = [THIRD, { id: 4, username: 'follower' }, { id: 5, username: 'gone', disabled: true }];
  await db
    .insertInto('social.user')
    .values(more.map((one) => ({ ...like, ...one, username_key: one.username })))
    .execute();
  const follows = [
    [2, 1, 50],
    [1, 2, 40],
    [4, 2, 30],
    [5, 2, 20],
    [1, 5, 10],
  ] as const;
  await db
    .insertInto('social.follow')
    .values(follows.map(([user_id, followed_id, minutes]) => ({ user_id, followed_id, followed_at_ms: at(minutes) })))
    .execute();
  await db
    .insertInto('social.activity')
    .values([
      { id: 1, user_id: 2, action: 'follow', kind: 'user', object_id: 1, at_ms: at(50) },
      { id: 2, user_id: 1, action: 'follow', kind: 'user', object_id: 2, at_ms: at(40) },
      { id: 3, user_id: 2, action: 'rating', kind: 'song', object_id: 1, at_ms: at(60) },
      { id: 4, user_id: 2, action: 'userflag', kind: 'album', object_id: 1, at_ms: at(60) },
      { id: 5, user_id: 2, action: 'userflag', kind: 'song', object_id: 999, at_ms: at(1) },
      { id: 6, user_id: 5, action: 'rating', kind: 'song', object_id: 1, at_ms: at(2) },
    ])
    .execute();
  await db
    .insertInto('social.shout')
    .values([
      { id: 1, user_id: 2, number: 1, kind: 'album', object_id: 1, text: 'Play it <loud> & long', at_ms: at(70) },
      { id: 2, user_id: 1, number: 1, kind: 'song', object_id: 2, text: 'Ends ]]> too early 🎻', at_ms: at(45) },
      { id: 3, user_id: 1, number: 2, kind: 'song', object_id: 999, text: 'about what is gone', at_ms: at(5) },
    ])
    .execute();
  await db
    .insertInto('social.chat_message')
    .values([
      { id: 1, user_id: 1, text: 'Anybody <here>?', at_ms: at(3) },
      { id: 2, user_id: 2, text: 'Me 🎻 & "co"', at_ms: at(2) },
    ])
    .execute();
};
