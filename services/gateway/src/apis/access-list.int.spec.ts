import { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { addAccessRule, Rejection, removeAccessRule, switchAccessRule } from '@continuo/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testReadModel, type TestReadModel } from '../../test/servers/read-model-database.js';
import { fixedAuth, seedTestAccounts, startTestGateway, testAccounts, type TestGateway } from '../../test/servers/test-gateway.js';

const manager = { id: 3, username: 'manager', access: 75, token: 'manager-token' } as const;
let model: TestReadModel;
let gateway: TestGateway;

/** The social service as far as the access list is concerned. */
const answering = (): InMemoryCommandClient => {
  const commands = new InMemoryCommandClient();
  commands.handle(addAccessRule, async ({ data: { userId, startAddress, endAddress, ...rule } }) => {
    if (startAddress === 'nowhere') throw new Rejection('input.invalid', 'not an address: nowhere', 'startAddress');
    const row = { id: 2, user_id: userId, start_address: startAddress, end_address: endAddress, ...rule };
    await model.write.insertInto('social.access_rule').values(row).execute();
    return { result: { ruleId: 2 }, positions: [] };
  });
  commands.handle(switchAccessRule, async ({ data: { ruleId, enabled } }) => {
    await model.write.updateTable('social.access_rule').set({ enabled }).where('id', '=', ruleId).execute();
    return { result: {}, positions: [] };
  });
  commands.handle(removeAccessRule, async ({ data: { ruleId } }) => {
    await model.write.deleteFrom('social.access_rule').where('id', '=', ruleId).execute();
    return { result: {}, positions: [] };
  });
  return commands;
};

beforeAll(async () => {
  model = await testReadModel();
  await seedTestAccounts(model.write);
  gateway = await startTestGateway(model.read, {
    commands: answering(),
    auth: fixedAuth([...Object.values(testAccounts), manager]),
  });
});
const first = {
  id: 1,
  name: 'all',
  level: 75,
  user_id: null,
  type: 'rpc',
  start_address: '0.0.0.0',
  end_address: '255.255.255.255',
} as const;
beforeEach(async () => {
  await model.write.deleteFrom('social.access_rule').execute();
  await model.write
    .insertInto('social.access_rule')
    .values({ ...first, enabled: true })
    .execute();
});
afterAll(async () => {
  await gateway.stop();
  await model.close();
});

type Verb = 'GET' | 'POST' | 'PATCH' | 'DELETE';
const call = async (method: Verb, path: string, payload?: object, token: string = testAccounts.admin.token) => {
  const headers = token === '' ? {} : { authorization: `Bearer ${token}` };
  const answer = await gateway.app.inject({ method, url: `/access-list${path}`, headers, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json<unknown>() };
};
const all = { id: 1, name: 'all', type: 'rpc', start: '0.0.0.0', end: '255.255.255.255', level: 75, user: null, enabled: true };

describe('the access list over HTTP', () => {
  it('is read, added to, switched and cut by administrators', async () => {
    const home = { id: 2, name: 'home', type: 'stream', start: '2001:db8::1', end: '2001:db8::9', level: 25, user: 2, enabled: true };
    const { id: _id, ...wanted } = home;
    expect(await call('POST', '', { ...wanted, user: 'listener' })).toEqual({ status: 201, body: home });
    expect(await call('GET', '')).toEqual({ status: 200, body: { rules: [all, home] } });
    expect(await call('PATCH', '/1', { enabled: false })).toEqual({ status: 200, body: { ...all, enabled: false } });
    expect(await call('DELETE', '/1')).toEqual({ status: 204, body: undefined });
    expect(await call('GET', '')).toEqual({ status: 200, body: { rules: [home] } });
  });
  it('needs no more than a use and an address', async () => {
    const rule = { id: 2, name: 'rpc 10.0.0.1', type: 'rpc', start: '10.0.0.1', end: '10.0.0.1', level: 75, user: null, enabled: true };
    expect(await call('POST', '', { type: 'rpc', start: '10.0.0.1' })).toEqual({ status: 201, body: rule });
  });
  it.each([
    ['a use that there is not', { type: 'foo', start: '10.0.0.1' }, 'type', 400],
    ['no address', { type: 'rpc' }, 'start', 400],
    ['what is no address', { type: 'rpc', start: 'nowhere' }, 'start', 400],
    ['a level that there is not', { type: 'rpc', start: '10.0.0.1', level: 30 }, 'level', 400],
    ['an account that there is not', { type: 'rpc', start: '10.0.0.1', user: 'nobody' }, 'user', 404],
  ])('refuses %s', async (_what, rule, parameter, status) => {
    expect(await call('POST', '', rule)).toMatchObject({ status, body: { error: { parameter } } });
    expect(await call('GET', '')).toMatchObject({ body: { rules: [all] } });
  });
  it.each(['7', 'x', '0', '99999999999'])('has no rule %s', async (id) => {
    for (const method of ['PATCH', 'DELETE'] as const)
      expect(await call(method, `/${id}`, { enabled: true })).toMatchObject({ status: 404, body: { error: { parameter: 'id' } } });
  });
  it.each([
    ['nobody', '', 401],
    ['a user', testAccounts.listener.token, 403],
    ['a catalog manager', manager.token, 403],
  ])('is nothing to %s', async (_who, token, status) => {
    const rule = { type: 'rpc', start: '10.0.0.1' };
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['PATCH', '/1'],
      ['DELETE', '/1'],
    ] as const)
      expect(await call(method, path, { ...rule, enabled: false }, token)).toMatchObject({ status });
    expect(await call('GET', '')).toMatchObject({ body: { rules: [all] } });
  });
});
