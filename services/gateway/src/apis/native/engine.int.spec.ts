import { sha256Hex } from '@continuo/chassis';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authFixture, NOON, rows } from '../../../test/auth/auth.fixture.js';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { fixtureSongs } from '../../../test/library/fixture-songs.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { startTestGateway, type TestGateway } from '../../../test/servers/test-gateway.js';
import type { GatewayConfig } from '../../server/config.js';

/** Real logins and sessions over a real read model: ada is an administrator with a password and a key, bob has a key alone. */
let model: TestReadModel;
let gateway: TestGateway;
let mapped: TestGateway;

const start = (settings: Partial<GatewayConfig> = {}): Promise<TestGateway> =>
  startTestGateway(model.read, { auth: authFixture().auth, now: () => NOON, settings });

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
  await model.write
    .insertInto('social.user')
    .values([...rows.users])
    .execute();
  gateway = await start();
  mapped = await start({ NATIVE_HTTP_STATUS: 'mapped' });
});
afterAll(async () => {
  await Promise.all([gateway.stop(), mapped.stop()]);
  await model.close();
});

type Params = Readonly<Record<string, string>>;
const KEY = 'adas-own-key';
const bearer = { authorization: `Bearer ${KEY}` };
const query = (params: Params): string => new URLSearchParams(params).toString();

const call = async (params: Params, headers: Record<string, string> = {}, options: InjectOptions = {}, on = gateway) =>
  on.app.inject({ url: `/server/json.server.php?${query(params)}`, headers, ...options });
// oxlint-disable-next-line typescript/no-explicit-any
const json = async (params: Params, headers: Record<string, string> = {}): Promise<any> => (await call(params, headers)).json();
const xml = async (params: Params, headers: Record<string, string> = bearer): Promise<string> =>
  (await gateway.app.inject({ url: `/server/xml.server.php?${query(params)}`, headers })).body;
// oxlint-disable-next-line typescript/no-explicit-any
const rest = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH', path: string, body?: object): Promise<any> => {
  const sent = body === undefined ? {} : { payload: JSON.stringify(body), headers: { ...bearer, 'content-type': 'application/json' } };
  return (await gateway.app.inject({ method, url: `/rest/${path}`, headers: bearer, ...sent })).json();
};

const timestamp = String(NOON / 1000);
const login = (version: string): Params => ({
  action: 'handshake',
  user: 'Ada',
  timestamp,
  auth: sha256Hex(timestamp + sha256Hex('correct horse')),
  version,
});
const tokenIn = async (version: string): Promise<string> => (await json(login(version))).auth as string;

describe('versions', () => {
  it.each([
    ['390001', '692004'],
    ['443000', '443000'],
    ['500000', '556000'],
    ['5.2.0', '5.5.6'],
    ['6.0.0', '6.9.2'],
    ['600000', '692004'],
    ['800001', '800000'],
    ['8.0.0', '8.0.0'],
    ['', '8.0.0'],
  ])('a handshake in %j opens a session of %s', async (version, api) => expect(await json(login(version))).toMatchObject({ api }));

  it('has version 3 in XML', async () => expect(await xml(login('390001'), {})).toContain('<api><![CDATA[390001]]></api>'));

  it.each(['7.0.0', '9', '99', 'x'])('a handshake in %j finds no version', async (version) => {
    expect(await json(login(version))).toMatchObject({ error: { errorCode: '4700', errorType: 'system', errorAction: 'handshake' } });
  });

  it.each([
    ['4', { error: { code: '401' } }],
    ['4.4.3', { error: { code: '401' } }],
    ['3', { error: { errorCode: '4701', errorType: 'version' } }],
    ['250000', { error: { errorCode: '4701', errorType: 'version' } }],
  ])('a handshake in %j is too old', async (version, refusal) => expect(await json(login(version))).toMatchObject(refusal));

  it('stay with the session, whatever a later call says', async () => {
    const auth = await tokenIn('443000');
    expect(await json({ action: 'songs', auth, version: '8.0.0', limit: '1' })).toBeInstanceOf(Array);
    expect(await json({ action: 'songs', limit: '1' }, { authorization: `Bearer ${auth}` })).toBeInstanceOf(Array);
  });

  it('are changed by a ping, numeric and dotted', async () => {
    const auth = await tokenIn('6.0.0');
    expect(await json({ action: 'ping', auth, version: '443000' })).toMatchObject({ version: '443000' });
    expect(await json({ action: 'songs', auth, limit: '1' })).toBeInstanceOf(Array);
    expect(await json({ action: 'ping', auth, version: '5.2.0' })).toMatchObject({ version: '5.5.6', auth });
    expect(Object.keys(await json({ action: 'songs', auth, limit: '1' }))).toEqual(['song']);
    await json({ action: 'ping', auth });
    expect(Object.keys(await json({ action: 'songs', auth, limit: '1' }))).toEqual(['song']);
  });

  it('are named call by call with a header', async () => {
    expect(await json({ action: 'songs', version: '443000', limit: '1' }, bearer)).toBeInstanceOf(Array);
    expect(Object.keys(await json({ action: 'songs', version: '5.0.0', limit: '1' }, bearer))).toEqual(['song']);
    expect(Object.keys(await json({ action: 'songs', limit: '1' }, bearer))).toEqual(['total_count', 'md5', 'song']);
    expect(await json({ action: 'songs', version: '7' }, bearer)).toMatchObject({ error: { errorCode: '4700' } });
  });

  it('are those of a REST path, which also opens sessions in its own', async () => {
    const auth = await tokenIn('443000');
    const answer = await gateway.app.inject({ url: `/rest/6/json/songs?limit=1&auth=${auth}` });
    expect(Object.keys(answer.json())).toEqual(['total_count', 'md5', 'song']);
    const opened = await gateway.app.inject({ url: `/rest/4/json/handshake?${query({ ...login('8.0.0'), action: 'songs' })}` });
    expect(opened.json()).toMatchObject({ api: '443000' });
    expect(await json({ action: 'songs', auth: opened.json().auth, limit: '1' })).toBeInstanceOf(Array);
    expect((await gateway.app.inject({ url: '/rest/7/json/songs', headers: bearer })).json()).toMatchObject({
      error: { errorCode: '4700' },
    });
  });

  it('that are switched off are answered as the next newer one; without any there is an error', async () => {
    const few = await start({ NATIVE_API_VERSIONS: [5, 8] });
    const some = await start({ NATIVE_API_VERSIONS: [5] });
    const keys = async (version: string, on: TestGateway): Promise<string[]> =>
      Object.keys((await call({ action: 'songs', version, limit: '1' }, bearer, {}, on)).json());
    expect([await keys('443000', few), await keys('6.0.0', few)]).toEqual([['song'], ['total_count', 'md5', 'song']]);
    expect(await keys('6.0.0', some)).toEqual(['error']);
    await Promise.all([few.stop(), some.stop()]);
  });
});

describe('credentials', () => {
  it('a header outranks the parameter, Bearer outranks ApiKey, and both the plain header', async () => {
    const username = async (headers: Record<string, string>, params: Params = {}): Promise<unknown> =>
      (await json({ action: 'user', ...params }, headers)).username;
    expect(await username({ authorization: 'Bearer bobs-own-key' }, { auth: KEY })).toBe('bob');
    expect(await username({ authorization: 'ApiKey bobs-own-key', auth: KEY })).toBe('bob');
    expect(await username({ auth: 'bobs-own-key' }, { auth: KEY })).toBe('bob');
    expect(await username({}, { auth: KEY })).toBe('Ada');
    expect(await username({}, { auth: sha256Hex(`bob${sha256Hex('bobs-own-key')}`) })).toBe('bob');
  });
  it('in a body win over those of the query', async () => {
    const options: InjectOptions = {
      method: 'POST',
      payload: 'auth=bobs-own-key',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    };
    expect((await call({ action: 'user', auth: KEY }, {}, options)).json()).toMatchObject({ username: 'bob' });
  });
  it('are not read from the body of a GET', async () => {
    const options: InjectOptions = {
      method: 'GET',
      payload: `auth=${KEY}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    };
    expect((await call({ action: 'user' }, {}, options)).json()).toMatchObject({ error: { errorCode: '4701' } });
  });
  it('are asked for before the action is looked at', async () => {
    expect(await json({ action: 'no_such_thing' })).toMatchObject({
      error: { errorCode: '4701', errorType: 'account', errorMessage: 'Session Expired' },
    });
  });
  it('of another time are refused with both times', async () => {
    const late = String(NOON / 1000 - 1801);
    const message = (await json({ ...login('8'), timestamp: late, auth: sha256Hex(late + sha256Hex('correct horse')) })).error
      .errorMessage as string;
    expect(message).toContain(late);
    expect(message).toContain(timestamp);
  });
});

describe('ping and goodbye', () => {
  it('a ping without a session tells of the server alone, an empty action is one', async () => {
    expect(Object.keys(await json({}))).toEqual(['server', 'version', 'compatible']);
    expect(await json({ action: '', version: '443000' })).toMatchObject({ version: '443000', compatible: '350001' });
    expect(Object.keys(await json({ action: 'ping', auth: 'nobodys' }))).toHaveLength(3);
  });
  it('a goodbye ends the session; a token that is not known is an error of its own', async () => {
    const auth = await tokenIn('8.0.0');
    expect(await json({ action: 'goodbye', auth })).toEqual({ success: auth });
    const refused = {
      error: {
        errorCode: '4710',
        errorAction: 'goodbye',
        errorType: 'account',
        errorMessage: `Bad Request: auth must be the token of a session, was ${auth}`,
      },
    };
    expect(await json({ action: 'goodbye', auth })).toEqual(refused);
    expect(await json({ action: 'songs', auth })).toMatchObject({ error: { errorCode: '4701' } });
    expect(await json({ action: 'goodbye' })).toMatchObject({
      error: { errorCode: '4710', errorType: 'system', errorMessage: 'Bad Request: auth is missing' },
    });
  });
  it('speaks the dialect of the session that it ends', async () => {
    const auth = await tokenIn('443000');
    expect(await json({ action: 'goodbye', auth })).toEqual({ success: `goodbye: ${auth}` });
  });
  it.each([
    ['390001', '<error code="401"><![CDATA[Session Expired]]></error>'],
    ['443000', '<error code="401"><![CDATA[Session Expired]]></error>'],
    ['5.5.6', '<error errorCode="4701">'],
    ['8.0.0', '<error errorCode="4701">'],
  ])('a session of version %s that is over, by time or by goodbye, is refused in that version', async (version, envelope) => {
    const { auth, clock } = authFixture();
    const aging = await startTestGateway(model.read, { auth, now: () => NOON });
    const opened = async (): Promise<string> => (await call(login(version), {}, {}, aging)).json<{ auth: string }>().auth;
    const refusal = async (params: Params): Promise<string> =>
      (await aging.app.inject({ url: `/server/xml.server.php?${query({ action: 'songs', ...params })}` })).body;
    const [ended, left] = [await opened(), await opened()];
    await auth.goodbye({ headers: {}, params: { auth: ended }, peerAddress: '192.0.2.7' });
    expect(await refusal({ auth: ended })).toContain(envelope);
    clock.nowMs += 3_600_000;
    expect(await refusal({ auth: left })).toContain(envelope);
    // The session counts, whatever the call names besides.
    expect(await refusal({ auth: left, version: '6.0.0' })).toContain(envelope);
    await aging.stop();
  });
  it('a session that was never known is refused in the version that the call names', async () => {
    const auth = 'f'.repeat(32);
    expect(await json({ action: 'songs', auth, version: '443000' })).toEqual({ error: { code: '401', message: 'Session Expired' } });
    expect(await json({ action: 'songs', version: '443000' })).toEqual({ error: { code: '401', message: 'Session Expired' } });
    expect(await json({ action: 'songs', auth, version: '7' })).toMatchObject({ error: { errorCode: '4701' } });
    expect(await json({ action: 'songs', auth })).toMatchObject({ error: { errorCode: '4701' } });
  });
});

describe('errors', () => {
  const withdrawn = { 5: 'tags', 6: 'tags', 8: 'get_indexes' } as const;
  it.each(Object.entries(withdrawn))('version %s withdrew %s', async (version, action) => {
    expect(await json({ action, version: `${version}.0.0` }, bearer)).toEqual({
      error: { errorCode: '4706', errorAction: action, errorType: 'removed', errorMessage: 'Deprecated' },
    });
  });
  it('version 8 never knew what 5 and 6 withdrew', async () => {
    expect(await json({ action: 'tags', version: '8.0.0' }, bearer)).toMatchObject({ error: { errorCode: '4705', errorType: 'system' } });
  });
  it.each([
    ['8.0.0', { error: { errorCode: '4705', errorAction: 'nothing', errorType: 'system', errorMessage: 'Invalid Request' } }],
    ['5.0.0', { error: { errorCode: '4705', errorAction: 'nothing', errorType: 'system', errorMessage: 'Invalid Request' } }],
    ['443000', { error: { code: '405', message: 'Invalid Request' } }],
  ])('have the envelope of version %s in JSON', async (version, envelope) => {
    expect(await json({ action: 'nothing', version }, bearer)).toEqual(envelope);
  });
  it.each([
    [
      '8.0.0',
      '<error errorCode="4704"><errorAction><![CDATA[song]]></errorAction><errorType><![CDATA[filter]]></errorType><errorMessage><![CDATA[Not Found: 99]]></errorMessage></error>',
    ],
    ['443000', '<error code="404"><![CDATA[song 99 was not found]]></error>'],
    ['390001', '<error code="404"><![CDATA[song 99 was not found]]></error>'],
  ])('have the envelope of version %s in XML', async (version, envelope) => {
    expect(await xml({ action: 'song', filter: '99', version })).toContain(envelope);
  });
  it.each([
    ['8.0.0', { errorCode: '4742', errorType: 'account', errorMessage: 'Unauthorized access attempt to API - ACL Error' }],
    ['443000', { code: '403', message: 'Unauthorized access attempt to API - ACL Error' }],
  ])('of the access list have the envelope of version %s', async (version, error) => {
    const closed = await startTestGateway(model.read, { auth: authFixture({}, { ...rows, accessRules: [] }).auth, now: () => NOON });
    expect((await call({ action: 'songs', version }, bearer, {}, closed)).json()).toMatchObject({ error });
    expect((await call(login(version), {}, {}, closed)).json()).toMatchObject({ error });
    await closed.stop();
  });
  it.each([
    ['8.0.0', { errorCode: '4700', errorType: 'system' }],
    ['443000', { code: '501' }],
  ])('of access control that is off have the envelope of version %s', async (version, error) => {
    const off = await startTestGateway(model.read, { auth: authFixture({ ACCESS_CONTROL: false }).auth, now: () => NOON });
    for (const params of [{ action: 'songs', version }, login(version), { action: 'ping', version }])
      expect((await call(params, bearer, {}, off)).json()).toMatchObject({ error });
    await off.stop();
  });
  it('of a level name the level that is needed', async () => {
    const bob = { authorization: 'Bearer bobs-own-key' };
    const wanted = { action: 'catalog_add', name: 'x', path: '/x' };
    expect(await json(wanted, bob)).toMatchObject({ error: { errorCode: '4742', errorType: 'account', errorMessage: 'Require: 75' } });
    // Level before parameters, feature before level.
    expect(await json({ action: 'catalog_add' }, bob)).toMatchObject({ error: { errorCode: '4742' } });
    const off = await startTestGateway(model.read, { auth: authFixture().auth, now: () => NOON, settings: { PODCAST: false } });
    expect((await call({ action: 'podcast_create' }, bob, {}, off)).json()).toMatchObject({ error: { errorCode: '4703' } });
    await off.stop();
  });
  it.each([
    [
      '8',
      404,
      { errorCode: '4705', errorAction: '', errorType: 'system', errorMessage: 'Invalid Request: the format, json or xml, is missing' },
    ],
    ['4/', 404, { code: '405', message: 'Invalid Request: the format, json or xml, is missing' }],
    ['8/yaml', 404, { errorCode: '4705', errorMessage: 'Invalid Request: the format must be json or xml, was yaml' }],
    ['8/yaml/songs', 404, { errorCode: '4705', errorMessage: 'Invalid Request: the format must be json or xml, was yaml' }],
    ['5/yaml/a/b/c', 404, { errorCode: '4705' }],
    ['8/json/a/b/c', 400, { errorCode: '4705', errorAction: 'c', errorMessage: 'Invalid Request: GET of this path means no action' }],
    ['8/json/a/b/c/d', 400, { errorCode: '4705' }],
    ['8/json/songs/1/nothing', 400, { errorCode: '4705', errorAction: 'nothing' }],
    ['8/json/nothing', 400, { errorCode: '4705', errorAction: 'nothing' }],
    ['4/json/nothing', 400, { code: '405' }],
  ])(
    'of an address that is none, %s, come with status %d in the envelope, before anybody is asked for a session',
    async (path, status, error) => {
      const answer = await gateway.app.inject({ url: `/rest/${path}` });
      expect(answer.statusCode).toBe(status);
      expect(answer.json()).toMatchObject({ error });
    },
  );
  it('of a verb that a path does not have come with status 400', async () => {
    const answer = await gateway.app.inject({ method: 'PUT', url: '/rest/8/xml/songs' });
    expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining('<errorAction><![CDATA[songs_create]]></errorAction>')]);
    expect((await gateway.app.inject({ method: 'PATCH', url: '/rest/8' })).statusCode).toBe(404);
  });
  it('of a path have the envelope of the path', async () => {
    expect(await rest('GET', '4/json/a/b/c/d')).toEqual({
      error: { code: '405', message: 'Invalid Request: GET of this path means no action' },
    });
    expect(await rest('GET', '8/json/a/b/c/d')).toMatchObject({ error: { errorCode: '4705' } });
    expect(await rest('GET', '8/json/register')).toMatchObject({ error: { errorCode: '4700', errorAction: 'register' } });
    expect(await rest('GET', '6/json/album-disks/1/songs')).toMatchObject({ error: { errorCode: '4705' } });
  });
  it('of bodies that are too long have the envelope of the version named', async () => {
    const small = await start({ HTTP_BODY_LIMIT_BYTES: 1024 });
    const options: InjectOptions = {
      method: 'POST',
      payload: 'x'.repeat(5000),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    };
    expect((await call({ action: 'songs', version: '443000' }, {}, options, small)).json()).toHaveProperty('error.code', '401');
    expect((await call({ action: 'songs' }, {}, options, small)).json()).toHaveProperty('error.errorCode', '4710');
    await small.stop();
  });
});

describe('HTTP status', () => {
  const statuses = async (params: Params, headers: Record<string, string> = bearer): Promise<number[]> => [
    (await call(params, headers)).statusCode,
    (await call(params, headers, {}, mapped)).statusCode,
  ];
  it.each<[string, Params, number]>([
    ['a song', { action: 'song', filter: '1' }, 200],
    ['no such song', { action: 'song', filter: '99' }, 404],
    ['a missing parameter', { action: 'song' }, 400],
    ['an unknown action', { action: 'nothing' }, 400],
    ['a withdrawn action', { action: 'get_indexes' }, 410],
    ['a feature that is off', { action: 'localplay' }, 403],
    ['no version', { action: 'songs', version: '7' }, 403],
    ['an empty list', { action: 'songs', filter: 'nothing like it' }, 404],
    ['no such song in version 6', { action: 'song', filter: '99', version: '6' }, 200],
    ['an unknown action in version 6', { action: 'nothing', version: '6' }, 400],
    ['an empty list in version 6', { action: 'songs', filter: 'nothing like it', version: '6' }, 200],
    ['an unknown action in version 5', { action: 'nothing', version: '5' }, 200],
  ])('of %s is 200, or mapped', async (_, params, status) => expect(await statuses(params)).toEqual([200, status]));
  it('of an expired session is 200, or mapped', async () => expect(await statuses({ action: 'songs' }, {})).toEqual([200, 401]));
});

describe('pages', () => {
  const size = async (params: Params): Promise<number[]> => {
    const { song, total_count: total } = await json({ action: 'songs', ...params }, bearer);
    return [(song as unknown[]).length, total as number];
  };
  it.each(['', '0', '-1', 'abc', 'none', 'NONE', '1e1', '5001'])('limit %j gives all five', async (limit) =>
    expect(await size({ limit })).toEqual([5, 5]),
  );
  it('begin where they should, and may lie beyond the end', async () => {
    expect(await size({ offset: '3' })).toEqual([2, 5]);
    expect(await size({ offset: '5' })).toEqual([0, 5]);
    expect(await size({ offset: '999999999', limit: 'none' })).toEqual([0, 5]);
    expect(await size({ offset: '-1', limit: '2' })).toEqual([2, 5]);
  });
});

describe('empty lists', () => {
  const none = { action: 'songs', filter: 'nothing like it' };
  const EMPTY = '40cd750bba9870f18aada2478b24840a';
  it.each([
    ['8.0.0', { total_count: 0, md5: EMPTY, song: [] }],
    ['6.0.0', { total_count: 0, md5: EMPTY, song: [] }],
    ['5.0.0', { song: [] }],
    ['443000', []],
  ])('are %s in JSON', async (version, empty) => expect(await json({ ...none, version }, bearer)).toEqual(empty));
  it.each([
    ['8.0.0', '<root></root>'],
    ['6.0.0', '<root></root>'],
    ['5.0.0', '<root></root>'],
    ['443000', '<root><total_count>0</total_count></root>'],
    ['390001', '<root><total_count>0</total_count></root>'],
  ])('are %s in XML', async (version, empty) => {
    expect(
      (await xml({ ...none, version }))
        .replace(/^<\?xml[^>]*\?>\s*/, '')
        .replace('<root/>', '<root></root>')
        .trim(),
    ).toBe(empty);
  });
  it('of kinds without counters have them in version 6', async () => {
    const past = { action: 'users', offset: '99' };
    expect(await json({ ...past, version: '8.0.0' }, bearer)).toEqual({ user: [] });
    expect(await json({ ...past, version: '6.0.0' }, bearer)).toMatchObject({ total_count: 3, user: [] });
    expect(await json({ ...past, version: '443000' }, bearer)).toEqual([]);
  });
});

describe('REST', () => {
  it('takes verbs, plurals, dashes and trailing slashes', async () => {
    expect(await rest('GET', '8/json/songs/1/')).toMatchObject({ id: '1' });
    expect(await rest('GET', '8/json/album-disks/1')).not.toHaveProperty('error.errorCode', '4705');
    expect(await rest('POST', '8/json/songs')).toHaveProperty('song');
    expect(await rest('PUT', '8/json/playlists', { name: 'x' })).toMatchObject({ error: { errorAction: 'playlist_create' } });
    expect(await rest('PATCH', '8/json/playlists/1', {})).toMatchObject({ error: { errorAction: 'playlist_edit' } });
    expect(await rest('DELETE', '8/json/playlists/1')).toMatchObject({ error: { errorAction: 'playlist_delete' } });
  });
  it('lets a body add parameters, but not change what the path says', async () => {
    expect(await rest('POST', '8/json/songs', { filter: 'harbour', limit: 1 })).toMatchObject({ total_count: 1 });
    expect(await rest('POST', '8/json/songs/1', { filter: '2', action: 'album', version: '4' })).toMatchObject({
      id: '1',
      title: 'Opening Æther',
    });
  });
  it('knows its formats', async () => {
    expect((await gateway.app.inject({ url: '/rest/8/xml/songs/1', headers: bearer })).headers['content-type']).toBe(
      'text/xml; charset=UTF-8',
    );
    expect((await gateway.app.inject({ url: '/rest/8/json/songs/1', headers: bearer })).headers['access-control-allow-origin']).toBe('*');
  });
});
