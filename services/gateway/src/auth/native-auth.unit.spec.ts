import { sha256Hex } from '@continuo/chassis';
import { Rejection } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { authFixture, keyRow, NOON, request, rows, ruleRow } from '../../test/auth/auth.fixture.js';
import { passphrase } from './native-login.js';
import { requireLevel } from './require-level.js';

const NOW_S = String(NOON / 1000);
const login = (user = 'ada', password = 'correct horse', timestamp = NOW_S) => ({
  user,
  timestamp,
  auth: passphrase(timestamp, sha256Hex(password)),
});
const rejection = (code: string, text?: RegExp) =>
  expect.toSatisfy(
    (error: unknown) => error instanceof Rejection && error.code === code && (text === undefined || text.test(error.message)),
  );

describe('the passphrase', () => {
  it('is SHA256(timestamp + SHA256(password)) in lower-case hex', () => {
    // Computed with coreutils: printf %s 'sesame' | sha256sum, then again over timestamp and digest.
    expect(passphrase('1700000000', sha256Hex('sesame'))).toBe('b1d509e9c1de0488c8a8e162ead96f6af2749b83f00a20517828c51f61707824');
  });
});

describe('handshake', () => {
  it('opens a session for the right password, whatever the case of name and digest', async () => {
    const { auth } = authFixture();
    const shouted = { ...login('ADA'), auth: login().auth.toUpperCase() };
    const { caller, token, reportedExpiryMs, session } = await auth.handshake(request(shouted, { 'user-agent': 'player/1' }), '6.0.0');
    expect(token).toMatch(/^[0-9a-f]{48}$/);
    expect(reportedExpiryMs).toBe(NOON + 3_600_000 - 60_000);
    expect(caller).toMatchObject({
      account: { username: 'Ada', access: 100 },
      by: 'password',
      client: 'player/1',
      address: '192.0.2.7',
      mediaToken: token,
      artToken: expect.stringMatching(/^m-1-0-/),
    });
    // What stands in addresses of pictures opens pictures and nothing else.
    expect((await auth.authenticateMedia(request({ auth: caller.artToken }))).account.username).toBe('Ada');
    await expect(auth.authenticateNative(request({ auth: caller.artToken }))).rejects.toEqual(rejection('auth.expired'));
    expect(session).toMatchObject({ token, version: '6.0.0', client: 'player/1' });
    expect(await auth.authenticateNative(request({ auth: token }))).toMatchObject({
      by: 'session',
      session: { version: '6.0.0' },
      viaHeader: false,
    });
  });

  it.each(['Bearer', 'ApiKey'])('takes the passphrase, or a key, by the header %s', async (scheme) => {
    const { auth } = authFixture();
    const { auth: hash, ...params } = login();
    const by = (token: string) => ({ authorization: `${scheme} ${token}` });
    expect((await auth.handshake(request(params, by(hash)), '')).caller).toMatchObject({ account: { username: 'Ada' }, by: 'password' });
    for (const user of ['bob', 'ada'])
      expect((await auth.handshake(request({ user }, by('bobs-own-key')), '')).caller).toMatchObject({ by: 'api-key' });
    for (const user of ['bob', 'nobody'])
      await expect(auth.handshake(request({ ...params, user }, by(hash)), '')).rejects.toEqual(rejection('auth.failed'));
  });

  it.each([
    ['wrong password', login('ada', 'wrong')],
    ['unknown name', login('nobody')],
    ['disabled account', login('eve')],
    ['account without a password', login('bob')],
    ['no timestamp', { user: 'ada', auth: login().auth }],
    ['no credential', { user: 'ada', timestamp: NOW_S }],
    ['the plain password', { ...login(), auth: 'correct horse' }],
  ])('says the same of this: %s', async (_, params) => {
    const { auth } = authFixture();
    await expect(auth.handshake(request(params), '')).rejects.toEqual(
      rejection('auth.failed', /^Login failed: wrong user name, password or API key$/),
    );
  });

  it('takes timestamps of half an hour around, and names both times otherwise', async () => {
    const { auth } = authFixture();
    const at = (offsetS: number) => auth.handshake(request(login('ada', 'correct horse', String(NOON / 1000 + offsetS))), '');
    for (const offset of [-1800, 1800]) expect((await at(offset)).token).toBeTruthy();
    for (const offset of [-1801, 1801])
      await expect(at(offset)).rejects.toEqual(rejection('auth.failed', new RegExp(`${NOON / 1000 + offset}.*${NOW_S}`)));
    await expect(auth.handshake(request({ ...login(), timestamp: 'soon' }), '')).rejects.toEqual(rejection('auth.failed', /out of range/));
  });

  it.each([
    ['raw', 'bobs-own-key'],
    ['hashed with the name', sha256Hex(`bob${sha256Hex('bobs-own-key')}`)],
  ])('takes an API key %s, with and without its user', async (_, auth) => {
    const fixture = authFixture();
    for (const params of [{ auth }, { auth, user: 'bob' }, { auth, user: 'bob', timestamp: '1' }]) {
      expect((await fixture.auth.handshake(request(params), '')).caller).toMatchObject({
        account: { username: 'bob' },
        by: 'api-key',
        apiKeyId: 'key2',
      });
    }
    await expect(fixture.auth.handshake(request({ auth, user: 'ada' }), '')).rejects.toEqual(rejection('auth.failed'));
  });

  it('lets an unknown key fall back to nobody', async () => {
    const { auth } = authFixture();
    for (const params of [
      { auth: 'unknown', user: 'ada' },
      { auth: 'unknown', uid: 1 },
    ]) {
      await expect(auth.handshake(request(params), '')).rejects.toEqual(rejection('auth.failed'));
      await expect(auth.authenticateNative(request(params))).rejects.toEqual(rejection('auth.expired'));
    }
  });

  it('renews a live session instead of opening another', async () => {
    const { auth, clock, sessions } = authFixture();
    const { token } = await auth.handshake(request(login()), '6.0.0');
    clock.nowMs += 1000;
    const again = await auth.handshake(request({ auth: token, user: 'ada', timestamp: NOW_S }), '8.0.0');
    expect(again).toMatchObject({ token, reportedExpiryMs: clock.nowMs + 3_540_000, session: { version: '8.0.0' } });
    expect(sessions.size).toBe(1);
    await expect(auth.handshake(request({ auth: token, user: 'bob' }), '')).rejects.toEqual(rejection('auth.failed'));
  });

  it('keeps where the client says it is, and its name for itself', async () => {
    const { auth } = authFixture();
    const params = { ...login(), client: 'My Player', geo_latitude: '48.2', geo_longitude: 400, geo_name: 'Vienna' };
    const { session } = await auth.handshake(request(params, { 'user-agent': 'x' }), '');
    expect(session).toMatchObject({ client: 'My Player', geo: { latitude: 48.2, name: 'Vienna' } });
  });

  it('asks the access list', async () => {
    const { auth } = authFixture({}, { ...rows, accessRules: [ruleRow({ end_address: '127.0.0.1' })] });
    await expect(auth.handshake(request(login()), '')).rejects.toEqual(rejection('access.address'));
    expect((await auth.handshake(request(login(), {}, '127.0.0.1'), '')).token).toBeTruthy();
  });

  it('is closed while access control is off', async () => {
    const { auth } = authFixture({ ACCESS_CONTROL: false });
    await expect(auth.handshake(request(login()), '')).rejects.toEqual(rejection('feature.disabled'));
    await expect(auth.authenticateNative(request({ auth: 'bobs-own-key' }))).rejects.toEqual(rejection('feature.disabled'));
    expect(auth.accessControl).toBe(false);
  });
});

describe('authenticateNative', () => {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  it.each([
    ['bearer', bearer('bobs-own-key')],
    ['bearer, any case', { authorization: 'bearer  bobs-own-key' }],
    ['ApiKey', { authorization: 'ApiKey bobs-own-key' }],
    ['auth header', { auth: 'bobs-own-key' }],
    ['hashed bearer', bearer(sha256Hex(`bob${sha256Hex('bobs-own-key')}`))],
  ])('takes a key by %s without a handshake', async (_, headers) => {
    const { auth } = authFixture();
    const caller = await auth.authenticateNative(request({}, { ...headers, 'user-agent': 'ua' }));
    expect(caller).toMatchObject({ account: { username: 'bob' }, by: 'api-key', viaHeader: true, client: 'ua', session: { version: '' } });
    expect(caller.session?.token).toBeUndefined();
    expect(caller.mediaToken).toMatch(/^m-2-key2-/);
  });

  it('lets the first credential named decide: Bearer, ApiKey, auth header, parameter', async () => {
    const { auth } = authFixture();
    const both = (headers: Record<string, string>, param?: string) =>
      auth.authenticateNative(request(param ? { auth: param } : {}, headers));
    expect((await both({ ...bearer('bobs-own-key'), auth: 'adas-own-key' }, 'adas-own-key')).account.username).toBe('bob');
    expect((await both({ auth: 'bobs-own-key' }, 'adas-own-key')).account.username).toBe('bob');
    await expect(both(bearer('wrong'), 'adas-own-key')).rejects.toEqual(rejection('auth.expired', /^Session Expired$/));
    expect((await both({ authorization: 'Basic eDp5' }, 'adas-own-key')).account.username).toBe('Ada');
  });

  it('takes a session token by header and by parameter, and keeps the version of the handshake', async () => {
    const { auth } = authFixture();
    const { token } = await auth.handshake(request(login()), '5.0.0');
    expect(await auth.authenticateNative(request({}, bearer(token)))).toMatchObject({
      by: 'session',
      viaHeader: true,
      session: { version: '5.0.0', token },
    });
    expect(auth.peekNative(request({ auth: token }))).toEqual({ version: '5.0.0', viaHeader: false });
    expect(auth.peekNative(request({}, { auth: token }))).toEqual({ version: '5.0.0', viaHeader: true });
    expect(auth.peekNative(request({}))).toEqual({ viaHeader: false });
  });

  it('does not let anybody name an implicit session as a token', async () => {
    const { auth, sessions } = authFixture();
    await auth.authenticateNative(request({}, bearer('bobs-own-key')));
    for (const key of sessions.keys())
      await expect(auth.authenticateNative(request({ auth: key }))).rejects.toEqual(rejection('auth.expired'));
  });

  it('refuses nothing, ended and outdated sessions alike', async () => {
    const { auth, clock } = authFixture();
    const { token } = await auth.handshake(request(login()), '');
    await expect(auth.authenticateNative(request({}))).rejects.toEqual(rejection('auth.expired'));
    clock.nowMs += 3_599_000;
    await auth.authenticateNative(request({ auth: token }));
    clock.nowMs += 3_599_000;
    await auth.authenticateNative(request({ auth: token }));
    clock.nowMs += 3_600_000;
    await expect(auth.authenticateNative(request({ auth: token }))).rejects.toEqual(rejection('auth.expired'));
  });

  it('ends the sessions of disabled accounts and revoked keys at once', async () => {
    const { auth, change } = authFixture();
    const byPassword = await auth.handshake(request(login()), '');
    const byKey = await auth.handshake(request({ auth: 'bobs-own-key' }), '');
    change({
      ...rows,
      users: rows.users.map((user) => ({ ...user, disabled: user.id === 1 })),
      apiKeys: [keyRow(2, 'another-key', 'other')],
    });
    for (const { token } of [byPassword, byKey])
      await expect(auth.authenticateNative(request({ auth: token }))).rejects.toEqual(rejection('auth.expired'));
    await expect(auth.authenticateNative(request({}, bearer('bobs-own-key')))).rejects.toEqual(rejection('auth.expired'));
    expect((await auth.authenticateNative(request({}, bearer('another-key')))).account.username).toBe('bob');
  });

  it('checks the level of the account', async () => {
    const { auth } = authFixture();
    const bob = await auth.authenticateNative(request({}, bearer('bobs-own-key')));
    requireLevel(bob, 25);
    expect(() => requireLevel(bob, 75)).toThrow(
      expect.objectContaining({ code: 'access.level', message: 'Require: 75', subject: 'account' }),
    );
  });
});

describe('ping and goodbye', () => {
  it('answers without a credential, extends with one, and changes the version', async () => {
    const { auth, clock } = authFixture();
    expect(await auth.ping(request({}), '')).toBeUndefined();
    expect(await auth.ping(request({ auth: 'x'.repeat(5000) }), '')).toBeUndefined();
    const { token } = await auth.handshake(request(login()), '6.0.0');
    clock.nowMs += 5000;
    expect(await auth.ping(request({ auth: token }), '')).toMatchObject({
      token,
      reportedExpiryMs: clock.nowMs + 3_540_000,
      session: { version: '6.0.0' },
    });
    expect(await auth.ping(request({ auth: token }), '440001')).toMatchObject({ session: { version: '440001' } });
    expect((await auth.authenticateNative(request({ auth: token }))).session?.version).toBe('440001');
    expect(await auth.ping(request({}, { auth: 'bobs-own-key' }), '6.0.0')).toMatchObject({
      token: 'bobs-own-key',
      session: { version: '6.0.0' },
    });
    expect((await auth.authenticateNative(request({}, { auth: 'bobs-own-key' }))).session?.version).toBe('6.0.0');
  });

  it('ends a session once', async () => {
    const { auth } = authFixture();
    const { token } = await auth.handshake(request(login()), '');
    expect(await auth.goodbye(request({ auth: token }))).toBe(token);
    await expect(auth.goodbye(request({ auth: token }))).rejects.toEqual(rejection('input.invalid'));
    await expect(auth.goodbye(request({}))).rejects.toEqual(rejection('input.missing'));
    await expect(auth.authenticateNative(request({ auth: token }))).rejects.toEqual(rejection('auth.expired'));
  });

  it('reports 0-length sessions as never ending', async () => {
    const { auth, clock } = authFixture({ SESSION_LENGTH_S: 0 });
    const { token, reportedExpiryMs } = await auth.handshake(request(login()), '');
    expect(reportedExpiryMs).toBeNull();
    clock.nowMs += 1e12;
    expect((await auth.authenticateNative(request({ auth: token }))).account.username).toBe('Ada');
  });
});

describe('throttling', () => {
  it('refuses an account after too many wrong passwords, the right one included, until the window is over', async () => {
    const { auth, clock } = authFixture();
    const tryIt = (password: string, peer = '192.0.2.7') => auth.handshake(request(login('ada', password), {}, peer), '');
    for (let n = 0; n < 10; n += 1) await expect(tryIt('wrong')).rejects.toEqual(rejection('auth.failed'));
    await expect(tryIt('correct horse')).rejects.toEqual(rejection('auth.throttled', /300 seconds/));
    await expect(tryIt('correct horse', '198.51.100.1')).rejects.toEqual(rejection('auth.throttled'));
    clock.nowMs += 300_000;
    expect((await auth.handshake(request(login('ada', 'correct horse', String(clock.nowMs / 1000))), '')).token).toBeTruthy();
  });

  it('does the same for a name that nobody has', async () => {
    const { auth } = authFixture();
    for (let n = 0; n < 10; n += 1) await expect(auth.handshake(request(login('nobody')), '')).rejects.toEqual(rejection('auth.failed'));
    await expect(auth.handshake(request(login('nobody')), '')).rejects.toEqual(rejection('auth.throttled'));
  });

  it('refuses an address after too many failures on any accounts, and leaves sessions and known clients alone', async () => {
    const { auth } = authFixture();
    const { token } = await auth.handshake(request(login('cyd')), '');
    await auth.authenticateNative(request({}, { auth: 'bobs-own-key' }));
    for (let n = 0; n < 50; n += 1) await expect(auth.handshake(request(login(`user${n}`)), '')).rejects.toEqual(rejection('auth.failed'));
    await expect(auth.handshake(request(login('ada')), '')).rejects.toEqual(rejection('auth.throttled'));
    await expect(auth.authenticateNative(request({}, { auth: 'adas-own-key' }))).rejects.toEqual(rejection('auth.throttled'));
    await auth.authenticateNative(request({ auth: token }));
    await auth.authenticateNative(request({}, { auth: 'bobs-own-key' }));
    await auth.handshake(request(login('cyd')), '');
    await auth.handshake(request(login('ada'), {}, '198.51.100.1'), '');
  });

  it('refuses an address after too many wrong API keys', async () => {
    const { auth } = authFixture();
    const tryIt = (key: string, peer = '192.0.2.7') => auth.authenticateNative(request({}, { authorization: `Bearer ${key}` }, peer));
    for (let n = 0; n < 50; n += 1) await expect(tryIt(`guess-${n}`)).rejects.toEqual(rejection('auth.expired'));
    await expect(tryIt('bobs-own-key')).rejects.toEqual(rejection('auth.throttled'));
    expect((await tryIt('bobs-own-key', '198.51.100.1')).account.username).toBe('bob');
  });

  it('counts no outdated session tokens', async () => {
    const { auth, clock } = authFixture();
    const { token } = await auth.handshake(request(login()), '');
    clock.nowMs += 3_600_000;
    for (let n = 0; n < 60; n += 1)
      await expect(auth.authenticateNative(request({ auth: token }))).rejects.toEqual(rejection('auth.expired'));
    for (let n = 0; n < 60; n += 1) await expect(auth.goodbye(request({ auth: token }))).rejects.toEqual(rejection('input.invalid'));
    expect((await auth.handshake(request(login('ada', 'correct horse', String(clock.nowMs / 1000))), '')).token).toBeTruthy();
  });

  it('counts guesses of session tokens, and takes the right ones meanwhile', async () => {
    const { auth } = authFixture();
    const { token } = await auth.handshake(request(login()), '');
    const guess = (n: number): string => `${n.toString(16).padStart(32, '0')}${'0'.repeat(16)}`;
    for (let n = 0; n < 50; n += 1)
      await expect(auth.authenticateNative(request({ auth: guess(n) }))).rejects.toEqual(rejection('auth.expired'));
    await expect(auth.authenticateNative(request({ auth: guess(50) }))).rejects.toEqual(rejection('auth.throttled'));
    await expect(auth.goodbye(request({ auth: guess(51) }))).rejects.toEqual(rejection('auth.throttled'));
    await expect(auth.handshake(request({ auth: 'bobs-own-key' }), '')).rejects.toEqual(rejection('auth.throttled'));
    await auth.authenticateNative(request({ auth: token }));
  });

  it('gives an attacker on the address of a logged-in client no further guess', async () => {
    const { auth } = authFixture();
    const owner = () => auth.handshake(request(login()), '');
    let guesses = 0;
    for (let n = 0; n < 40; n += 1) {
      await owner().catch(() => undefined);
      await auth.handshake(request(login('ada', `guess ${n}`)), '').catch((error: unknown) => {
        guesses += error instanceof Rejection && error.code === 'auth.failed' ? 1 : 0;
      });
    }
    expect(guesses).toBe(10);
    await expect(owner()).rejects.toEqual(rejection('auth.throttled'));
  });

  it('does not throttle a client whose account is attacked from another address', async () => {
    const { auth } = authFixture();
    await auth.handshake(request(login()), '');
    for (let n = 0; n < 12; n += 1) await auth.handshake(request(login('ada', 'x'), {}, '198.51.100.1'), '').catch(() => undefined);
    await auth.handshake(request(login()), '');
    await expect(auth.handshake(request(login(), {}, '203.0.113.1'), '')).rejects.toEqual(rejection('auth.throttled'));
  });

  it('counts keys that come with a timestamp that is out of range', async () => {
    const { auth } = authFixture();
    const tryIt = (auth_: string) => auth.handshake(request({ user: 'ada', timestamp: '1', auth: auth_ }), '');
    for (let n = 0; n < 10; n += 1) await expect(tryIt(`guess ${n}`)).rejects.toEqual(rejection('auth.failed', /out of range/));
    await expect(tryIt('adas-own-key')).rejects.toEqual(rejection('auth.throttled'));
  });
});

describe('unauthenticated clients', () => {
  it('come from where the access list admits everybody', async () => {
    const closed = authFixture({}, { ...rows, accessRules: [ruleRow({ type: 'stream' })] });
    await expect(closed.auth.limitUnauthenticated(request({}), 'register')).rejects.toEqual(rejection('access.address'));
    await authFixture().auth.limitUnauthenticated(request({}), 'register');
  });
});
