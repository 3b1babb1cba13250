import { randomUUID } from 'node:crypto';
import {
  deleteUser,
  eventStreams,
  flagObjects,
  makeShout,
  MAX_CHAT_CHARS,
  rateObject,
  registerUser,
  removeShout,
  sendChatMessage,
  toggleFollow,
  userId,
  type UserId,
} from '@continuo/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunningSocial } from '../../test/running-social.js';

let social: RunningSocial;

beforeAll(async () => {
  social = await RunningSocial.start();
});
afterAll(() => social.stop());

const [ada, bob, cleo] = [userId.parse(101), userId.parse(102), userId.parse(103)];
const activityOf = (user: UserId) =>
  social.db
    .selectFrom('social.activity')
    .select(['action', 'kind', 'object_id'])
    .where('user_id', '=', user)
    .orderBy('at_ms')
    .orderBy('id')
    .execute();
const follow = (follower: UserId, followed: UserId, commandId?: string) =>
  social.send(toggleFollow, { userId: follower, followedId: followed }, commandId);

describe('following', () => {
  it('begins and ends, and a retried command does not turn it back', async () => {
    const commandId = randomUUID();
    expect(await follow(ada, bob, commandId)).toEqual({ following: true });
    expect(await follow(ada, bob, commandId)).toEqual({ following: true });
    const rows = () => social.db.selectFrom('social.follow').select('followed_id').where('user_id', '=', ada).execute();
    expect(await rows()).toEqual([{ followed_id: bob }]);
    expect(await follow(ada, bob)).toEqual({ following: false });
    expect(await rows()).toEqual([]);
    expect(await activityOf(ada)).toEqual([]);
  });
  it('is refused with oneself', async () => {
    await expect(follow(ada, ada)).rejects.toMatchObject({ code: 'input.invalid' });
  });
  it('takes an even number of calls at once to where it began', async () => {
    await Promise.all(Array.from({ length: 10 }, () => follow(cleo, bob)));
    expect(await social.db.selectFrom('social.follow').selectAll().where('user_id', '=', cleo).execute()).toEqual([]);
  });
});

describe('activity', () => {
  it('has one entry for what holds, of the last time, and none for what is taken back', async () => {
    const song = { kind: 'song', objectId: 7 } as const;
    await social.send(rateObject, { userId: bob, ...song, rating: 3 });
    await social.send(flagObjects, { userId: bob, flagged: true, objects: [song, { kind: 'album', objectId: 2 }] });
    await follow(bob, ada);
    await social.send(rateObject, { userId: bob, ...song, rating: 5 });
    expect(await activityOf(bob)).toEqual([
      { action: 'userflag', kind: 'song', object_id: 7 },
      { action: 'userflag', kind: 'album', object_id: 2 },
      { action: 'follow', kind: 'user', object_id: ada },
      { action: 'rating', kind: 'song', object_id: 7 },
    ]);
    await social.send(rateObject, { userId: bob, ...song, rating: 0 });
    await social.send(flagObjects, { userId: bob, flagged: false, objects: [song] });
    expect(await activityOf(bob)).toEqual([
      { action: 'userflag', kind: 'album', object_id: 2 },
      { action: 'follow', kind: 'user', object_id: ada },
    ]);
  });
});

describe('what people write', () => {
  const album = { kind: 'album', objectId: 2 } as const;
  const shouts = (user: UserId) =>
    social.db.selectFrom('social.shout').select(['id', 'number', 'text']).where('user_id', '=', user).orderBy('id').execute();
  const chat = (user: UserId) =>
    social.db.selectFrom('social.chat_message').select('text').where('user_id', '=', user).orderBy('id').execute();

  it('is kept as text without what no document can hold', async () => {
    const { shoutId } = await social.send(makeShout, { userId: ada, ...album, text: ' so\u0000 good 🎻\nreally \ud83d' });
    expect(await shouts(ada)).toEqual([{ id: shoutId, number: 1, text: 'so good 🎻\nreally \ufffd' }]);
    await social.send(removeShout, { userId: ada, number: 1 });
    await social.send(removeShout, { userId: ada, number: 1 });
    expect(await shouts(ada)).toEqual([]);
    const again = await social.send(makeShout, { userId: ada, ...album, text: 'again' });
    expect(await shouts(ada)).toEqual([{ id: again.shoutId, number: 2, text: 'again' }]);
  });
  it.each(['', ' \u0000 ', 'x'.repeat(MAX_CHAT_CHARS + 1), 'x'.repeat(100_000)])(
    'refuses texts that say nothing or too much (%#)',
    async (text) => {
      await expect(social.send(sendChatMessage, { userId: ada, text })).rejects.toMatchObject({ code: 'input.invalid' });
      await expect(social.send(makeShout, { userId: ada, ...album, text })).rejects.toMatchObject({ code: 'input.invalid' });
    },
  );
  it('comes from two replicas at once without loss', async () => {
    const texts = Array.from({ length: 30 }, (_, n) => `message ${n}`);
    await Promise.all(texts.map((text) => social.send(sendChatMessage, { userId: bob, text })));
    expect((await chat(bob)).map(({ text }) => text).toSorted()).toEqual(texts.toSorted());
  }, 30_000);
  it('cannot be read in the log, and goes with the account', async () => {
    const registered = await social.send(registerUser, { username: 'dora', password: 'dora-dora', access: 25 });
    const dora = userId.parse(registered.userId);
    await social.send(makeShout, { userId: dora, ...album, text: 'a telling remark' });
    await social.send(sendChatMessage, { userId: dora, text: 'a telling remark' });
    expect(await shouts(dora)).toHaveLength(1);
    const manager = await jetstreamManager(social.deps.nats);
    const stream = eventStreams.identity;
    const { state } = await manager.streams.info(stream);
    for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
      const message = await manager.streams.getMessage(stream, { seq });
      expect(message?.string() ?? '').not.toContain('telling');
    }
    await social.send(deleteUser, { userId: dora });
    expect([await shouts(dora), await chat(dora)]).toEqual([[], []]);
  });
});

it.each(['social-activity', 'social-remarks'])('%s is rebuilt to the same tables', async (name) => {
  expect((await social.verifyRebuild(name)).differing).toEqual([]);
});
