import { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { toggleFollow, type ReadModel } from '@continuo/contracts';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  fixedAuth,
  seedTestAccounts,
  startTestGateway,
  testAccounts,
  type TestAccount,
  type TestGateway,
} from '../../../test/servers/test-gateway.js';
import { seedCommunity } from '../../../test/library/community-fixture.js';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { fixtureSongs } from '../../../test/library/fixture-songs.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';

/** Sees the second catalog alone. */
const outsider: TestAccount = { id: 4, username: 'follower', access: 5, token: 'outsider-token', catalogs: [2] };

let model: TestReadModel;
let gateway: TestGateway;
let closed: TestGateway;
const sent: unknown[] = [];

const seedFollowed = (db: Kysely<ReadModel>) =>
  db.insertInto('social.activity').values({ id: 50, user_id: 4, action: 'follow', kind: 'user', object_id: 2, at_ms: 1000 }).execute();

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
  await seedTestAccounts(model.write);
  await seedCommunity(model.write);
  await seedFollowed(model.write);
  const commands = new InMemoryCommandClient().handle(toggleFollow, async ({ data }) => {
    sent.push(data);
    return { result: { following: true }, positions: [] };
  });
  const auth = fixedAuth([...Object.values(testAccounts), outsider]);
  gateway = await startTestGateway(model.read, { commands, auth });
  closed = await startTestGateway(model.read, { commands, auth, settings: { SOCIABLE: false } });
});
afterAll(async () => {
  await Promise.all([gateway.stop(), closed.stop()]);
  await model.close();
});

interface Caller {
  readonly token?: string;
  readonly from?: TestGateway;
}
const call = async (
  params: Readonly<Record<string, string>>,
  { token = testAccounts.admin.token, from = gateway }: Caller = {},
  // oxlint-disable-next-line typescript/no-explicit-any
): Promise<any> => {
  const url = `/server/json.server.php?${new URLSearchParams({ version: '8.0.0', ...params }).toString()}`;
  return JSON.parse((await from.app.inject({ url, headers: { authorization: `Bearer ${token}` } })).body);
};
const codeOf = async (params: Readonly<Record<string, string>>, caller?: Caller): Promise<[string, string]> => {
  const { error } = await call(params, caller);
  return [error?.errorCode, error?.errorType];
};

describe('toggle_follow', () => {
  it('sends the caller and whom they name, by number or by name in any case', async () => {
    sent.length = 0;
    for (const filter of ['2', 'Listener', ' listener '])
      expect(await call({ action: 'toggle_follow', filter })).toEqual({ success: 'follow toggled for: 1' });
    expect(sent).toEqual(Array.from({ length: 3 }, () => ({ userId: 1, followedId: 2 })));
  });
  it('takes the older name of the parameter first', async () => {
    sent.length = 0;
    await call({ action: 'toggle_follow', filter: 'nobody', username: 'listener' });
    expect(sent).toEqual([{ userId: 1, followedId: 2 }]);
  });
  it('has a place in the REST form', async () => {
    sent.length = 0;
    const headers = { authorization: `Bearer ${testAccounts.admin.token}` };
    const answer = await gateway.app.inject({ method: 'POST', url: '/rest/8/json/users/2/follow', headers });
    expect(answer.json()).toEqual({ success: 'follow toggled for: 1' });
  });
  it.each([
    [{ action: 'toggle_follow' }, '4710', 'system'],
    [{ action: 'toggle_follow', filter: '1' }, '4710', 'username'],
    [{ action: 'toggle_follow', filter: '' }, '4704', 'username'],
    [{ action: 'toggle_follow', filter: 'nobody' }, '4704', 'username'],
    [{ action: 'toggle_follow', filter: 'gone' }, '4704', 'username'],
    [{ action: 'toggle_follow', filter: 'a\0b' }, '4710', 'filter'],
    [{ action: 'followers', filter: 'x'.repeat(5000) }, '4704', 'username'],
    [{ action: 'following', filter: '999999999' }, '4704', 'username'],
    [{ action: 'last_shouts' }, '4710', 'system'],
    [{ action: 'timeline' }, '4710', 'system'],
    [{ action: 'timeline', filter: 'listener', since: '-1' }, '4710', 'since'],
  ])('refuses %o', async (params: Record<string, string>, code, type) => {
    sent.length = 0;
    expect(await codeOf(params)).toEqual([code, type]);
    expect(sent).toEqual([]);
  });
});

describe('who may see what', () => {
  it('leaves out things of hidden catalogs, in every list', async () => {
    const actions = { timeline: { filter: 'listener' }, friends_timeline: {}, last_shouts: { filter: '' } };
    for (const [action, params] of Object.entries(actions)) {
      const { activity, shout } = await call({ action, ...params, limit: 'none' }, { token: outsider.token });
      const kinds = (activity ?? shout).map((entry: { object_type: string }) => entry.object_type);
      // What the first two accounts did with things is of the first catalog; whom they follow is no secret.
      expect(kinds.filter((kind: string) => kind !== 'user')).toEqual([]);
    }
  });
  it('shows what is seen to whoever sees it all', async () => {
    const { activity } = await call({ action: 'timeline', filter: 'listener', limit: 'none' });
    expect(activity.map((entry: { action: string }) => entry.action).toSorted()).toEqual(['follow', 'rating', 'shout', 'userflag']);
  });
  it('answers nothing for accounts that are disabled, unknown or keep it private', async () => {
    await model.write.insertInto('social.user_preference').values({ user_id: 2, preference_id: 41, value: '0' }).execute();
    for (const filter of ['gone', 'nobody', 'listener']) expect(await call({ action: 'timeline', filter })).toEqual({ activity: [] });
    expect(await call({ action: 'friends_timeline' })).toEqual({ activity: [] });
    const own = await call({ action: 'timeline', filter: 'listener' }, { token: testAccounts.listener.token });
    expect(own.activity).not.toEqual([]);
    await model.write.deleteFrom('social.user_preference').execute();
  });
});

describe('lists', () => {
  it('take conditions and orders, and show nobody else by them', async () => {
    const names = async (params: Record<string, string>): Promise<string[]> =>
      (await call({ action: 'followers', filter: 'listener', ...params })).user.map((user: { username: string }) => user.username);
    expect(await names({})).toEqual(['follower', 'admin']);
    expect(await names({ sort: 'username' })).toEqual(['admin', 'follower']);
    expect(await names({ cond: 'follow_user,1' })).toEqual(['admin']);
    expect(await names({ cond: 'user,1' })).toEqual(['listener']);
    expect(await names({ cond: 'user,0' })).toEqual([]);
    expect(await names({ offset: '1' })).toEqual(['admin']);
  });
  it.each(['0', '', '-3', 'many'])('show ten entries when %j are asked for', async (limit) => {
    expect((await call({ action: 'timeline', filter: 'listener', limit })).activity).toHaveLength(4);
    expect((await call({ action: 'timeline', filter: 'listener', limit: '2' })).activity).toHaveLength(2);
  });
});

it.each(['toggle_follow', 'followers', 'following', 'timeline', 'friends_timeline', 'last_shouts'])(
  '%s is off with the switch',
  async (action) => {
    expect(await codeOf({ action, filter: 'listener' }, { from: closed })).toEqual(['4703', 'system']);
    expect((await call({ action }, { from: closed })).error.errorMessage).toBe('Enable: sociable');
  },
);
