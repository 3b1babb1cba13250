import { Rejection } from '@continuo/contracts';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { create } from 'xmlbuilder2';
import { seedFixtureLibrary } from '../../test/library/fixture-library.js';
import { fixtureSongs } from '../../test/library/fixture-songs.js';
import { testReadModel, type TestReadModel } from '../../test/servers/read-model-database.js';
import { fixedAuth, seedTestAccounts, startTestGateway, testAccounts, type TestGateway } from '../../test/servers/test-gateway.js';
import { asRejection } from './server.js';

let model: TestReadModel;
let gateway: TestGateway;
let sent = 0;
const auth = testAccounts.admin.token;

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
  await seedTestAccounts(model.write);
  gateway = await startTestGateway(model.read, {
    settings: { HTTP_BODY_LIMIT_BYTES: 4096 },
    commands: {
      send: async () => {
        sent += 1;
        return { result: {} as never, positions: [] };
      },
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  await model.close();
});

const JSON_URL = '/server/json.server.php';
type Call = {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';
  readonly url: string;
  readonly type?: string;
  readonly payload?: string;
};
const send = ({ method = 'GET', url, type, payload }: Call) =>
  gateway.app.inject({
    method,
    url,
    ...(payload === undefined ? {} : { payload }),
    headers: type === undefined ? {} : { 'content-type': type },
  });
const titles = (body: string): string[] => (JSON.parse(body) as { song: { title: string }[] }).song.map(({ title }) => title);

describe('parameters', () => {
  const wanted = ['Second Watch'];
  const boundary = '--x\r\nContent-Disposition: form-data; name=';
  it.each<[string, Call]>([
    ['the query', { url: `${JSON_URL}?action=songs&auth=${auth}&filter=second` }],
    [
      'a form',
      {
        method: 'POST',
        url: `${JSON_URL}?action=ping&filter=x`,
        type: 'application/x-www-form-urlencoded',
        payload: `action=songs&auth=${auth}&filter=second`,
      },
    ],
    [
      'JSON',
      {
        method: 'POST',
        url: `${JSON_URL}?filter=x`,
        type: 'application/json',
        payload: JSON.stringify({ action: 'songs', auth, filter: 'second', limit: 3 }),
      },
    ],
    [
      'multipart, whose files are not looked at',
      {
        method: 'POST',
        url: JSON_URL,
        type: 'multipart/form-data; boundary=x',
        payload: `${boundary}"action"\r\n\r\nsongs\r\n${boundary}"f"; filename="a.txt"\r\n\r\nfile\r\n${boundary}"auth"\r\n\r\n${auth}\r\n${boundary}"filter"\r\n\r\nsecond\r\n--x--\r\n`,
      },
    ],
    [
      'the body of a REST call',
      { method: 'POST', url: '/rest/8/json/songs', type: 'application/json', payload: JSON.stringify({ auth, filter: 'second' }) },
    ],
  ])('come from %s', async (_, call) => {
    expect(titles((await send(call)).body)).toEqual(wanted);
  });
  it.each<[string, Call]>([
    [
      'JSON that is none',
      { method: 'POST', url: `${JSON_URL}?action=genres&auth=${auth}`, type: 'application/json', payload: '{"action":' },
    ],
    [
      'JSON that is no object',
      { method: 'POST', url: `${JSON_URL}?action=genres&auth=${auth}`, type: 'application/json', payload: '[1,2]' },
    ],
    [
      'a type that carries none',
      { method: 'POST', url: `${JSON_URL}?action=genres&auth=${auth}`, type: 'text/plain', payload: 'action=songs' },
    ],
    ['an empty body', { method: 'POST', url: `${JSON_URL}?action=genres&auth=${auth}`, type: 'application/json', payload: '' }],
    [
      'names of prototypes',
      {
        method: 'POST',
        url: `${JSON_URL}?action=genres&auth=${auth}&__proto__=1&constructor=2`,
        type: 'application/json',
        payload: '{"__proto__":{"action":"songs"}}',
      },
    ],
    ['broken escapes', { url: `${JSON_URL}?action=genres&auth=${auth}&filter2=%zz%E0%A4%A` }],
    [
      'objects for texts',
      {
        method: 'POST',
        url: `${JSON_URL}?action=genres&auth=${auth}`,
        type: 'application/json',
        payload: '{"filter":{"a":1},"limit":[null]}',
      },
    ],
  ])('survive %s', async (_, call) => {
    const answer = await send(call);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toHaveProperty('genre');
  });
});

describe('bad input', () => {
  it.each<[string, Call, string, number?]>([
    ['a NUL character', { url: `${JSON_URL}?action=song&auth=${auth}&filter=%00` }, '4710'],
    [
      'a body that is too large',
      { method: 'POST', url: `${JSON_URL}?action=songs`, type: 'application/json', payload: `{"a":"${'x'.repeat(5000)}"}` },
      '4710',
    ],
    ['an unknown action', { url: `${JSON_URL}?action=__proto__&auth=${auth}` }, '4705'],
    ['an unknown path', { url: `/rest/8/json/a/b/c/d/e/f?auth=${auth}` }, '4705', 400],
    ['an unknown version', { url: `/rest/7/json/songs?auth=${auth}` }, '4700'],
    ['an endless id', { url: `${JSON_URL}?action=song&auth=${auth}&filter=${'9'.repeat(3000)}` }, '4704'],
    ['registering by reading', { url: `/rest/8/json/register?auth=${auth}` }, '4700'],
    ['half a surrogate', { url: `${JSON_URL}?action=song&auth=${auth}&filter=%ED%A0%80` }, '4704'],
  ])('%s is refused in the envelope', async (_, call, code, status = 200) => {
    const answer = await send(call);
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ error: { errorCode: code } });
  });
  const form = 'multipart/form-data';
  it.each<[string, string, string]>([
    ['has no boundary', form, 'a=b'],
    ['has an empty boundary', `${form}; boundary=`, '{"a":'],
    ['does not end', `${form}; boundary=x`, '--x\r\n'],
    ['ends within a part', `${form}; boundary=x`, '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb'],
    ['is none', `${form}; boundary=x`, 'rubbish'],
  ])('a form that %s is refused, not failed at', async (_, type, payload) => {
    for (const url of [
      JSON_URL,
      '/server/xml.server.php',
      '/rest/ping.view?f=json&v=1.16.1&c=spec',
      '/rest/8/json/upload',
      '/account/login',
    ]) {
      const answer = await send({ method: 'POST', url, type, payload });
      expect([url, answer.statusCode]).not.toEqual([url, 500]);
      expect(answer.body).not.toMatch(/unexpected failure|went wrong/i);
    }
  });
  it('a field of a form that says that it is JSON is a text all the same', async () => {
    const head = '--x\r\ncontent-disposition: form-data; name=';
    const payload = `${head}"action"\r\n\r\nsongs\r\n${head}"auth"\r\n\r\n${auth}\r\n${head}"filter"\r\ncontent-type: application/json\r\n\r\n{"toString":1}\r\n--x--\r\n`;
    const answer = await send({ method: 'POST', url: JSON_URL, type: `${form}; boundary=x`, payload });
    expect(answer.json()).toMatchObject({ song: [] });
  });
  it('comes back in XML that can be read', async () => {
    const answer = await send({ url: `/server/xml.server.php?action=song&auth=${auth}&filter=%01%EF%BF%BE%3C%5D%5D%3E` });
    expect(create(answer.body).end({ format: 'object' })).toMatchObject({ root: { error: { '@errorCode': '4704' } } });
  });
  it('may have the status of the table', async () => {
    const mapped = await startTestGateway(model.read, { settings: { NATIVE_HTTP_STATUS: 'mapped' } });
    expect((await mapped.app.inject({ url: `${JSON_URL}?action=song&filter=99&auth=${auth}` })).statusCode).toBe(404);
    expect((await mapped.app.inject({ url: `${JSON_URL}?action=song&filter=99` })).statusCode).toBe(401);
    await mapped.stop();
  });
});

describe('every answer', () => {
  it.each(['/%zz', '/rest/8/json/songs/%u0041', '/%ff'])('has its heads, also to %s, which cannot be read', async (url) => {
    const { statusCode, headers } = await send({ url });
    expect(statusCode).toBeGreaterThanOrEqual(400);
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-correlation-id': expect.stringMatching(/^[0-9a-f-]{36}$/) });
  });
  it.each([
    ['manage/v1/catalogs/', '', 'application/problem+json; charset=utf-8', '"type":"/docs/problems#input.invalid"'],
    ['rest/8/json/albums/', '/songs', 'application/json; charset=UTF-8', '"errorMessage":"Invalid Request: The address cannot be read"'],
    ['rest/6/xml/albums/', '/songs', 'text/xml; charset=UTF-8', 'errorCode="4705"'],
    ['rest/', '', 'text/xml; charset=UTF-8', '<error code="0" message="There is no such operation"/>'],
    ['rest/', '.view?f=json', 'application/json; charset=UTF-8', '"status":"failed"'],
    ['openapi/', '', 'text/plain; charset=utf-8', 'The address cannot be read.'],
  ])('is in the envelope of its surface, when a part of /%s… is too long or cannot be decoded', async (before, after, type, text) => {
    for (const part of ['a'.repeat(3000), '%ff', '%zz']) {
      const answer = await send({ url: `/${before}${part}${after}` });
      // The REST form sets no bounds to the parts of a path.
      const isRead = part.startsWith('a') && /rest\/\d/.test(before);
      expect([answer.headers['content-type'], answer.headers['access-control-allow-origin']]).toEqual([
        type,
        before === 'openapi/' ? undefined : '*',
      ]);
      expect(answer.body).toContain(isRead ? 'error' : text);
    }
  });
  it('carries a correlation id, the own one or the client’s', async () => {
    const own = await send({ url: JSON_URL });
    expect(own.headers['x-correlation-id']).toMatch(/^[0-9a-f-]{36}$/);
    const given = await gateway.app.inject({ url: JSON_URL, headers: { 'x-correlation-id': 'client-id-1' } });
    expect(given.headers['x-correlation-id']).toBe('client-id-1');
    const named = await gateway.app.inject({ url: JSON_URL, headers: { 'x-request-id': 'of-a-proxy-1' } });
    expect(named.headers['x-correlation-id']).toBe('of-a-proxy-1');
    for (const bad of ['a b"c', 'short', 'x'.repeat(65), 'ünicode-id', '<script>alert(1)</script>', 'line\tbreak', '../../etc']) {
      const answer = await gateway.app.inject({ url: JSON_URL, headers: { 'x-correlation-id': bad, 'x-request-id': bad } });
      expect(answer.headers['x-correlation-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
  it('keeps its envelope, whatever id it is given, on every surface', async () => {
    for (const url of [
      `${JSON_URL}?action=nonsense`,
      '/server/xml.server.php?action=song',
      '/rest/8/json/nonsense',
      '/rest/getSong?f=json',
      '/rest/getSong',
      '/nothing',
    ]) {
      const plain = await gateway.app.inject({ url });
      const named = await gateway.app.inject({ url, headers: { 'x-request-id': 'named-by-client' } });
      expect(named.body).toBe(plain.body);
      expect([plain.statusCode, named.headers['x-correlation-id']]).toEqual([named.statusCode, 'named-by-client']);
    }
  });
  it('may be read by pages of every origin', async () => {
    const answer = await gateway.app.inject({
      method: 'OPTIONS',
      url: '/rest/8/json/songs',
      headers: { 'access-control-request-headers': 'authorization' },
    });
    expect(answer.statusCode).toBe(204);
    expect(answer.headers).toMatchObject({ 'access-control-allow-origin': '*', 'access-control-allow-headers': 'authorization' });
  });
  it('has no body for HEAD', async () => {
    const answer = await send({ method: 'HEAD', url: `${JSON_URL}?action=songs&auth=${auth}` });
    expect([answer.statusCode, answer.body]).toEqual([200, '']);
  });
  it('changes nothing by HEAD', async () => {
    const headers = { authorization: `Bearer ${auth}` };
    for (const url of [
      `${JSON_URL}?action=rate&type=song&id=1&rating=5`,
      `${JSON_URL}?action=user_delete&filter=listener`,
      `${JSON_URL}?action=goodbye&auth=${auth}`,
      `/rest/setRating?v=1.16.1&c=spec&id=so-1&rating=5`,
    ]) {
      sent = 0;
      const head = await gateway.app.inject({ method: 'HEAD', url, headers });
      expect([url, head.statusCode, head.body, sent]).toEqual([url, 200, '', 0]);
      await gateway.app.inject({ url, headers });
      expect([url, sent]).toEqual([url, url.includes('goodbye') ? 0 : 1]);
    }
  });
  it('does not believe every host', async () => {
    const answer = await gateway.app.inject({ url: `${JSON_URL}?action=song&filter=1&auth=${auth}`, headers: { host: 'a"><script>' } });
    expect(answer.json<{ url: string }>().url).toMatch(/^http:\/\/localhost\/play/);
  });
});

describe('the rest of the server', () => {
  it('answers health checks, and serves details and metrics only on the operators’ address', async () => {
    expect((await send({ url: '/health/live' })).statusCode).toBe(200);
    expect((await send({ url: '/health/ready' })).json()).toEqual({ status: 'ready' });
    expect((await send({ url: '/metrics' })).statusCode).toBe(404);
  });
  it('has a page, and answers 404 for unknown addresses', async () => {
    expect((await send({ url: '/' })).body).toContain('<title>Continuo</title>');
    expect((await send({ url: '/addresses' })).body).toContain('/rest/8/json/');
    expect((await send({ url: '/nothing' })).statusCode).toBe(404);
    for (const method of ['QUERY', 'SEARCH', 'PROPFIND'] as const) {
      const answer = await gateway.app.inject({ method: method as 'GET', url: '/rest/8/json/upload', headers: { 'content-type': '' } });
      expect([method, answer.statusCode, answer.body]).toEqual([method, 404, expect.stringMatching(/^There is nothing here/)]);
    }
    expect((await send({ url: '/rest/8/json/%zz' })).statusCode).toBe(400);
  });
});

describe('a database that is away', () => {
  it('is told in the envelope, and forgotten when it is back', async () => {
    const url = `${JSON_URL}?action=artists&auth=${auth}`;
    const answers = Promise.all(Array.from({ length: 8 }, () => send({ url })));
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'continuo-gateway' and datname = current_database()`.execute(
      model.write,
    );
    for (const answer of await answers) expect(answer.statusCode).toBe(200);
    const after = await send({ url });
    expect([after.json(), (await send({ url })).json()].some((body) => 'artist' in (body as object))).toBe(true);
  });
  it('is said while the tables of a new release are filled beside those of the one before', async () => {
    const asked = {
      url: '/server/json.server.php?version=8.0.0&action=artists',
      headers: { authorization: `Bearer ${testAccounts.admin.token}` },
    };
    await sql`alter view library.song_contributor rename to song_contributor_of_the_next_release`.execute(model.write);
    try {
      const later = await startTestGateway(model.read, { auth: fixedAuth([{ ...testAccounts.admin, catalogs: [1] }]) });
      const answer = await later.app.inject(asked);
      expect([answer.statusCode, answer.json()]).toMatchObject([
        200,
        { error: { errorCode: '4702', errorMessage: 'the tables are not ready yet' } },
      ]);
      expect((await later.app.inject({ ...asked, url: '/server/json.server.php?version=8.0.0&action=songs' })).json()).toHaveProperty(
        'song',
      );
      await later.stop();
    } finally {
      await sql`alter view library.song_contributor_of_the_next_release rename to song_contributor`.execute(model.write);
    }
  });
  it('answers with a code that asks for a retry', () => {
    const log = pino({ level: 'silent' });
    const refused = asRejection(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }), log);
    expect(refused.code).toBe('unavailable');
    for (const code of ['42P01', '42703', '3F000'])
      expect(asRejection(Object.assign(new Error('x does not exist'), { code }), log).code).toBe('unavailable');
    expect(asRejection(new Error('what?'), log).code).toBe('internal');
    expect(asRejection(new Rejection('conflict'), log).code).toBe('conflict');
  });
});

describe('long lists', () => {
  it('flow, and are the same as whole ones', async () => {
    const whole = await send({ url: `${JSON_URL}?action=songs&auth=${auth}` });
    const none = await send({ url: `${JSON_URL}?action=songs&auth=${auth}&limit=none` });
    expect(none.body).toBe(whole.body);
  });
});
