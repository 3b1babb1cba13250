import { MAX_CHAT_CHARS, sendChatMessage } from '@continuo/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallParams, TestAccount } from '../../../test/servers/compat-server.js';
import { CompatWorld } from '../../../test/servers/compat-world.js';
import { ShareWriter } from '../../../test/library/share-writer.js';

let world: CompatWorld;

beforeAll(async () => {
  world = await CompatWorld.start();
});
afterAll(() => world.stop());

describe('accounts', () => {
  it('are shown to administrators', async () => {
    const known = { full_name_public: false, full_name: null, website: null, city: null, state: null, disabled: false, created_at_ms: 1 };
    const secrets = { sealed_password_sha256: null, sealed_password_argon2id: null, sealed_compat_password: null };
    const rows = [
      { id: 1, username: 'ada', username_key: 'ada', email: null, access: 100 },
      { id: 3, username: 'Bob', username_key: 'bob', email: null, access: 25 },
    ];
    await world.model.write
      .insertInto('social.user')
      .values(rows.map((row) => ({ ...known, ...secrets, ...row })))
      .execute();
    expect((await world.ask('getUser', { username: 'BOB' })).user).toMatchObject({ username: 'Bob', adminRole: false });
    expect((await world.ask('getUsers')).users.user).toMatchObject([{ username: 'ada', adminRole: true }, { username: 'Bob' }]);
    expect(await world.codeOf('getUsers', {}, 'mia')).toBe(50);
    expect(await world.codeOf('getUser', { username: 'zed' })).toBe(70);
  });
});

describe('the chat', () => {
  it('takes what somebody says, as it can be shown', async () => {
    const said: unknown[] = [];
    world.server.commands.handle(sendChatMessage, async ({ data }) => {
      said.push(data);
      return { result: {}, positions: [] };
    });
    for (const message of ['hello 🎻', ' two\nlines ', '\ud83d alone'])
      expect(await world.codeOf('addChatMessage', { message })).toBeUndefined();
    expect(said).toEqual(['hello 🎻', 'two\nlines', '\ufffd alone'].map((text) => ({ userId: 1, text })));
  });
  it('refuses what says nothing or too much, and guests', async () => {
    expect(await world.codeOf('addChatMessage')).toBe(10);
    expect(await world.codeOf('addChatMessage', { message: ' \u0001 ' })).toBe(10);
    expect(await world.codeOf('addChatMessage', { message: 'x'.repeat(MAX_CHAT_CHARS + 1) })).toBe(10);
    expect(await world.codeOf('addChatMessage', { message: 'hello' }, 'gus')).toBe(50);
  });
  it('answers what is newer than a time, strictly, oldest first', async () => {
    await sql`insert into social."user" (id, username, username_key, full_name_public, access, disabled, created_at_ms)
      values (77, 'chatter', 'chatter', false, 25, false, 0)`.execute(world.model.write);
    const at = (atMs: number, text: string) => ({ id: atMs, user_id: 77, text, at_ms: atMs });
    await world.model.write
      .insertInto('social.chat_message')
      .values([at(2000, 'second'), at(1000, 'first'), at(3000, 'third')])
      .execute();
    const texts = async (params: CallParams): Promise<string[]> =>
      (await world.ask('getChatMessages', params)).chatMessages.chatMessage.map((message: { message: string }) => message.message);
    expect(await texts({})).toEqual(['first', 'second', 'third']);
    expect(await texts({ since: 1000 })).toEqual(['second', 'third']);
    expect(await texts({ since: 3000 })).toEqual([]);
    for (const since of ['-1', 'yesterday', '99999999999999999999']) expect(await texts({ since })).toHaveLength(3);
  });
  it('is empty and closed when it is off, and no account has its role', async () => {
    const closed = await world.another({ SOCIABLE: 'off' });
    const answer = async (operation: string, params: CallParams = {}) =>
      JSON.parse((await closed.call(operation, { ...params, f: 'json' })).body)['subsonic-response'];
    expect((await answer('getChatMessages')).chatMessages).toEqual({ chatMessage: [] });
    expect((await answer('addChatMessage', { message: 'hello' })).error.code).toBe(0);
    expect((await answer('getUser', { username: 'ada' })).user.commentRole).toBe(false);
    expect((await world.ask('getUser', { username: 'ada' })).user.commentRole).toBe(true);
    await closed.app.close();
  });
});

describe('shares', () => {
  it('are the business of their owners and of administrators, and need the role', async () => {
    const shares = new ShareWriter(world.model.write);
    await shares.add({ id: 1, kind: 'album', object_ids: [1], user_id: 3 });
    await shares.add({ id: 2, kind: 'song', object_ids: [2, 1], user_id: 2 });
    const idsOf = async (as: TestAccount) =>
      ((await world.ask('getShares', {}, as)).shares.share ?? []).map(({ id }: { id: string }) => id);
    expect(await idsOf('ada')).toEqual(['sh-2', 'sh-1']);
    expect(await idsOf('bob')).toEqual(['sh-1']);
    expect(await world.codeOf('getShares', {}, 'gus')).toBe(50);
    for (const operation of ['updateShare', 'deleteShare']) {
      expect(await world.codeOf(operation, { id: 'sh-2' }, 'bob')).toBe(70);
      expect(await world.codeOf(operation, { id: 'al-2' }, 'bob')).toBe(70);
      expect((await world.ask(operation, { id: 'sh-1', expires: '99999999999999999' }, 'bob')).status).toBe('ok');
      expect((await world.ask(operation, { id: '2' }, 'ada')).status).toBe('ok');
    }
    const [first] = (await world.ask('getShares', {}, 'ada')).shares.share;
    expect(first.entry.map(({ id }: { id: string }) => id)).toEqual(['so-2', 'so-1']);
    expect(new URL(first.url).pathname).toBe('/share.php');
  });
});

it('starts a scan of every catalog', async () => {
  expect((await world.ask('startScan')).scanStatus).toEqual({ scanning: true, count: 5 });
  const scans = world.server.commands.sent.filter(({ subject }) => subject === 'cmd.ingest.start-scan').map(({ message }) => message.data);
  expect(scans.slice(-2)).toMatchObject([{ catalogId: 1 }, { catalogId: 2 }]);
});
