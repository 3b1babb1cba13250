import { recordingLog } from '@continuo/chassis/testkit';
import { DEX_PASSWORD, testDex, type TestDex } from '@continuo/local-servers';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { leadsTo, PageWorld } from '../../../../test/account-page/page-world.fixture.js';
import { CLIENT, PUBLIC_URL, RETURN_URL, Visitor } from '../../../../test/account-page/provider/local-provider.fixture.js';
import {
  inside,
  itMakesAccounts,
  login,
  startOf,
  tried as triedBy,
} from '../../../../test/account-page/provider/provider-logins.fixture.js';

/* Dex, whose keys, clocks and refusals are those of a provider that people run. */

const { log, lines } = recordingLog();
const client = {
  id: CLIENT.id,
  secret: CLIENT.secret,
  name: 'Continuo',
  redirectURIs: [RETURN_URL],
  postLogoutRedirectURIs: [`${PUBLIC_URL}/account/login?out=1`],
};
const users = [
  { name: 'nora', preferredUsername: 'nora', groups: ['music', 'staff'] },
  { name: 'otto', preferredUsername: 'otto', groups: ['staff'] },
  { name: 'mona', groups: ['music'] },
  { name: 'uma', preferredUsername: 'uma', groups: ['music'], isEmailVerified: false },
];
let dex: TestDex;
let world: PageWorld;

const settingsOf = (issuer: string) => ({
  PUBLIC_URL,
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: CLIENT.id,
  OIDC_CLIENT_SECRET: CLIENT.secret,
  OIDC_SCOPES: 'openid profile email groups',
  OIDC_REQUIRED_GROUP: 'music',
  OIDC_ACCOUNTS: 'create' as const,
});

beforeAll(async () => {
  dex = await testDex({ users, clients: [client] });
  world = await PageWorld.start({ settings: settingsOf(dex.issuer), log });
});
afterAll(async () => {
  await world.stop();
  await dex.stop();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Somebody at Dex's pages: logs in and agrees, or presses "Cancel". */
const visitor = (name: string, { password = DEX_PASSWORD, approval = 'approve' } = {}): Visitor =>
  new Visitor((page): Record<string, string> | undefined => {
    if (page.includes('name="approval"')) return { req: /name="req" value="([^"]*)"/.exec(page)?.[1] ?? '', approval };
    return page.includes('name="login"') ? { login: `${name}@example.org`, password } : undefined;
  });

/** The outcome of a login as somebody with the usual password. */
const tried = (name: string, among = world) => triedBy(visitor(name), among);

describe('signing in at Dex', () => {
  itMakesAccounts(() => ({ world, visitor }));

  it('goes no further with a wrong password', async () => {
    const browser = world.browser();
    await expect(visitor('nora', { password: 'wrong' }).comeBackFrom(await startOf(browser))).rejects.toThrow(/Invalid .* and password/);
    expect(browser.cookies.has('continuo')).toBe(false);
  });

  it('refuses who is outside of the group', async () => {
    expect((await tried('otto')).slice(0, 2)).toEqual([403, false]);
    expect(world.users.some(({ username }) => username === 'otto')).toBe(false);
  });

  it('refuses everybody when groups are required but not in the scopes, and says so in the log', async () => {
    const without = await PageWorld.start({ settings: { ...settingsOf(dex.issuer), OIDC_SCOPES: 'openid profile email' }, log });
    expect((await tried('nora', without)).slice(0, 2)).toEqual([403, false]);
    expect(JSON.stringify(lines)).toContain('names no groups');
    await without.stop();
  });

  it('names a claim that the provider does not tell', async () => {
    const [status, isOpen, text] = await tried('mona');
    expect([status, isOpen]).toEqual([401, false]);
    expect(text).toContain('preferred_username');
  });

  it('refuses who cancels, and a return that is old or comes twice', async () => {
    // Dex itself says so, and does not send the browser back.
    const start = await startOf(world.browser());
    await expect(visitor('nora', { approval: 'rejected' }).comeBackFrom(start)).rejects.toThrow('Approval rejected');

    const browser = world.browser();
    const back = inside(await visitor('nora').comeBackFrom(await startOf(browser)));
    const pending = browser.cookies.get('continuo-provider') ?? '';
    expect((await browser.get(back)).statusCode).toBe(303);
    const replay = world.browser();
    replay.cookies.set('continuo-provider', pending);
    expect([(await replay.get(back)).statusCode, replay.cookies.has('continuo')]).toEqual([401, false]);

    const late = world.browser();
    const lateBack = inside(await visitor('nora').comeBackFrom(await startOf(late)));
    world.fixture.clock.nowMs += 601_000;
    expect([(await late.get(lateBack)).statusCode, late.cookies.has('continuo')]).toEqual([401, false]);
  });

  it('refuses a code that was already exchanged, also in the browser that began', async () => {
    const browser = world.browser();
    const back = inside(await visitor('nora').comeBackFrom(await startOf(browser)));
    expect((await browser.get(back)).statusCode).toBe(303);
    const again = world.browser();
    const state = new URL(await startOf(again)).searchParams.get('state') ?? '';
    const replayed = new URLSearchParams(back.slice(back.indexOf('?')));
    replayed.set('state', state);
    expect((await again.get(`/account/provider-return?${replayed.toString()}`)).statusCode).toBe(401);
  });
});

describe('clocks that differ', () => {
  it.each([-3600, -60, 60, 3600])('by %i s do not matter while the token is valid for a day', async (seconds) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });
    expect(await tried('nora')).toEqual([303, true, '']);
  });

  it('refuse a token that is over by more than half a minute, and say so in the log', async () => {
    await dex.restart({ more: { expiry: { idTokens: '60s' } } });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 80_000 });
    expect(await tried('nora')).toEqual([303, true, '']);
    vi.setSystemTime(Date.now() + 60_000);
    expect((await tried('nora')).slice(0, 2)).toEqual([401, false]);
    expect(JSON.stringify(lines.at(-1))).toContain('OAUTH_JWT_TIMESTAMP_CHECK_FAILED');
    vi.useRealTimers();
    await dex.restart({ more: {} });
  });
});

describe('keys that change', () => {
  it('are read anew: a login right after a rotation succeeds', async () => {
    await dex.restart({ more: { signer: { type: 'local', config: { keysRotationPeriod: '1h' } } } });
    expect(await tried('nora')).toEqual([303, true, '']);
    const before = await dex.keyIds();
    // A provider in memory begins with new keys: the hardest rotation there is.
    await dex.restart();
    expect(await dex.keyIds()).not.toEqual(before);
    expect(await tried('nora')).toEqual([303, true, '']);
  });

  it('may be of another algorithm, of which Dex then tells no user information', async () => {
    await dex.restart({ more: { signer: { type: 'local', config: { keysRotationPeriod: '6h', algorithm: 'ES256' } } } });
    expect(await tried('nora')).toEqual([303, true, '']);
    expect(JSON.stringify(lines)).toContain('the claims of the ID token are used alone');
    await dex.restart({ more: {} });
  });
});

describe('signing out', () => {
  it('ends the session here when the provider offers no sign-out', async () => {
    const browser = world.browser();
    await login(browser, visitor('nora'));
    await browser.get('/account/me');
    expect((await browser.post('/account/logout')).headers['location']).toBe('login?out=1');
    expect((await browser.get('/account/me')).headers['location']).toBe('login');
  });

  it('ends the session at both when it does', async () => {
    await dex.restart({ hasSessions: true });
    const signedOut = await PageWorld.start({ settings: settingsOf(dex.issuer), log });
    const browser = signedOut.browser();
    const who = visitor('nora');
    await browser.get(inside(await who.comeBackFrom(await startOf(browser))));
    await browser.get('/account/me');
    const out = leadsTo(await browser.post('/account/logout'));
    expect(out).toContain(`${dex.issuer}/logout?`);
    expect((await who.comeBackFrom(out)).href).toBe(`${PUBLIC_URL}/account/login?out=1`);
    await signedOut.stop();
    await dex.restart({ hasSessions: false });
  });
});

describe('a provider that is gone', () => {
  it('is reported, and works again when it is back', async () => {
    const browser = world.browser();
    const back = inside(await visitor('nora').comeBackFrom(await startOf(browser)));
    await dex.restart();
    // What it knew of the login went with it.
    expect((await browser.get(back)).statusCode).toBe(401);
    expect(await tried('nora')).toEqual([303, true, '']);
  });
});
