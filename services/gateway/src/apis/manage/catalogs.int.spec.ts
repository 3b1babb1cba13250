import { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { addCatalog, changeCatalog, eventSubject, moveCatalog, removeCatalog, Rejection } from '@continuo/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { fixedAuth, startTestGateway, testAccounts, type TestGateway } from '../../../test/servers/test-gateway.js';
import { manageClient } from '../../../test/manage/manage-client.js';

let model: TestReadModel;
let gateway: TestGateway;
let call: ReturnType<typeof manageClient>;
let added = 0;
const commands = new InMemoryCommandClient();
/** Position of the last event of every catalog, whenever it is asked for. */
const VERSION = 7;
const versions = { lastOf: async () => VERSION };

/** The library service as far as catalogs are concerned. */
const answering = (): InMemoryCommandClient =>
  commands
    .handle(moveCatalog, async ({ data: { path } }) => ({ result: { path }, positions: [] }))
    .handle(addCatalog, async ({ data }) => {
      if (data.path === '/taken') throw new Rejection('catalog.path-taken');
      if (data.path === '/missing') throw new Rejection('catalog.path-unusable', 'no such folder', data.path);
      added += 1;
      const { name, path, type, gatherTypes, renamePattern, sortPattern } = data;
      const row = { id: 100 + added, name, type, path, gather_types: gatherTypes, enabled: true, added_at_ms: 1000, song_count: 0 };
      await model.write
        .insertInto('library.catalog')
        .values({ ...row, rename_pattern: renamePattern, sort_pattern: sortPattern, watched: null, scan_schedule: null })
        .execute();
      return { result: { catalogId: row.id }, positions: [] };
    })
    .handle(changeCatalog, async ({ data: { catalogId, name, enabled, watched, scanSchedule } }) => {
      const set = { ...(name === undefined ? {} : { name }), ...(enabled === undefined ? {} : { enabled }) };
      const own = { ...(watched === undefined ? {} : { watched }), ...(scanSchedule === undefined ? {} : { scan_schedule: scanSchedule }) };
      await model.write
        .updateTable('library.catalog')
        .set({ ...set, ...own })
        .where('id', '=', catalogId)
        .execute();
      return { result: {}, positions: [] };
    })
    .handle(removeCatalog, async ({ data: { catalogId } }) => {
      await model.write.deleteFrom('library.catalog').where('id', '=', catalogId).execute();
      return { result: {}, positions: [] };
    });

beforeAll(async () => {
  model = await testReadModel();
  const ada = { id: 7, username: 'ada', access: 25, token: 'ada-token', catalogs: [101, 103] } as const;
  const part = { id: 8, username: 'part', access: 100, token: 'part-token', catalogs: [102, 103] } as const;
  const auth = fixedAuth([...Object.values(testAccounts), ada, part]);
  gateway = await startTestGateway(model.read, { auth, commands: answering(), versions });
  call = manageClient(gateway.app);
});
beforeEach(async () => {
  await model.write.deleteFrom('library.catalog').execute();
  added = 0;
});
afterAll(async () => {
  await gateway.stop();
  await model.close();
});

const music = { name: 'Music', path: '/music' };
const create = (body: object = music, headers = {}) => call('POST', '/catalogs', { body, headers });

describe('catalogs', () => {
  it('are listed as another account sees them, without those that the caller may not see', async () => {
    for (const name of ['First', 'Second', 'Third']) await create({ name, path: `/${name}` });
    expect((await call('GET', '/catalogs?seenBy=7')).body).toMatchObject({ items: [{ id: 101 }, { id: 103 }], nextCursor: null });
    expect((await call('GET', '/catalogs?seenBy=1')).body).toMatchObject({ items: [{ id: 101 }, { id: 102 }, { id: 103 }] });
    expect((await call('GET', '/catalogs?seenBy=7', { token: 'part-token' })).body).toMatchObject({ items: [{ id: 103 }] });
    expect((await call('GET', '/catalogs?seenBy=99')).status).toBe(404);
  });

  it('are created, read, listed in pages, changed and deleted', async () => {
    const made = await create();
    expect(made).toMatchObject({
      status: 201,
      headers: { location: '/manage/v1/catalogs/101' },
      body: { id: 101, addedAt: '1970-01-01T00:00:01.000Z' },
    });
    for (const name of ['Second', 'Third']) await create({ name, path: `/${name}` });
    const first = await call('GET', '/catalogs?limit=2');
    expect(first.body).toMatchObject({ items: [{ id: 101 }, { id: 102 }], nextCursor: expect.any(String) });
    const second = await call('GET', `/catalogs?limit=2&cursor=${(first.body as { nextCursor: string }).nextCursor}`);
    expect(second.body).toMatchObject({ items: [{ id: 103 }], nextCursor: null });
    expect((await call('PATCH', '/catalogs/101', { body: { name: 'Other', enabled: false } })).body).toMatchObject({
      name: 'Other',
      enabled: false,
    });
    expect(await call('GET', '/catalogs/101')).toMatchObject({ body: { watched: null, scanSchedule: null } });
    const scanning = { watched: true, scanSchedule: '0 3 * * *' };
    expect((await call('PATCH', '/catalogs/101', { body: scanning })).body).toMatchObject({ name: 'Other', ...scanning });
    expect(await call('DELETE', '/catalogs/101')).toMatchObject({ status: 204, body: undefined });
    expect(await call('GET', '/catalogs/101')).toMatchObject({ status: 404, body: { type: '/docs/problems#catalog.not-found' } });
  });

  it('are refused with the code of the service that refuses', async () => {
    expect(await create({ ...music, path: '/taken' })).toMatchObject({
      status: 409,
      body: { type: '/docs/problems#catalog.path-taken', status: 409 },
    });
  });
});

it('a refusal about a value names no field', async () => {
  const { status, body } = await create({ ...music, path: '/missing' });
  expect([status, (body as { errors?: unknown }).errors]).toEqual([400, undefined]);
});

describe('a conditional request', () => {
  it('sends with each command the version that it has read, and which commands are its own', async () => {
    const { headers } = await create();
    const change = (tag: string) => call('PATCH', '/catalogs/101', { body: { name: 'One', path: '/moved' }, headers: { 'if-match': tag } });
    const before = commands.sent.length;
    expect((await change(String(headers['etag']))).status).toBe(200);
    const [moved, renamed] = commands.sent.slice(before).map(({ message }) => message);
    const positions = { [eventSubject('library', 'catalog', 101)]: VERSION };
    expect(moved?.precondition).toEqual({ positions, ownCommandIds: [] });
    expect(renamed?.precondition).toEqual({ positions, ownCommandIds: [moved?.id] });
    expect((await change('*')).status).toBe(200);
    expect(commands.sent.at(-1)?.message.precondition).toBeUndefined();
  });

  it('that needs no command is refused when somebody has changed the catalog meanwhile', async () => {
    const { headers } = await create();
    const change = () => call('PATCH', '/catalogs/101', { body: {}, headers: { 'if-match': String(headers['etag']) } });
    const before = commands.sent.length;
    expect((await change()).status).toBe(200);
    const asked = vi
      .spyOn(versions, 'lastOf')
      .mockResolvedValueOnce(VERSION)
      .mockResolvedValueOnce(VERSION + 1);
    expect((await change()).status).toBe(412);
    expect([asked.mock.calls.length, commands.sent.length]).toEqual([2, before]);
    asked.mockRestore();
  });

  it('is refused when somebody has changed the catalog since', async () => {
    const { headers } = await create();
    const etag = String(headers['etag']);
    const change = (name: string) => call('PATCH', '/catalogs/101', { body: { name }, headers: { 'if-match': etag } });
    expect([(await change('One')).status, (await change('Two')).status]).toEqual([200, 412]);
    expect(await call('DELETE', '/catalogs/101', { headers: { 'if-match': etag } })).toMatchObject({ status: 412 });
    const { headers: now } = await call('GET', '/catalogs/101');
    expect((await call('GET', '/catalogs/101', { headers: { 'if-none-match': String(now['etag']) } })).status).toBe(304);
    expect((await call('DELETE', '/catalogs/101', { headers: { 'if-match': String(now['etag']) } })).status).toBe(204);
    expect((await call('DELETE', '/catalogs/101', { headers: { 'if-match': '*' } })).status).toBe(412);
  });
});

describe('an idempotency key', () => {
  const key = { 'idempotency-key': 'once' };

  it('makes a repetition answer the same without doing it again', async () => {
    const made = await create(music, key);
    const again = await create(music, key);
    expect(again).toMatchObject({
      status: 201,
      body: made.body,
      headers: { location: made.headers['location'], 'idempotency-replayed': 'true' },
    });
    expect(added).toBe(1);
  });

  it('belongs to one request of one caller', async () => {
    await create(music, { 'idempotency-key': 'mine' });
    expect(await create({ ...music, name: 'Other' }, { 'idempotency-key': 'mine' })).toMatchObject({ status: 422 });
    expect(await create(music, { 'idempotency-key': 'ö' })).toMatchObject({ status: 400, body: { errors: [{ in: 'header' }] } });
  });

  it('is free again after a refusal', async () => {
    const refused = { 'idempotency-key': 'refused' };
    expect((await create({ ...music, path: '/taken' }, refused)).status).toBe(409);
    expect((await create(music, refused)).status).toBe(201);
  });

  it('is answered as busy while the request runs', async () => {
    const busy = { 'idempotency-key': 'busy' };
    const statuses = (await Promise.all([create(music, busy), create(music, busy)])).map(({ status }) => status);
    expect(statuses).toEqual(expect.arrayContaining([201, 409]));
  });
});

describe('what the API does not take', () => {
  it('is answered as a problem with the correlation id', async () => {
    const headers = { 'x-correlation-id': 'my-request-1' };
    const answer = await create({ name: '', path: '/x', colour: 'red' }, headers);
    expect(answer).toMatchObject({
      status: 400,
      headers: { 'content-type': 'application/problem+json; charset=utf-8', 'x-correlation-id': 'my-request-1' },
      body: { type: '/docs/problems#input.invalid', status: 400, correlationId: 'my-request-1' },
    });
    expect((answer.body as { errors: unknown[] }).errors).toEqual([
      { in: 'body', pointer: '/name', detail: expect.any(String) },
      { in: 'body', pointer: '/colour', detail: 'unknown field' },
    ]);
  });

  it.each([
    ['GET', '/catalogs?limit=0', 400],
    ['GET', '/catalogs?limit=x', 400],
    ['GET', '/catalogs?colour=red', 400],
    ['GET', '/catalogs?cursor=x', 400],
    ['GET', '/catalogs/x', 404],
    ['GET', '/nothing', 404],
    ['PUT', '/catalogs', 405],
  ] as const)('%s %s answers %i', async (method, path, status) => {
    expect(await call(method, path)).toMatchObject({ status, body: { status } });
  });

  it('is named by the methods that an address does take', async () => {
    expect((await call('DELETE', '/catalogs')).headers['allow']).toBe('GET, HEAD, POST');
  });

  it('is a body that is no JSON', async () => {
    const raw = (type: string, payload: string) =>
      gateway.app.inject({
        method: 'POST',
        url: '/manage/v1/catalogs',
        headers: { authorization: `Bearer ${testAccounts.admin.token}`, 'content-type': type },
        payload,
      });
    expect((await raw('application/x-www-form-urlencoded', 'name=x')).statusCode).toBe(415);
    expect((await raw('application/json', '{')).statusCode).toBe(400);
    expect((await raw('application/json', '[]')).statusCode).toBe(400);
    expect((await raw('application/json', `"${'x'.repeat(70_000)}"`)).statusCode).toBe(413);
  });

  it('is a caller who may not', async () => {
    expect(await call('GET', '/catalogs', { token: '' })).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': 'Bearer realm="continuo"' },
    });
    expect(await call('GET', '/catalogs', { token: testAccounts.listener.token })).toMatchObject({ status: 403 });
    expect(await call('GET', `/catalogs?auth=${testAccounts.admin.token}`, { token: '' })).toMatchObject({ status: 401 });
  });

  it('is answered to HEAD as to GET, without a body', async () => {
    expect(await call('HEAD', '/catalogs')).toMatchObject({ status: 200, body: undefined });
    expect(await call('HEAD', '/catalogs/999')).toMatchObject({ status: 404, body: undefined });
  });
});
