import { recordingLog } from '@continuo/chassis/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leadsTo, PageWorld, PASSWORDS, type PageBrowser } from '../../../../test/account-page/page-world.fixture.js';
import { CLIENT, LocalProvider, PUBLIC_URL, type People } from '../../../../test/account-page/provider/local-provider.fixture.js';
import { inside } from '../../../../test/account-page/provider/provider-logins.fixture.js';

const people: People = {
  'sub-nora': { preferred_username: 'nora', name: 'Nora N.', email: 'nora@example.org', email_verified: true, groups: ['music'] },
  'sub-mail': { preferred_username: 'mallory', email: 'ada@example.org', email_verified: false, groups: ['music'] },
  'sub-mail-2': { preferred_username: 'mallory2', email: 'ada@example.org', email_verified: true, groups: ['music'] },
  'sub-mail-3': { preferred_username: 'mallory3', email: 'nobodys@example.org', email_verified: false, groups: ['music'] },
  'sub-name': { preferred_username: 'ADA', email: 'other@example.org', email_verified: true, groups: ['music'] },
  'sub-out': { preferred_username: 'outsider', groups: ['other', 'music-not'] },
  'sub-none': { groups: ['music'] },
  'sub-bob': { preferred_username: 'robert', groups: 'music' },
};
const { log, lines } = recordingLog();
let provider: LocalProvider;
/** Settings that create accounts for members of a group. */
let creating: PageWorld;
/** Settings that require linking. */
let linking: PageWorld;

const settingsOf = (issuer: string) => ({
  PUBLIC_URL,
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: CLIENT.id,
  OIDC_CLIENT_SECRET: CLIENT.secret,
  OIDC_REQUIRED_GROUP: 'music',
  OIDC_NAME: 'Home <ID>',
});

beforeAll(async () => {
  provider = await LocalProvider.start(people);
  creating = await PageWorld.start({ settings: { ...settingsOf(provider.issuer), OIDC_ACCOUNTS: 'create' }, log });
  linking = await PageWorld.start({ settings: settingsOf(provider.issuer), log });
});
afterAll(async () => {
  await creating.stop();
  await linking.stop();
  await provider.stop();
});

const startOf = async (browser: PageBrowser): Promise<string> => {
  const answer = await browser.get('/account/provider');
  expect(answer.statusCode).toBe(303);
  return String(answer.headers['location']);
};

/** Goes to the provider as somebody, and comes back. */
const login = async (browser: PageBrowser, subject: string) => {
  const back = await provider.visitor(subject).comeBackFrom(await startOf(browser));
  return browser.get(inside(back));
};

const usersOf = (world: PageWorld): string[] => world.users.map(({ username }) => username);

describe('signing in at a provider', () => {
  it('asks for a code with PKCE, state and nonce', async () => {
    const browser = creating.browser();
    const page = await browser.get('/account/login');
    expect(page.body).toContain('Sign in with Home &lt;ID&gt;');
    const start = new URL(await startOf(browser));
    expect(start.origin).toBe(provider.issuer);
    const asked = Object.fromEntries(start.searchParams);
    expect(asked).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      client_id: 'continuo',
      scope: 'openid profile email',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked[name]?.length).toBeGreaterThanOrEqual(43);
    const cookie = browser.cookies.get('continuo-provider') ?? '';
    for (const name of ['state', 'nonce'] as const) expect(cookie).not.toContain(asked[name]);
  });

  it('makes an account of level user, once, and opens it by issuer and subject from then on', async () => {
    const browser = creating.browser();
    const before = usersOf(creating).length;
    expect((await login(browser, 'sub-nora')).headers['location']).toBe('me');
    expect(creating.row('nora')).toMatchObject({
      access: 25,
      email: 'nora@example.org',
      full_name: 'Nora N.',
      sealed_password_sha256: null,
    });
    const page = await browser.get('/account/me');
    expect(page.body).toContain('<h1>nora</h1>');
    expect(page.body).toContain(provider.issuer);
    // Another name and address at the provider: still the same person.
    people['sub-nora'] = { ...people['sub-nora'], preferred_username: 'ada', email: 'ada@example.org' };
    const again = creating.browser();
    expect((await login(again, 'sub-nora')).headers['location']).toBe('me');
    expect((await again.get('/account/me')).body).toContain('<h1>nora</h1>');
    expect(usersOf(creating)).toHaveLength(before + 1);
    expect(JSON.stringify(creating.identities)).not.toContain('sub-nora');
  });

  it('comes back to the web page when it began there', async () => {
    const browser = creating.browser();
    await browser.get('/account/login?return=1');
    expect((await login(browser, 'sub-nora')).headers['location']).toBe('../');
    expect(browser.cookies.has('continuo-return')).toBe(false);
  });

  it('signs out at the provider, too', async () => {
    const browser = creating.browser();
    const visitor = provider.visitor('sub-nora');
    await browser.get(inside(await visitor.comeBackFrom(await startOf(browser))));
    await browser.get('/account/me');
    const out = leadsTo(await browser.post('/account/logout'));
    expect(out).toContain(`${provider.issuer}/session/end?`);
    const back = await visitor.comeBackFrom(out);
    expect(back.href).toBe(`${PUBLIC_URL}/account/login?out=1`);
    expect((await browser.get('/account/me')).headers['location']).toBe('login');
  });

  it('is refused outside of the group, and without a name', async () => {
    for (const subject of ['sub-out', 'sub-none']) {
      const browser = creating.browser();
      const before = usersOf(creating);
      const answer = await login(browser, subject);
      expect([answer.statusCode, browser.cookies.has('continuo')]).toEqual([subject === 'sub-out' ? 403 : 401, false]);
      expect(usersOf(creating)).toEqual(before);
    }
  });

  it('rejects an account that has left the group', async () => {
    people['sub-nora'] = { ...people['sub-nora'], groups: [] };
    expect((await login(creating.browser(), 'sub-nora')).statusCode).toBe(403);
    people['sub-nora'] = { ...people['sub-nora'], groups: ['music'] };
  });
});

describe('attacks on a login at a provider', () => {
  it('an unverified address of somebody else’s account opens nothing and is not taken', async () => {
    const browser = creating.browser();
    expect((await login(browser, 'sub-mail')).headers['location']).toBe('me');
    expect(creating.row('mallory')).toMatchObject({ email: null, access: 25 });
    expect((await browser.get('/account/me')).body).not.toContain('<h1>ada</h1>');
  });

  it('an unverified address is not taken, also when nobody has it', async () => {
    expect((await login(creating.browser(), 'sub-mail-3')).headers['location']).toBe('me');
    expect(creating.row('mallory3').email).toBeNull();
  });

  it('a verified one does not either, and stays with its account', async () => {
    const browser = creating.browser();
    expect((await login(browser, 'sub-mail-2')).headers['location']).toBe('me');
    expect(creating.row('mallory2').email).toBeNull();
    expect(creating.row('ada').email).toBe('ada@example.org');
  });

  it('a name that is taken is refused, in whatever letter case', async () => {
    const browser = creating.browser();
    const answer = await login(browser, 'sub-name');
    expect([answer.statusCode, answer.body.includes('There is an account of your name already')]).toEqual([400, true]);
    expect(browser.cookies.has('continuo')).toBe(false);
    expect(creating.identities.filter(({ user_id }) => user_id === 1)).toEqual([]);
  });

  it('another state is refused', async () => {
    const browser = creating.browser();
    const back = await provider.visitor('sub-nora').comeBackFrom(await startOf(browser));
    back.searchParams.set('state', 'x'.repeat(43));
    expect((await browser.get(inside(back))).statusCode).toBe(401);
    back.searchParams.delete('state');
    expect((await browser.get(inside(back))).statusCode).toBe(401);
    expect(browser.cookies.has('continuo')).toBe(false);
  });

  it('another nonce is refused', async () => {
    const browser = creating.browser();
    const start = new URL(await startOf(browser));
    start.searchParams.set('nonce', 'y'.repeat(43));
    const back = await provider.visitor('sub-nora').comeBackFrom(start.href);
    expect((await browser.get(inside(back))).statusCode).toBe(401);
    expect(browser.cookies.has('continuo')).toBe(false);
  });

  it('somebody else’s code is refused: it belongs to another verifier', async () => {
    const [mine, theirs] = [creating.browser(), creating.browser()];
    const victim = await provider.visitor('sub-nora').comeBackFrom(await startOf(theirs));
    const own = await provider.visitor('sub-mail').comeBackFrom(await startOf(mine));
    own.searchParams.set('code', victim.searchParams.get('code') ?? '');
    expect((await mine.get(inside(own))).statusCode).toBe(401);
    expect(mine.cookies.has('continuo')).toBe(false);
  });

  it('a return into a browser that did not begin is refused (login CSRF)', async () => {
    const attacker = creating.browser();
    const back = await provider.visitor('sub-mail').comeBackFrom(await startOf(attacker));
    const victim = creating.browser();
    expect((await victim.get(inside(back))).statusCode).toBe(401);
    await startOf(victim);
    expect((await victim.get(inside(back))).statusCode).toBe(401);
    expect(victim.cookies.has('continuo')).toBe(false);
  });

  it('a code is good once, here and at the provider', async () => {
    const browser = creating.browser();
    const back = await provider.visitor('sub-nora').comeBackFrom(await startOf(browser));
    const pending = browser.cookies.get('continuo-provider') ?? '';
    expect((await browser.get(inside(back))).headers['location']).toBe('me');
    expect(browser.cookies.has('continuo-provider')).toBe(false);
    const thief = creating.browser();
    thief.cookies.set('continuo-provider', pending);
    expect((await thief.get(inside(back))).statusCode).toBe(401);
    // A gateway that has not seen it yet asks the provider, which has.
    const elsewhere = linking.browser();
    elsewhere.cookies.set('continuo-provider', pending);
    expect((await elsewhere.get(inside(back))).statusCode).toBe(401);
    expect(elsewhere.cookies.has('continuo')).toBe(false);
  });

  it('a changed, expired or declined login is rejected', async () => {
    const browser = creating.browser();
    const back = await provider.visitor('sub-nora').comeBackFrom(await startOf(browser));
    const pending = browser.cookies.get('continuo-provider') ?? '';
    // Not the last characters, whose bits may belong to no byte.
    const other = pending.replace(/.(?=.{4}$)/, (one) => (one === 'A' ? 'B' : 'A'));
    browser.cookies.set('continuo-provider', other);
    expect((await browser.get(inside(back))).statusCode).toBe(401);
    browser.cookies.set('continuo-provider', pending);
    creating.fixture.clock.nowMs += 601_000;
    expect((await browser.get(inside(back))).statusCode).toBe(401);
    const refusing = creating.browser();
    const { searchParams } = new URL(await startOf(refusing));
    expect((await refusing.get(`/account/provider-return?error=access_denied&state=${searchParams.get('state')}`)).statusCode).toBe(401);
    expect([browser, refusing].filter(({ cookies }) => cookies.has('continuo'))).toEqual([]);
  });

  const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const changed = (token: string, change: (parts: { head: string; claims: Record<string, unknown>; mark: string }) => string): string => {
    const [head = '', body = '', mark = ''] = token.split('.');
    return change({ head, claims: JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>, mark });
  };
  it.each([
    [
      'with another subject',
      (token: string) => changed(token, ({ head, claims, mark }) => `${head}.${encoded({ ...claims, sub: 'sub-mail' })}.${mark}`),
    ],
    ['without a signature', (token: string) => changed(token, ({ claims }) => `${encoded({ alg: 'none' })}.${encoded(claims)}.`)],
    [
      'with another signature',
      (token: string) => changed(token, ({ head, claims, mark }) => `${head}.${encoded(claims)}.${mark.slice(0, -8)}AAAAAAAA`),
    ],
    [
      'for another server',
      (token: string) => changed(token, ({ head, claims, mark }) => `${head}.${encoded({ ...claims, aud: 'another' })}.${mark}`),
    ],
    [
      'of another provider',
      (token: string) => changed(token, ({ head, claims, mark }) => `${head}.${encoded({ ...claims, iss: 'https://id.example' })}.${mark}`),
    ],
    ['that is over', (token: string) => changed(token, ({ head, claims, mark }) => `${head}.${encoded({ ...claims, exp: 1 })}.${mark}`)],
  ])('a word of the provider %s is refused', async (_what, change) => {
    provider.tamper = (tokens) => ({ ...tokens, id_token: change(tokens['id_token'] ?? '') });
    const browser = creating.browser();
    const answer = await login(browser, 'sub-nora');
    provider.tamper = (tokens) => tokens;
    expect([answer.statusCode, browser.cookies.has('continuo')]).toEqual([401, false]);
  });

  it('unauthenticated clients are rate-limited', async () => {
    const stranger = { address: '198.51.100.9' };
    const statuses: number[] = [];
    for (let tries = 0; tries < 55; tries += 1) {
      const browser = creating.browser(stranger);
      const state = new URL(await startOf(browser)).searchParams.get('state') ?? '';
      statuses.push(
        (await browser.get(`/account/provider-return?code=made-up&iss=${encodeURIComponent(provider.issuer)}&state=${state}`)).statusCode,
      );
    }
    expect(statuses).toEqual([...Array.from({ length: 50 }, () => 401), ...Array.from({ length: 5 }, () => 429)]);
  });

  it('a disabled account stays closed, and its session ends', async () => {
    const browser = creating.browser();
    await login(browser, 'sub-nora');
    const { id } = creating.row('nora');
    await creating.change(id, { disabled: true });
    expect((await browser.get('/account/me')).headers['location']).toBe('login');
    const answer = await login(creating.browser(), 'sub-nora');
    expect([answer.statusCode, answer.body.includes('This account is disabled')]).toEqual([401, true]);
    await creating.change(id, { disabled: false });
  });
});

describe('linking an account', () => {
  it('is required before the first login', async () => {
    const before = usersOf(linking);
    const answer = await login(linking.browser(), 'sub-bob');
    expect([answer.statusCode, answer.body.includes('No account is linked with you there')]).toEqual([401, true]);
    expect(usersOf(linking)).toEqual(before);
  });

  it('takes the password, then opens the account, until it is unlinked', async () => {
    const bob = await linking.signedIn('bob');
    expect((await bob.post('/account/identity-link', { current: 'wrong' })).statusCode).toBe(401);
    const start = leadsTo(await bob.post('/account/identity-link', { current: PASSWORDS.bob }));
    const back = await provider.visitor('sub-bob').comeBackFrom(start);
    expect((await bob.get(inside(back))).headers['location']).toBe('me?done=identity-link');
    const other = linking.browser();
    expect((await login(other, 'sub-bob')).headers['location']).toBe('me');
    expect((await other.get('/account/me')).body).toContain('<h1>bob</h1>');
    const page = await bob.get('/account/me');
    const [, identity = ''] = /name="identity" value="([^"]+)"/.exec(page.body.replaceAll(/\s+/g, ' ')) ?? [];
    expect((await bob.post('/account/identity-unlink', { identity: 'f'.repeat(64) })).statusCode).toBe(400);
    expect((await bob.post('/account/identity-unlink', { identity })).statusCode).toBe(303);
    expect((await login(linking.browser(), 'sub-bob')).statusCode).toBe(401);
  });

  it('links nothing to a session that did not ask for it', async () => {
    const bob = await linking.signedIn('bob');
    const start = leadsTo(await bob.post('/account/identity-link', { current: PASSWORDS.bob }));
    const back = await provider.visitor('sub-bob').comeBackFrom(start);
    const ada = await linking.signedIn('ada');
    ada.cookies.set('continuo-provider', bob.cookies.get('continuo-provider') ?? '');
    expect((await ada.get(inside(back))).statusCode).toBe(401);
    expect(linking.identities).toEqual([]);
  });

  it('gives nobody an identity that opens another account', async () => {
    const link = async (browser: PageBrowser, current: string) => {
      const start = leadsTo(await browser.post('/account/identity-link', { current }));
      return browser.get(inside(await provider.visitor('sub-bob').comeBackFrom(start)));
    };
    expect((await link(await linking.signedIn('bob'), PASSWORDS.bob)).statusCode).toBe(303);
    const ada = await linking.signedIn('ada');
    expect((await link(ada, PASSWORDS.ada)).statusCode).toBe(400);
    expect(linking.identities.map(({ user_id }) => user_id)).toEqual([2]);
  });

  it('allows an account without a password to set one shortly after signing in only', async () => {
    const browser = creating.browser();
    await login(browser, 'sub-nora');
    await browser.get('/account/me');
    const chosen = { password: 'a first password', again: 'a first password' };
    creating.fixture.clock.nowMs += 600_000;
    for (const form of ['password', 'player-password', 'email', 'secrets'])
      expect([form, (await browser.post(`/account/${form}`, chosen)).statusCode]).toEqual([form, 403]);
    await login(browser, 'sub-nora');
    await browser.get('/account/me');
    expect((await browser.post('/account/player-password', chosen)).statusCode).toBe(303);
  });

  it('keeps the last identity of an account without a password', async () => {
    const browser = creating.browser();
    await login(browser, 'sub-nora');
    const page = await browser.get('/account/me');
    const [, identity = ''] = /name="identity" value="([^"]+)"/.exec(page.body.replaceAll(/\s+/g, ' ')) ?? [];
    expect((await browser.post('/account/identity-unlink', { identity })).statusCode).toBe(403);
  });
});

describe('an unavailable provider', () => {
  it('is reported, and sign-in by password still works', async () => {
    const gone = await LocalProvider.start({});
    const alone = await PageWorld.start({ settings: settingsOf(gone.issuer), log });
    await gone.stop();
    const answer = await alone.browser().get('/account/provider');
    expect([answer.statusCode, answer.body.includes('The identity provider does not answer')]).toEqual([503, true]);
    expect((await (await alone.signedIn('bob')).get('/account/me')).statusCode).toBe(200);
    await alone.stop();
  });
});

it('leaves no code, token or secret in the log', () => {
  const text = JSON.stringify(lines);
  expect(text).toContain('Login at the identity provider failed');
  expect(text).not.toContain(CLIENT.secret);
  expect(text).not.toMatch(/eyJ|\bcode=|code_verifier|id_token/);
});
