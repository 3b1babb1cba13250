import { sha256Hex } from '@continuo/chassis';
import { describe, expect, it, vi } from 'vitest';
import { authFixture, request, rows, ruleRow, sealer, SECRET, userRow } from '../../test/auth/auth.fixture.js';
import type { CompatResult } from './auth.js';
import { compatCredential, plainPassword, saltedToken } from './compat-auth.js';

const salted = (u: string, password: string) => ({ u, t: saltedToken(password, 'c19b2d'), s: 'c19b2d' });
const hex = (text: string) => Buffer.from(text, 'utf8').toString('hex');
const reasonOf = (result: CompatResult): string => (result.ok ? 'ok' : result.failure.reason);

describe('the salted token', () => {
  it('is the published check vector', () => {
    expect(saltedToken('sesame', 'c19b2d')).toBe('26719a1196d2a940705a59634eb18eab');
  });
});

describe('plainPassword', () => {
  it.each([
    ['sesame', 'sesame'],
    [`enc:${hex('sesame')}`, 'sesame'],
    [`ENC:${hex('säsäme').toUpperCase()}`, 'säsäme'],
    ['enc:sesame', 'enc:sesame'],
    ['enc:abc', 'enc:abc'],
    ['enc:ff', 'enc:ff'],
    ['enc:', 'enc:'],
  ])('reads %s', (p, password) => {
    expect(plainPassword(p)).toBe(password);
  });
});

describe('compatCredential', () => {
  const of = (params: Record<string, unknown>, headers = {}) => compatCredential(request(params, headers));

  it('looks at the bearer header first, then apiKey, then t and s, then p', () => {
    expect(of({ apiKey: 'k', u: 'ada', p: 'x' }, { authorization: 'Bearer b' })).toEqual({ kind: 'key', key: 'b', viaHeader: true });
    expect(of({ apiKey: 'k' })).toEqual({ kind: 'key', key: 'k', viaHeader: false });
    expect(of({ u: 'ada', t: 'T', s: 'S' })).toEqual({ kind: 'token', user: 'ada', token: 'T', salt: 'S' });
    expect(of({ u: 'ada', p: 'x' })).toEqual({ kind: 'password', user: 'ada', password: 'x' });
  });

  it('refuses a user or a password beside apiKey, and a password beside a token', () => {
    for (const besides of [{ u: 'ada' }, { u: '' }, { p: 'x' }, { t: 'T' }, { s: 'S' }]) {
      expect(of({ apiKey: 'k', ...besides })).toEqual({ reason: 'conflicting-mechanisms' });
    }
    expect(of({ u: 'ada', p: 'x', t: 'T', s: 'S' })).toEqual({ reason: 'conflicting-mechanisms' });
  });

  it('names what is missing', () => {
    expect(of({})).toEqual({ reason: 'missing-parameter', parameter: 'u' });
    expect(of({ apiKey: '' })).toEqual({ reason: 'missing-parameter', parameter: 'u' });
    expect(of({ t: 'T', s: 'S' })).toEqual({ reason: 'missing-parameter', parameter: 'u' });
    expect(of({ u: 'ada' })).toEqual({ reason: 'missing-parameter', parameter: 'p' });
    expect(of({ u: 'ada', t: 'T' })).toEqual({ reason: 'missing-parameter', parameter: 's' });
    expect(of({ u: 'ada', s: 'S' })).toEqual({ reason: 'missing-parameter', parameter: 't' });
  });
});

describe('authenticateCompat', () => {
  it.each([
    ['token of the compatibility password', salted('ada', 'sesame')],
    ['token in upper case', { ...salted('ADA', 'sesame'), t: saltedToken('sesame', 'c19b2d').toUpperCase() }],
    ['token of an API key', salted('ada', 'adas-own-key')],
    ['plain password', { u: 'ada', p: 'sesame' }],
    ['hex password', { u: 'ada', p: `enc:${hex('sesame')}` }],
    ['API key as password', { u: 'ada', p: 'adas-own-key' }],
    ['API key', { apiKey: 'adas-own-key' }],
    ['hashed API key', { apiKey: sha256Hex(`Ada${sha256Hex('adas-own-key')}`) }],
  ])('takes a %s', async (_, params) => {
    const { auth } = authFixture();
    const result = await auth.authenticateCompat(request({ ...params, c: 'Player', v: '1.16.1' }, { 'user-agent': 'ua' }));
    expect(result).toMatchObject({ ok: true, caller: { account: { username: 'Ada' }, client: 'Player', viaHeader: false } });
  });

  it('takes no notice of a header of another scheme', async () => {
    const { auth } = authFixture();
    // As clients send it for a proxy in front.
    const headers = { authorization: `Basic ${Buffer.from('ada:wrong').toString('base64')}` };
    const own = (params: Readonly<Record<string, string | undefined>>) =>
      auth.authenticateCompat(request({ ...params, c: 'Player', v: '1.16.1' }, headers));
    for (const params of [{ apiKey: 'adas-own-key' }, { u: 'ada', p: 'sesame' }, salted('ada', 'sesame')])
      expect(await own(params)).toMatchObject({ ok: true, caller: { account: { username: 'Ada' } } });
    expect(reasonOf(await own({ u: 'ada', p: 'wrong' }))).toBe('wrong-credentials');
  });

  it('takes keys and session tokens as bearer', async () => {
    const { auth } = authFixture();
    const { token } = await auth.handshake(request({ auth: 'bobs-own-key' }), '');
    for (const bearer of ['bobs-own-key', token]) {
      const result = await auth.authenticateCompat(request({ u: 'ada', p: 'wrong' }, { authorization: `Bearer ${bearer}` }));
      expect(result).toMatchObject({ ok: true, caller: { account: { username: 'bob' }, viaHeader: true } });
    }
  });

  it.each([
    ['wrong-credentials', salted('ada', 'wrong')],
    ['wrong-credentials', salted('ada', 'correct horse')],
    ['wrong-credentials', salted('nobody', 'sesame')],
    ['wrong-credentials', salted('eve', 'sesame')],
    ['wrong-credentials', { u: 'ada', p: 'correct horse' }],
    ['wrong-credentials', { u: 'nobody', p: 'sesame' }],
    ['wrong-credentials', { u: 'cyd', p: 'correct horse' }],
    ['wrong-credentials', { u: 'bob', p: 'adas-own-key' }],
    ['wrong-credentials', salted('cyd', 'correct horse')],
    ['wrong-credentials', salted('bob', 'wrong')],
    ['invalid-key', { apiKey: 'unknown' }],
    ['invalid-key', { apiKey: 'eves-own-key' }],
  ])('answers %s to %o', async (reason, params) => {
    const { auth } = authFixture();
    expect(reasonOf(await auth.authenticateCompat(request(params)))).toBe(reason);
  });

  it('answers as one without a password when the server secret has changed, and still takes keys', async () => {
    const foreign = { ...userRow({ id: 1, username: 'ada' }), sealed_compat_password: 'v1.AAAAAAAAAAAAAAAA.AAAA.AAAAAAAAAAAAAAAAAAAAAA' };
    const { auth } = authFixture({}, { ...rows, users: [foreign] });
    expect(SECRET.length).toBeGreaterThan(31);
    expect(reasonOf(await auth.authenticateCompat(request(salted('ada', 'sesame'))))).toBe('wrong-credentials');
    expect(reasonOf(await auth.authenticateCompat(request({ u: 'ada', p: 'sesame' })))).toBe('wrong-credentials');
    expect(reasonOf(await auth.authenticateCompat(request({ u: 'ada', p: 'adas-own-key' })))).toBe('ok');
  });

  it('deciphers nothing for a player that has just logged in, and everything for a wrong credential', async () => {
    const { auth, clock } = authFixture();
    const open = vi.spyOn(sealer, 'open');
    const opened = async (params: Record<string, unknown>): Promise<number> => {
      open.mockClear();
      await auth.authenticateCompat(request(params));
      return open.mock.calls.length;
    };
    const otherSalt = { u: 'ada', t: saltedToken('sesame', 'another'), s: 'another' };
    expect(await opened(salted('ada', 'sesame'))).toBe(2);
    expect(await opened(otherSalt)).toBe(0);
    expect(await opened({ u: 'ada', p: 'sesame' })).toBe(0);
    expect(await opened(salted('ada', 'wrong'))).toBe(2);
    expect(await opened(salted('nobody', 'wrong'))).toBe(2);
    clock.nowMs += 60_000;
    expect(await opened(otherSalt)).toBe(2);
    open.mockRestore();
  });

  it.each<[string, typeof rows]>([
    ['an account that is gone', { ...rows, users: rows.users.slice(1) }],
    ['a disabled account', { ...rows, users: [userRow({ id: 1, username: 'Ada', disabled: true }, { compat: 'sesame' })] }],
    ['a changed password', { ...rows, users: [userRow({ id: 1, username: 'Ada' }, { compat: 'another' })] }],
    ['a revoked key', { ...rows, apiKeys: [] }],
  ])('lets nobody in by memory after %s', async (change, changed) => {
    const fixture = authFixture();
    const own = salted('ada', change === 'a revoked key' ? 'adas-own-key' : 'sesame');
    for (let n = 0; n < 2; n += 1) expect(reasonOf(await fixture.auth.authenticateCompat(request(own)))).toBe('ok');
    fixture.change(changed);
    expect(reasonOf(await fixture.auth.authenticateCompat(request(own)))).toBe('wrong-credentials');
  });

  it('refuses what is switched off', async () => {
    const { auth } = authFixture({ COMPAT_TOKEN_LOGIN: false, COMPAT_PASSWORD_LOGIN: false });
    expect(reasonOf(await auth.authenticateCompat(request(salted('ada', 'sesame'))))).toBe('token-unsupported');
    expect(reasonOf(await auth.authenticateCompat(request({ u: 'ada', p: 'sesame' })))).toBe('mechanism-unsupported');
  });

  it('asks the access list, and is closed while access control is off', async () => {
    const narrow = authFixture({}, { ...rows, accessRules: [ruleRow({ end_address: '127.0.0.1' })] });
    expect(reasonOf(await narrow.auth.authenticateCompat(request(salted('ada', 'sesame'))))).toBe('address-denied');
    const off = authFixture({ ACCESS_CONTROL: false });
    expect(reasonOf(await off.auth.authenticateCompat(request(salted('ada', 'sesame'))))).toBe('address-denied');
  });

  it('shares the count of failures with the native API', async () => {
    const { auth, clock } = authFixture();
    for (let n = 0; n < 10; n += 1)
      expect(reasonOf(await auth.authenticateCompat(request(salted('ada', `guess ${n}`))))).toBe('wrong-credentials');
    expect(await auth.authenticateCompat(request(salted('ada', 'sesame')))).toEqual({
      ok: false,
      failure: { reason: 'throttled', retryAfterMs: 300_000 },
    });
    await expect(auth.handshake(request({ user: 'ada', auth: 'adas-own-key' }), '')).rejects.toMatchObject({ code: 'auth.throttled' });
    clock.nowMs += 300_000;
    expect(reasonOf(await auth.authenticateCompat(request(salted('ada', 'sesame'))))).toBe('ok');
  });
});

describe('authenticateMedia', () => {
  it('takes the media token of a caller, and only for media', async () => {
    const { auth, clock, change } = authFixture();
    const { mediaToken } = await auth.authenticateNative(request({}, { auth: 'bobs-own-key' }));
    expect(await auth.authenticateMedia(request({ ssid: mediaToken }))).toMatchObject({
      account: { username: 'bob' },
      by: 'media-token',
      apiKeyId: 'key2',
    });
    await expect(auth.authenticateNative(request({ auth: mediaToken }))).rejects.toMatchObject({ code: 'auth.expired' });
    expect(reasonOf(await auth.authenticateCompat(request({ apiKey: mediaToken })))).toBe('invalid-key');
    for (const forged of [
      mediaToken.replace('m-2', 'm-1'),
      mediaToken.replace('key2', '0'),
      `${mediaToken}0`,
      `x${mediaToken}`,
      mediaToken.slice(0, -1),
    ]) {
      await expect(auth.authenticateMedia(request({ ssid: forged }))).rejects.toMatchObject({ code: 'auth.expired' });
    }
    clock.nowMs += 2 * 3_600_000;
    expect((await auth.authenticateMedia(request({ auth: mediaToken }))).account.username).toBe('bob');
    change({ ...rows, apiKeys: [] });
    await expect(auth.authenticateMedia(request({ ssid: mediaToken }))).rejects.toMatchObject({ code: 'auth.expired' });
    change(rows);
    clock.nowMs += 3_600_000;
    await expect(auth.authenticateMedia(request({ ssid: mediaToken }))).rejects.toMatchObject({ code: 'auth.expired' });
  });

  it('counts a media token that is over as no guess, and a forged one as one', async () => {
    const { auth, clock } = authFixture();
    const { mediaToken } = await auth.authenticateNative(request({}, { auth: 'bobs-own-key' }));
    clock.nowMs += 4 * 3_600_000;
    const ask = (ssid: string) => auth.authenticateMedia(request({ ssid })).catch(({ code }: { code: string }) => code);
    for (let n = 0; n < 200; n += 1) expect(await ask(mediaToken)).toBe('auth.expired');
    const answers = new Set<unknown>();
    for (let n = 0; n < 200; n += 1) answers.add(await ask(`m-2-key2-zzzz-${String(n).padStart(40, '0')}`));
    expect([...answers]).toEqual(['auth.expired', 'auth.throttled']);
  });

  it('takes session tokens, keys, and names with passwords, the first named deciding', async () => {
    const { auth } = authFixture();
    const { token } = await auth.handshake(request({ auth: 'bobs-own-key' }), '');
    for (const params of [{ ssid: token }, { auth: token, u: 'ada', p: 'wrong' }, { apikey: 'bobs-own-key' }]) {
      expect((await auth.authenticateMedia(request(params))).account.username).toBe('bob');
    }
    for (const p of ['correct horse', 'sesame', 'adas-own-key', `enc:${hex('sesame')}`]) {
      expect((await auth.authenticateMedia(request({ u: 'ada', p }))).account.username).toBe('Ada');
    }
    expect(await auth.authenticateMedia(request({ u: 'ada', p: 'sesame' }))).toMatchObject({ by: 'password', viaHeader: false });
    expect(await auth.authenticateMedia(request({ u: 'ada', p: 'adas-own-key' }))).toMatchObject({ by: 'api-key', viaHeader: false });
    expect(await auth.authenticateMedia(request({ ssid: token }))).toMatchObject({ by: 'session', session: { token } });
    expect(await auth.authenticateMedia(request({}, { authorization: `Bearer ${token}` }))).toMatchObject({ viaHeader: true });
    for (const params of [
      {},
      { ssid: 'x', u: 'ada', p: 'sesame' },
      { apikey: 'x', u: 'ada', p: 'sesame' },
      { u: 'ada', p: 'wrong' },
      { u: 'eve', p: 'sesame' },
      { u: 'ada' },
      { p: 'sesame' },
      { uid: 1 },
    ]) {
      await expect(auth.authenticateMedia(request(params))).rejects.toMatchObject({ code: 'auth.expired' });
    }
  });

  it('does not fall back from a header that is wrong to a parameter that is right', async () => {
    const { auth } = authFixture();
    for (const params of [{ apikey: 'bobs-own-key' }, { u: 'ada', p: 'sesame' }])
      await expect(auth.authenticateMedia(request(params, { authorization: 'Bearer x' }))).rejects.toMatchObject({ code: 'auth.expired' });
  });

  it('throttles password guesses', async () => {
    const { auth, clock } = authFixture();
    const tryIt = (p: string) => auth.authenticateMedia(request({ u: 'ada', p }));
    for (let n = 0; n < 10; n += 1) await expect(tryIt(`guess ${n}`)).rejects.toMatchObject({ code: 'auth.expired' });
    await expect(tryIt('sesame')).rejects.toMatchObject({ code: 'auth.throttled' });
    clock.nowMs += 300_000;
    expect((await tryIt('sesame')).account.username).toBe('Ada');
  });

  it('takes a stream token as ssid of play addresses and nowhere else', async () => {
    const token = 'a'.repeat(40);
    const users = rows.users.map((row) =>
      row.id === 2 ? { ...row, stream_token_sha256: sha256Hex(token), sealed_stream_token: sealer.seal(token) } : row,
    );
    const { auth, clock, change } = authFixture({}, { ...rows, users });
    expect(await auth.authenticateMedia(request({ ssid: token }), 'play')).toMatchObject({
      account: { username: 'bob' },
      by: 'stream-token',
    });
    expect((await auth.authenticateNative(request({}, { auth: 'bobs-own-key' }))).streamToken).toBe(token);
    clock.nowMs += 365 * 86_400_000;
    expect((await auth.authenticateMedia(request({ ssid: token }), 'play')).account.username).toBe('bob');
    const refused = [
      () => auth.authenticateMedia(request({ ssid: token })),
      () => auth.authenticateMedia(request({ auth: token }), 'play'),
      () => auth.authenticateMedia(request({ apikey: token }), 'play'),
      () => auth.authenticateMedia(request({}, { authorization: `Bearer ${token}` }), 'play'),
      () => auth.authenticateNative(request({ auth: token })),
      () => auth.authenticateNative(request({}, { auth: token })),
      () => auth.authenticateNative(request({}, { authorization: `Bearer ${token}` })),
    ];
    for (const attempt of refused) await expect(attempt()).rejects.toMatchObject({ code: 'auth.expired' });
    await expect(auth.handshake(request({ auth: token }), '')).rejects.toMatchObject({ code: 'auth.failed' });
    await expect(auth.handshake(request({ user: 'bob', auth: token }), '')).rejects.toMatchObject({ code: 'auth.failed' });
    for (const params of [{ apiKey: token }, { u: 'bob', p: token }, { u: 'bob', t: saltedToken(token, 'x'), s: 'x' }])
      expect(await auth.authenticateCompat(request(params))).toMatchObject({ ok: false });
    change({ ...rows, users: users.map((row) => ({ ...row, disabled: true })) });
    await expect(auth.authenticateMedia(request({ ssid: token }), 'play')).rejects.toMatchObject({ code: 'auth.expired' });
  });

  it('asks the access list for streams', async () => {
    const { auth } = authFixture({}, { ...rows, accessRules: [ruleRow()] });
    await expect(auth.authenticateMedia(request({ apikey: 'bobs-own-key' }))).rejects.toMatchObject({ code: 'access.address' });
    const open = authFixture({ ACCESS_CONTROL: false });
    expect((await open.auth.authenticateMedia(request({ apikey: 'bobs-own-key' }))).account.username).toBe('bob');
  });
});
