import { mkdir } from 'node:fs/promises';
import { startService, type StartedService } from '@continuo/chassis';
import { gatewayService } from '@continuo/gateway';
import { freePort } from '@continuo/local-servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administrator, Journey } from './journey.js';

/*
 * Two gateways over one log: of two writes under the same tag, one passes.
 */

const ROUNDS = 6;
let journey: Journey;
let second: StartedService;
let urls: readonly string[];

interface Answer {
  readonly status: number;
  readonly etag: string;
  readonly body: { readonly id?: number | string };
}
const call = async (
  method: string,
  path: string,
  { gateway = 0, tag = '', body = undefined as object | undefined } = {},
): Promise<Answer> => {
  const answer = await fetch(`${urls[gateway]}/manage/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${administrator.apiKey}`,
      ...(tag === '' ? {} : { 'if-match': tag }),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  return { status: answer.status, etag: answer.headers.get('etag') ?? '', body: text === '' ? {} : (JSON.parse(text) as Answer['body']) };
};

beforeAll(async () => {
  journey = await Journey.prepare();
  await mkdir(journey.music, { recursive: true });
  await journey.start();
  const port = await freePort();
  second = await startService(gatewayService, { ...journey.server.environment, PORT: String(port), HOST: '127.0.0.1' });
  urls = [journey.server.url, `http://127.0.0.1:${port}`];
}, 120_000);
afterAll(async () => {
  await second.stop();
  await journey.end();
});

/** A resource, how it is made, and two changes of it that differ from what it is after an even or odd number of changes. */
const resources: readonly (readonly [list: string, made: () => object, changes: (round: number) => readonly [object, object]])[] = [
  ['/accounts', () => ({ username: 'ada' }), (n) => [{ city: `City ${n}` }, { city: `Town ${n}` }]],
  ['/keys', () => ({ accountId: 1, name: 'Key' }), (n) => [{ name: `Key ${n}` }, { name: `Other ${n}` }]],
  ['/catalogs', () => ({ name: 'Music', path: journey.music }), (n) => [{ name: `Music ${n}` }, { name: `Other ${n}` }]],
  ['/catalog-groups', () => ({ name: 'Some' }), (n) => [{ name: `Group ${n}` }, { name: `Other ${n}` }]],
  ['/webhooks', () => ({ url: 'https://example.org/hook', events: ['*'] }), (n) => [{ enabled: n % 2 === 1 }, { enabled: n % 2 === 1 }]],
  ['/access-list', () => ({ type: 'rpc', start: '10.0.0.1' }), (n) => [{ enabled: n % 2 === 1 }, { enabled: n % 2 === 1 }]],
];

describe.each(resources)('writes to %s through two gateways under the same tag', (list, made, changes) => {
  it('pass once', async () => {
    const created = await call('POST', list, { body: made() });
    expect(created.status).toBe(201);
    const path = `${list}/${created.body.id}`;
    for (let round = 0; round < ROUNDS; round += 1) {
      const { etag } = await call('GET', path);
      const answers = await Promise.all(changes(round).map((body, gateway) => call('PATCH', path, { gateway, tag: etag, body })));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 412]));
    }
    const { etag } = await call('GET', path);
    expect((await call('PATCH', path, { tag: '"stale"', body: changes(0)[0] })).status).toBe(412);
    expect((await call('DELETE', path, { gateway: 1, tag: etag })).status).toBe(204);
    expect((await call('DELETE', path, { tag: etag })).status).toBe(412);
  });
});

it('is one write of several commands', async () => {
  const { body } = await call('POST', '/accounts', { body: { username: 'bob' } });
  const group = await call('POST', '/catalog-groups', { body: { name: 'Others' } });
  const path = `/accounts/${body.id}`;
  const { etag } = await call('GET', path);
  const change = { email: 'bob@example.org', roles: { upload: true }, avatar: null, catalogGroupId: group.body.id };
  expect((await call('PATCH', path, { tag: etag, body: change, gateway: 1 })).status).toBe(200);
  expect((await call('PATCH', path, { tag: etag, body: change })).status).toBe(412);
});
