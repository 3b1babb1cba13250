import { sha256Hex } from '@continuo/chassis';
import type { KeyScope } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { authFixture, keyRow, NOON, request, rows } from '../../test/auth/auth.fixture.js';
import { requireEveryScope } from './player-caller.js';

const scopedKey = (scopes: KeyScope[] | null, expires_at_ms: number | null = null) =>
  authFixture({}, { ...rows, apiKeys: [...rows.apiKeys, keyRow(1, 'adas-scoped-key', 'scoped', { scopes, expires_at_ms })] });
const auth = { auth: 'adas-scoped-key' };
const denied = { code: 'access.scope' };

describe('a key without the scope listen', () => {
  it('opens the management API and nothing else', async () => {
    const fixture = scopedKey(['manage:read']);
    expect(await fixture.auth.authenticateNative(request(auth), 'manage:read:scans')).toMatchObject({
      scopes: ['manage:read'],
      account: { access: 100 },
    });
    await expect(fixture.auth.authenticateNative(request(auth), 'manage:write:scans')).rejects.toMatchObject(denied);
    await expect(fixture.auth.authenticateNative(request(auth))).rejects.toMatchObject(denied);
    await expect(fixture.auth.handshake(request(auth), '')).rejects.toMatchObject(denied);
    await expect(fixture.auth.handshake(request({ ...auth, user: 'ada' }), '')).rejects.toMatchObject(denied);
    await expect(fixture.auth.authenticateMedia(request({ apikey: 'adas-scoped-key' }))).rejects.toMatchObject(denied);
    expect(await fixture.auth.ping(request(auth), '')).toBeUndefined();
    expect(await fixture.auth.authenticateCompat(request({ apiKey: 'adas-scoped-key' }))).toEqual({
      ok: false,
      failure: { reason: 'scope-denied' },
    });
    expect(await fixture.auth.authenticateCompat(request({ u: 'ada', p: 'adas-scoped-key' }))).toEqual({
      ok: false,
      failure: { reason: 'scope-denied' },
    });
  });
});

describe('a key with the scope listen', () => {
  it('has the rights of a user at most in the APIs of players, also by a session or a token that it opened', async () => {
    const fixture = scopedKey(['listen']);
    const limited = { account: { access: 25 }, scopes: ['listen'] };
    const { caller, token } = await fixture.auth.handshake(request(auth), '');
    expect(caller).toMatchObject(limited);
    expect(await fixture.auth.authenticateNative(request({ auth: token }))).toMatchObject(limited);
    expect(await fixture.auth.authenticateCompat(request({ apiKey: 'adas-scoped-key' }))).toMatchObject({ ok: true, caller: limited });
    expect(await fixture.auth.authenticateMedia(request({ ssid: caller.artToken }))).toMatchObject(limited);
    await expect(fixture.auth.authenticateNative(request({ auth: token }), 'manage:read')).rejects.toMatchObject(denied);
  });
});

describe('an expired key', () => {
  it('is refused everywhere as an unknown one, and so is what it opened', async () => {
    const fixture = scopedKey(null, NOON + 60_000);
    const { token, caller } = await fixture.auth.handshake(request(auth), '');
    expect(await fixture.auth.authenticateNative(request(auth))).toMatchObject({ account: { username: 'Ada', access: 100 } });
    fixture.clock.nowMs += 59_000;
    expect(await fixture.auth.authenticateCompat(request({ u: 'ada', p: 'adas-scoped-key' }))).toMatchObject({ ok: true });
    const hashed = sha256Hex(`Ada${sha256Hex('adas-scoped-key')}`);
    fixture.clock.nowMs += 1000;
    for (const gone of ['adas-scoped-key', token, hashed])
      await expect(fixture.auth.authenticateNative(request({ auth: gone }))).rejects.toMatchObject({ code: 'auth.expired' });
    await expect(fixture.auth.handshake(request({ ...auth, user: 'ada' }), '')).rejects.toMatchObject({ code: 'auth.failed' });
    await expect(fixture.auth.authenticateMedia(request({ ssid: caller.artToken }))).rejects.toMatchObject({ code: 'auth.expired' });
    expect(await fixture.auth.authenticateCompat(request({ apiKey: 'adas-scoped-key' }))).toMatchObject({
      failure: { reason: 'invalid-key' },
    });
    expect(await fixture.auth.authenticateCompat(request({ u: 'ada', p: 'adas-scoped-key' }))).toMatchObject({
      failure: { reason: 'wrong-credentials' },
    });
  });

  it('ends answers that go on', async () => {
    const fixture = scopedKey(null, NOON + 60_000);
    const isStill = await fixture.auth.authorizationCheckOf(await fixture.auth.authenticateNative(request(auth)));
    expect(await isStill()).toBe(true);
    fixture.clock.nowMs += 60_000;
    expect(await isStill()).toBe(false);
  });
});

it('keeps when a key was last used', async () => {
  const fixture = scopedKey(null);
  expect(fixture.auth.keyLastUsedAtMs('scoped')).toBeUndefined();
  await fixture.auth.authenticateNative(request(auth));
  expect(fixture.auth.keyLastUsedAtMs('scoped')).toBe(NOON);
});

describe('credentials of an account', () => {
  it('are not for keys with a list of scopes, whatever it holds', () => {
    for (const scopes of [[], ['listen'], ['manage:read', 'manage:write']] as const)
      expect(() => requireEveryScope({ scopes })).toThrow(expect.objectContaining(denied) as Error);
    expect(() => requireEveryScope({})).not.toThrow();
  });
});
