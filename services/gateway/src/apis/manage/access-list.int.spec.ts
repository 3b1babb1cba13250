import { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { addAccessRule, Rejection, removeAccessRule, switchAccessRule } from '@continuo/contracts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { manageClient } from '../../../test/manage/manage-client.js';
import { ruleRow } from '../../../test/auth/auth.fixture.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { fixedAuth, seedTestAccounts, startTestGateway, testAccounts, type TestGateway } from '../../../test/servers/test-gateway.js';

const ADDED = 6;
const commands = new InMemoryCommandClient()
  .handle(addAccessRule, async ({ data: { userId, startAddress, endAddress, ...rule } }) => {
    if (startAddress === 'nowhere') throw new Rejection('input.invalid', 'not an address: nowhere', 'startAddress');
    const row = { id: ADDED, user_id: userId, start_address: startAddress, end_address: endAddress, ...rule };
    await model.write.insertInto('social.access_rule').values(row).execute();
    return { result: { ruleId: ADDED }, positions: [] };
  })
  .handle(removeAccessRule, async () => ({ result: {}, positions: [] }))
  .handle(switchAccessRule, async () => ({ result: {}, positions: [] }));

let model: TestReadModel;
let gateway: TestGateway;
let call: ReturnType<typeof manageClient>;
beforeAll(async () => {
  model = await testReadModel();
  await seedTestAccounts(model.write);
  gateway = await startTestGateway(model.read, { commands });
  call = manageClient(gateway.app);
});
afterAll(async () => {
  await gateway.stop();
  await model.close();
});

/** Admits the address of this spec to the APIs; the others do not. */
const LAST = 1;
beforeEach(async () => {
  await model.write.deleteFrom('social.access_rule').execute();
  await model.write
    .insertInto('social.access_rule')
    .values([
      ruleRow({ id: LAST, user_id: testAccounts.admin.id }),
      ruleRow({ id: 2, type: 'stream' }),
      ruleRow({ id: 3, enabled: false }),
      ruleRow({ id: 4, user_id: testAccounts.admin.id + 1 }),
      ruleRow({ id: 5, start_address: '10.0.0.0', end_address: '10.255.255.255' }),
    ])
    .execute();
});

const disable = (id: number, query = '') => call('PATCH', `/access-list/${id}${query}`, { body: { enabled: false } });
const remove = (id: number, query = '') => call('DELETE', `/access-list/${id}${query}`);

const rules = async (): Promise<unknown[]> => ((await call('GET', '/access-list')).body as { items: unknown[] }).items;

it('adds a rule of a use and an address, or of all that a rule says', async () => {
  const least = { name: 'rpc 10.0.0.1', type: 'rpc', start: '10.0.0.1', end: '10.0.0.1', level: 75, userId: null, enabled: true };
  const added = await call('POST', '/access-list', { body: { type: 'rpc', start: '10.0.0.1' } });
  expect(added).toMatchObject({ status: 201, body: { id: ADDED, ...least } });
  expect(await rules()).toContainEqual({ id: ADDED, ...least });
  await model.write.deleteFrom('social.access_rule').where('id', '=', ADDED).execute();
  const userId = testAccounts.listener.id;
  const home = { name: 'home', type: 'stream', start: '2001:db8::1', end: '2001:db8::9', level: 25, userId, enabled: false };
  expect((await call('POST', '/access-list', { body: home })).body).toEqual({ id: ADDED, ...home });
});

it.each([
  ['a use that there is not', { type: 'foo', start: '10.0.0.1' }, '/type'],
  ['no address', { type: 'rpc' }, '/start'],
  ['what is no address', { type: 'rpc', start: 'nowhere' }, '/start'],
  ['a level that there is not', { type: 'rpc', start: '10.0.0.1', level: 30 }, '/level'],
  ['an account that there is not', { type: 'rpc', start: '10.0.0.1', userId: 4711 }, '/userId'],
])('adds no rule with %s', async (_what, body, pointer) => {
  const before = await rules();
  const refused = { type: '/docs/problems#input.invalid', errors: [{ in: 'body', pointer }] };
  expect(await call('POST', '/access-list', { body })).toMatchObject({ status: 400, body: refused });
  expect(await rules()).toEqual(before);
});

it('keeps the only rule that admits the caller, unless it is forced', async () => {
  const sentBefore = commands.sent.length;
  const refused = { status: 409, body: { type: '/docs/problems#access.last-rule', detail: expect.stringContaining('127.0.0.1') } };
  expect(await disable(LAST)).toMatchObject(refused);
  expect(await remove(LAST)).toMatchObject(refused);
  expect(await remove(LAST, '?force=false')).toMatchObject(refused);
  expect(commands.sent.length).toBe(sentBefore);
  expect((await disable(LAST, '?force=true')).status).toBe(200);
  expect((await remove(LAST, '?force=true')).status).toBe(204);
});

it('removes every other rule, and that one beside another that admits the caller', async () => {
  for (const id of [2, 3, 4, 5]) expect([(await disable(id)).status, (await remove(id)).status]).toEqual([200, 204]);
  await model.write.updateTable('social.access_rule').set({ enabled: true }).where('id', '=', 3).execute();
  expect((await remove(LAST)).status).toBe(204);
});

it('tells whom the list lets in from an address, and lets nobody in who is disabled', async () => {
  const { admin, ...others } = testAccounts;
  await model.write.updateTable('social.user').set({ disabled: true }).where('id', '=', admin.id).execute();
  const auth = { ...fixedAuth(), admits: async (use: string, address: string) => use !== 'stream' && address === '10.0.0.7' };
  const asked = await startTestGateway(model.read, { auth });
  const admissions = async (query: string) => (await manageClient(asked.app)('GET', `/admissions?${query}`)).body;
  const [first] = Object.values(others).toSorted((a, b) => (a.username < b.username ? -1 : 1));
  const shut = { rpc: false, stream: false, interface: false };
  const { items, nextCursor } = (await admissions('address=10.0.0.7')) as { items: { accountId: number }[]; nextCursor: null };
  expect(nextCursor).toBeNull();
  expect(items.find(({ accountId }) => accountId === admin.id)).toEqual({ accountId: admin.id, username: admin.username, ...shut });
  expect(items.find(({ accountId }) => accountId === first?.id)).toEqual({
    accountId: first?.id,
    username: first?.username,
    rpc: true,
    stream: false,
    interface: true,
  });
  expect(await admissions('address=10.0.0.8&limit=1')).toMatchObject({ items: [shut], nextCursor: expect.any(String) });
  expect((await manageClient(asked.app)('GET', '/admissions?address=home')).status).toBe(400);
  await asked.stop();
});
