import { Rejection } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { authFixture, request, rows, ruleRow, userRow, type AuthFixture } from '../../test/auth/auth.fixture.js';
import type { CredentialRows } from './credentials/credential-snapshot.js';

const ADA = rows.users[0]!.id as Parameters<AuthFixture['auth']['web']['open']>[1];
const open: CredentialRows = { ...rows, accessRules: [...rows.accessRules, ruleRow({ id: 3, type: 'interface' })] };
const MINUTE_MS = 60_000;
const rejection = (code: string) => expect.toSatisfy((error: unknown) => error instanceof Rejection && error.code === code);

/** Somebody who has signed in to the web page, and what a call of the page carries. */
const signedIn = async (fixture = authFixture({}, open)) => {
  const opened = await fixture.auth.web.open(request({}), ADA, { by: 'password' });
  const { token, expiresAtMs } = fixture.auth.web.accessToken(opened.token);
  const call = request({}, { authorization: `Bearer ${token}` });
  return { ...fixture, cookie: opened.token, token, expiresAtMs, call };
};

describe('an access token of the web page', () => {
  it('is the account in the native API, with its level and every scope, and names no session of a player', async () => {
    const { auth, call } = await signedIn();
    const caller = await auth.authenticateNative(call, 'listen');
    expect(caller).toMatchObject({ by: 'access-token', viaHeader: true, account: { username: 'Ada', access: 100 } });
    expect([caller.scopes, caller.apiKeyId, caller.session?.token]).toEqual([undefined, undefined, undefined]);
    expect(await auth.ping(call, '8.0.0')).toMatchObject({ caller: { account: { username: 'Ada' } } });
  });

  it('is in no address of media: they hold a media token', async () => {
    const { auth, call, token, cookie } = await signedIn();
    const { mediaToken, artToken } = await auth.authenticateNative(call);
    expect([mediaToken, artToken]).toEqual([expect.stringMatching(/^m-1-0-/), mediaToken]);
    expect(JSON.stringify([mediaToken, artToken])).not.toContain(token);
    expect((await auth.authenticateMedia(request({ ssid: mediaToken }), 'play')).account.username).toBe('Ada');
    await expect(auth.authenticateMedia(request({ ssid: cookie }), 'play')).rejects.toEqual(rejection('auth.expired'));
  });

  it('opens no session of a player, which would outlive the sign-out, and no account page', async () => {
    const { auth, call, token } = await signedIn();
    for (const params of [{ auth: token }, { auth: token, user: 'ada' }])
      await expect(auth.handshake(request(params), '8.0.0')).rejects.toEqual(rejection('auth.failed'));
    await expect(auth.handshake(call, '8.0.0')).rejects.toEqual(rejection('auth.failed'));
    expect(await auth.web.caller(request({}), token)).toBeUndefined();
  });

  it.each<[string, (signed: Awaited<ReturnType<typeof signedIn>>) => Promise<unknown> | void, string]>([
    ['sign-out', ({ auth, cookie }) => auth.web.signOut(cookie), 'auth.expired'],
    [
      'the end of the session from another browser',
      ({ auth, cookie }) => auth.web.endSession(ADA, auth.web.sessionId(cookie)),
      'auth.expired',
    ],
    ['goodbye', ({ auth, token }) => auth.goodbye(request({ auth: token })), 'auth.expired'],
    ['its time', ({ clock, expiresAtMs }) => void (clock.nowMs = expiresAtMs), 'auth.expired'],
    [
      'a new password',
      ({ change, clock }) => change({ ...open, users: [userRow({ id: 1, username: 'Ada', password_set_at_ms: clock.nowMs + 1 })] }),
      'auth.expired',
    ],
    [
      'a disabled account',
      ({ change }) => change({ ...open, users: [userRow({ id: 1, username: 'Ada', disabled: true })] }),
      'auth.expired',
    ],
    ['a closed access list', ({ change }) => change({ ...open, accessRules: [ruleRow({ id: 3, type: 'interface' })] }), 'access.address'],
  ])('ends at once with %s', async (_, end, code) => {
    const signed = await signedIn();
    await signed.auth.authenticateNative(signed.call);
    await end(signed);
    await expect(signed.auth.authenticateNative(signed.call)).rejects.toEqual(rejection(code));
  });

  it('lets a stream of events go on while the session lives, and no longer', async () => {
    const { auth, call, cookie, clock } = await signedIn();
    const stands = await auth.authorizationCheckOf(await auth.authenticateNative(call));
    expect(await stands()).toBe(true);
    clock.nowMs += 20 * MINUTE_MS;
    expect(await stands()).toBe(true);
    await auth.web.signOut(cookie);
    expect(await stands()).toBe(false);
  });

  it('counts as no guess when it has ended', async () => {
    const { auth, call, cookie } = await signedIn();
    await auth.web.signOut(cookie);
    for (let n = 0; n < 60; n += 1) await expect(auth.authenticateNative(call)).rejects.toEqual(rejection('auth.expired'));
    expect((await auth.authenticateNative(request({}, { authorization: 'Bearer bobs-own-key' }))).account.username).toBe('bob');
  });
});
