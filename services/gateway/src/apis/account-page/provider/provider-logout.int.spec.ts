import { recordingLog } from '@continuo/chassis/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { PageWorld } from '../../../../test/account-page/page-world.fixture.js';
import { CLIENT, LocalProvider, PUBLIC_URL } from '../../../../test/account-page/provider/local-provider.fixture.js';
import { inside, startOf } from '../../../../test/account-page/provider/provider-logins.fixture.js';

let provider: LocalProvider;
let creating: PageWorld;

beforeAll(async () => {
  provider = await LocalProvider.start({ 'sub-nora': { preferred_username: 'nora' } });
  const settings = {
    PUBLIC_URL,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_ACCOUNTS: 'create' as const,
  };
  creating = await PageWorld.start({ settings, log: recordingLog().log });
});
afterAll(async () => {
  await creating.stop();
  await provider.stop();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('signing out at the provider', () => {
  /** Somebody who is signed in here, and at the provider in a browser of their own. */
  const signedIn = async () => {
    const browser = creating.browser();
    const who = provider.visitor('sub-nora');
    await browser.get(inside(await who.comeBackFrom(await startOf(browser))));
    return { browser, who };
  };
  const isIn = async ({ browser }: Awaited<ReturnType<typeof signedIn>>): Promise<boolean> =>
    (await browser.get('/account/me')).statusCode === 200;
  const tell = async (token: string) => (await creating.browser().post('/account/provider-logout', { logout_token: token })).statusCode;
  /** Signs out there, and answers what the provider tells. */
  const signOut = async ({ who }: Awaited<ReturnType<typeof signedIn>>): Promise<string> => {
    const before = provider.logoutTokens.length;
    await who.signOutAt(`${provider.issuer}/session/end`);
    await expect.poll(() => provider.logoutTokens.length).toBe(before + 1);
    return provider.logoutTokens.at(-1) ?? '';
  };

  it('ends the session here that began in that one, and no other', async () => {
    const [one, other, byPassword] = [await signedIn(), await signedIn(), await creating.signedIn('bob')];
    const answer = await creating.browser().post('/account/provider-logout', { logout_token: await signOut(one) });
    expect([answer.statusCode, answer.body, answer.headers['cache-control']]).toEqual([200, '', 'no-store']);
    expect([await isIn(one), await isIn(other)]).toEqual([false, true]);
    expect((await byPassword.get('/account/me')).statusCode).toBe(200);
    // It may be told twice.
    expect(await tell(provider.logoutTokens.at(-1) ?? '')).toBe(200);
    expect(await isIn(other)).toBe(true);
  });

  it('is believed only in a fresh token of the provider for that purpose', async () => {
    const signed = await signedIn();
    const token = await signOut(signed);
    const forged = `${token.slice(0, -6)}${token.at(-6) === 'A' ? 'B' : 'A'}${token.slice(-5)}`;
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${token.split('.')[1] ?? ''}.`;
    for (const wrong of ['', 'no token', forged, unsigned, provider.idTokens.at(-1) ?? '']) expect(await tell(wrong)).toBe(400);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 180_000 });
    expect(await tell(token)).toBe(400);
    vi.useRealTimers();
    expect(await isIn(signed)).toBe(true);
    expect(await tell(token)).toBe(200);
    expect(await isIn(signed)).toBe(false);
  });
});
