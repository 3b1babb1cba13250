import { recordingLog } from '@continuo/chassis/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PageWorld, PASSWORDS } from '../../../test/account-page/page-world.fixture.js';

const { log, lines } = recordingLog();
let world: PageWorld;

beforeAll(async () => {
  world = await PageWorld.start({ log, auth: { LOGIN_FAILURES_PER_ACCOUNT: 4 } });
});
afterAll(() => world.stop());

const cookiesOf = ({ headers }: { readonly headers: Record<string, unknown> }): string[] =>
  [headers['set-cookie'] ?? []].flat().map(String);

describe('signing in', () => {
  it('opens the account page, with an HttpOnly SameSite cookie', async () => {
    const browser = world.browser();
    expect((await browser.get('/account')).headers['location']).toBe('account/me');
    expect((await browser.get('/account/me')).headers['location']).toBe('login');
    expect((await browser.get('/account/login')).statusCode).toBe(200);
    const answer = await browser.post('/account/login', { username: 'BOB', password: PASSWORDS.bob });
    expect([answer.statusCode, answer.headers['location']]).toEqual([303, 'me']);
    expect(cookiesOf(answer).find((cookie) => cookie.startsWith('continuo='))).toMatch(
      /^continuo=[0-9a-f]{80}; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const page = await browser.get('/account/me');
    expect(page.body).toContain('<h1>bob</h1>');
    expect(page.body).toContain('&lt;b&gt;Bob&lt;/b&gt;');
    expect(page.body).not.toContain('<b>Bob');
  });

  it('reveals nothing about names, passwords and disabled accounts', async () => {
    const tries = [
      ['nobody-of-this-name', 'x'],
      ['bob', 'wrong'],
      ['eve', PASSWORDS.eve],
      ['bob', ''],
      ['', ''],
    ] as const;
    const pages: string[] = [];
    for (const [username, password] of tries) {
      const browser = world.browser({ address: '192.0.2.8' });
      await browser.get('/account/login');
      const { statusCode, body } = await browser.post('/account/login', { username, password });
      expect(statusCode).toBe(401);
      expect([...browser.cookies.keys()]).toEqual(['continuo-form']);
      pages.push(body.replaceAll(/(?:nonce|value)="[^"]*"/g, ''));
    }
    expect(new Set(pages).size).toBe(1);
    expect(pages[0]).toContain('Wrong user name or password.');
  });

  it('is rate-limited together with API logins, also for concurrent attempts', async () => {
    const address = '198.51.100.7';
    const browser = world.browser({ address });
    await browser.get('/account/login');
    const guesses = Array.from({ length: 12 }, () => browser.post('/account/login', { username: 'gus', password: 'guess' }));
    const statuses = (await Promise.all(guesses)).map(({ statusCode }) => statusCode);
    // As many as are checked at the same time may be too many.
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(4 + 3);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(5);
    const right = await browser.post('/account/login', { username: 'gus', password: PASSWORDS.gus });
    expect(right.statusCode).toBe(429);
    const handshake = await world.gateway.app.inject({
      url: '/server/json.server.php?action=handshake&user=gus&timestamp=1&auth=0',
      remoteAddress: address,
    });
    expect(handshake.body).toContain('Too many failed logins');
    world.fixture.clock.nowMs += 301_000;
    expect((await browser.post('/account/login', { username: 'gus', password: PASSWORDS.gus })).statusCode).toBe(303);
  });

  it('creates a new session token whatever cookie was sent (fixation)', async () => {
    const mine = await world.signedIn('bob');
    const known = mine.cookies.get('continuo') ?? '';
    const planted = world.browser();
    planted.cookies.set('continuo', 'f'.repeat(64));
    await planted.get('/account/login');
    await planted.post('/account/login', { username: 'ada', password: PASSWORDS.ada });
    expect(planted.cookies.get('continuo')).not.toBe('f'.repeat(64));
    // Signing in again ends the session that the browser had: what somebody else knows of it opens nothing.
    const again = world.browser();
    again.cookies.set('continuo', known);
    expect((await again.get('/account/login')).headers['location']).toBe('me');
    again.cookies.delete('continuo-form');
    await again.get('/account/lost');
    await again.post('/account/login', { username: 'ada', password: PASSWORDS.ada });
    expect(again.cookies.get('continuo')).not.toBe(known);
    expect((await mine.get('/account/me')).headers['location']).toBe('login');
  });

  it('is refused where no row of the access list admits web pages from, also with a session from elsewhere', async () => {
    const before = world.accessRules;
    const here = await world.signedIn('bob', { address: '192.0.2.50' });
    world.accessRules = before.map((rule) =>
      rule.type === 'interface' ? { ...rule, start_address: '192.0.2.50', end_address: '192.0.2.50' } : rule,
    );
    await world.change(2, {});
    const elsewhere = world.browser({ address: '203.0.113.9' });
    await elsewhere.get('/account/login');
    expect((await elsewhere.post('/account/login', { username: 'bob', password: PASSWORDS.bob })).statusCode).toBe(403);
    expect(elsewhere.cookies.has('continuo')).toBe(false);
    expect((await here.get('/account/me')).statusCode).toBe(200);
    for (const [name, value] of here.cookies) elsewhere.cookies.set(name, value);
    expect((await elsewhere.get('/account/me')).statusCode).toBe(403);
    world.accessRules = before;
    await world.change(2, {});
  });
});

describe('a session of the page', () => {
  it('ends by signing out, and stays out', async () => {
    const browser = await world.signedIn('bob');
    const token = browser.cookies.get('continuo') ?? '';
    expect((await browser.post('/account/logout')).headers['location']).toBe('login?out=1');
    expect(browser.cookies.has('continuo')).toBe(false);
    browser.cookies.set('continuo', token);
    expect((await browser.get('/account/me')).headers['location']).toBe('login');
  });

  it('ends at once when its account is disabled, deleted, or has its password set', async () => {
    const browser = await world.signedIn('bob');
    world.fixture.clock.nowMs += 1;
    await world.change(2, { disabled: true });
    expect((await browser.get('/account/me')).headers['location']).toBe('login');
    await world.change(2, { disabled: false });
    const other = await world.signedIn('bob');
    world.fixture.clock.nowMs += 1;
    await world.change(2, { password_set_at_ms: world.fixture.clock.nowMs });
    expect((await other.get('/account/me')).headers['location']).toBe('login');
    world.fixture.clock.nowMs += 1;
    expect((await (await world.signedIn('bob')).get('/account/me')).statusCode).toBe(200);
  });

  it('expires when it is unused, and after a week at the latest', async () => {
    const browser = await world.signedIn('bob');
    const { clock } = world.fixture;
    clock.nowMs += 3_700_000;
    expect((await browser.get('/account/me')).headers['location']).toBe('login');
    const used = await world.signedIn('bob');
    for (let halfHour = 0; halfHour < 2 * 168 - 1; halfHour += 1) {
      clock.nowMs += 1_800_000;
      if ((await used.get('/account/avatar')).statusCode !== 200) throw new Error(`over after ${halfHour} half hours`);
    }
    clock.nowMs += 1_800_000;
    expect((await used.get('/account/me')).headers['location']).toBe('login');
  });

  it('opens no API, and nothing that opens the APIs opens the page', async () => {
    const browser = await world.signedIn('ada');
    const token = browser.cookies.get('continuo') ?? '';
    const { app } = world.gateway;
    for (const headers of [{ authorization: `Bearer ${token}` }, { auth: token }, { cookie: `continuo=${token}` }] as Record<
      string,
      string
    >[]) {
      expect((await app.inject({ url: '/server/json.server.php?action=user', headers })).body).toContain('4701');
      expect((await app.inject({ url: '/rest/getUser?v=1.16.1&c=spec&f=json&username=ada', headers })).body).toContain('"failed"');
      expect((await app.inject({ url: '/play/index.php?type=song&oid=1', headers })).statusCode).toBe(403);
    }
    expect((await app.inject({ url: `/play/index.php?type=song&oid=1&ssid=${token}` })).statusCode).toBe(403);
    const native = await world.fixture.auth.handshake(
      { params: { auth: 'bobs-own-key-of-old' }, headers: {}, peerAddress: '192.0.2.7' },
      '',
    );
    for (const other of [native.token, 'bobs-own-key-of-old', native.caller.mediaToken]) {
      const stranger = world.browser();
      stranger.cookies.set('continuo', other);
      expect((await stranger.get('/account/me')).headers['location']).toBe('login');
      const bare = await world.browser().get(`/account/me?auth=${other}`, { authorization: `Bearer ${other}` });
      expect(bare.headers['location']).toBe('login');
    }
  });
});

describe('a sign-in that began on the web page', () => {
  it('comes back to it once, also from below a path of a proxy', async () => {
    const browser = world.browser();
    await browser.get('/account/login?return=1');
    await browser.post('/account/login', { username: 'bob', password: 'wrong' });
    const { headers } = await browser.post('/account/login', { username: 'bob', password: PASSWORDS.bob });
    const back = String(headers['location']);
    expect(
      ['https://music.example/account/login', 'https://music.example/a/b/account/login'].map((from) => new URL(back, from).href),
    ).toEqual(['https://music.example/', 'https://music.example/a/b/']);
    expect(browser.cookies.has('continuo-return')).toBe(false);
    expect((await browser.get('/account/login')).headers['location']).toBe('me');
  });

  it('goes straight back for who is signed in already', async () => {
    const browser = await world.signedIn('bob');
    expect((await browser.get('/account/login?return=1')).headers['location']).toBe('../');
    expect(browser.cookies.has('continuo-return')).toBe(false);
  });

  it('comes back to it after a sign-out that began there, too', async () => {
    const browser = await world.signedIn('bob');
    const { headers } = await browser.post('/account/logout', { return: '1' });
    expect(headers['location']).toBe('login?out=1&return=1');
    expect((await browser.get('/account/login?out=1&return=1')).body).toContain('You are signed out.');
    expect((await browser.post('/account/login', { username: 'bob', password: PASSWORDS.bob })).headers['location']).toBe('../');
  });

  it('leads nowhere else, whatever the address says', async () => {
    const browser = world.browser();
    await browser.get('/account/login?return=https://elsewhere.example/');
    expect((await browser.post('/account/login', { username: 'bob', password: PASSWORDS.bob })).headers['location']).toBe('../');
  });
});

describe('an access token for the web page', () => {
  it('opens the APIs while the session lives, is kept by no cache, and goes to no other origin', async () => {
    const browser = await world.signedIn('ada');
    const { statusCode, headers, body } = await browser.post('/account/token', {}, { origin: 'https://elsewhere.example' });
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' });
    expect(headers['access-control-allow-origin']).toBeUndefined();
    const given = JSON.parse(body) as { token: string; expires_at_ms: number; csrf_token: string };
    expect(given).toEqual({
      token: expect.stringMatching(/^a-[0-9a-f]{64}-/),
      expires_at_ms: world.fixture.clock.nowMs + 900_000,
      csrf_token: browser.mark,
    });
    expect(body).not.toContain(browser.cookies.get('continuo'));
    const { app } = world.gateway;
    const call = (url: string) => app.inject({ url, headers: { authorization: `Bearer ${given.token}` } });
    expect((await call('/rest/8/json/user')).json()).toMatchObject({ username: 'ada' });
    expect((await call('/server/json.server.php?action=user&version=8.0.0')).json()).toMatchObject({ username: 'ada' });
    expect((await call('/account/me')).headers['location']).toBe('login');
    expect((await browser.post('/account/logout', { mark: given.csrf_token })).headers['location']).toBe('login?out=1');
    expect((await call('/rest/8/json/user')).json()).toMatchObject({ error: { errorCode: '4701' } });
  });

  it('is for who is signed in', async () => {
    const { statusCode, body } = await world.browser().post('/account/token');
    expect([statusCode, JSON.parse(body)]).toEqual([401, { error: 'Nobody is signed in.' }]);
    expect((await (await world.signedIn('bob')).get('/account/token')).statusCode).toBe(404);
  });

  it.each(['cross-site', 'same-site', 'none'])('is refused when the browser says %s', async (site) => {
    const bob = await world.signedIn('bob');
    const { statusCode, body } = await bob.post('/account/token', {}, { 'sec-fetch-site': site });
    expect(statusCode).toBe(403);
    expect(body).not.toContain('"token"');
    expect((await bob.post('/account/token', {}, { 'sec-fetch-site': 'same-origin' })).statusCode).toBe(200);
  });
});

describe('a form (12)', () => {
  it('is accepted only with the CSRF token of its own session', async () => {
    const bob = await world.signedIn('bob');
    const ada = await world.signedIn('ada');
    for (const mark of ['', 'x', ada.mark]) expect((await bob.post('/account/profile', { mark, city: 'Elsewhere' })).statusCode).toBe(403);
    expect(world.row('bob').city).toBeNull();
    // In the address it is none: that would go into logs and referrers, and links would be forms.
    expect((await bob.post(`/account/profile?mark=${bob.mark}`, { mark: '', city: 'Elsewhere' })).statusCode).toBe(403);
    expect((await bob.get(`/account/profile?mark=${bob.mark}&city=Elsewhere`)).statusCode).toBe(404);
    expect((await bob.post('/account/profile', { city: 'Here' })).statusCode).toBe(303);
    expect(world.row('bob').city).toBe('Here');
  });

  it('is rejected when the browser names another origin', async () => {
    const bob = await world.signedIn('bob');
    for (const site of ['cross-site', 'same-site', 'none'])
      expect((await bob.post('/account/profile', { city: 'X' }, { 'sec-fetch-site': site })).statusCode).toBe(403);
    expect((await bob.post('/account/profile', { city: 'Y' }, { 'sec-fetch-site': 'same-origin' })).statusCode).toBe(303);
  });

  it('for signing in is accepted only from the browser that it was sent to', async () => {
    const [mine, theirs] = [world.browser(), world.browser()];
    await mine.get('/account/login');
    await theirs.get('/account/login');
    const login = { username: 'bob', password: PASSWORDS.bob };
    expect((await theirs.post('/account/login', { ...login, mark: mine.mark })).statusCode).toBe(403);
    expect((await world.browser().post('/account/login', { ...login, mark: mine.mark })).statusCode).toBe(403);
    expect((await mine.post('/account/login', login)).statusCode).toBe(303);
  });
});

describe('every page', () => {
  it('forbids scripts, framing, caching and other origins', async () => {
    const bob = await world.signedIn('bob');
    for (const url of ['/account/me', '/account/login?out=1', '/account/lost', '/account/recover?auth=x']) {
      const { headers, body } = await bob.get(url, { origin: 'https://elsewhere.example' });
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'; script-src 'none'; style-src 'nonce-[\w-]{24}'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      );
      expect(headers).toMatchObject({
        'x-frame-options': 'DENY',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
      expect(headers['access-control-allow-origin']).toBeUndefined();
      expect(body).not.toMatch(/<script|\son\w+=|style="|javascript:/i);
    }
  });

  it('repeats nothing of its address as markup', async () => {
    const hostile = encodeURIComponent(`"><script>alert(1)</script>'`);
    const ada = await world.signedIn('ada');
    for (const url of [`/account/recover?auth=${hostile}`, `/account/me?done=${hostile}`, '/account/me?done=constructor'])
      expect((await ada.get(url)).body).not.toMatch(/<script|alert\(1\)<|"">/);
    expect((await ada.get('/account/login?x=%00')).statusCode).toBe(400);
  });

  it('sets Secure cookies when a trusted proxy reports TLS', async () => {
    const behind = await PageWorld.start({ settings: { TRUSTED_PROXIES: ['10.0.0.1'] } });
    const proxied = await behind.signedIn('bob', {
      address: '10.0.0.1',
      headers: { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.7' },
    });
    expect([...proxied.cookies.keys()]).toEqual(['__Host-continuo']);
    const answer = await proxied.get('/account/lost');
    expect(cookiesOf(answer)).toEqual([
      expect.stringMatching(/^__Host-continuo-form=[0-9a-f]{32}; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    ]);
    const untrusted = behind.browser({ address: '10.0.0.2', headers: { 'x-forwarded-proto': 'https' } });
    expect(cookiesOf(await untrusted.get('/account/login'))).toEqual([expect.stringMatching(/^continuo-form=/)]);
    await behind.stop();
  });

  it('is not there when it is switched off', async () => {
    const without = await PageWorld.start({ settings: { ACCOUNT_PAGE: false } });
    expect((await without.browser().get('/account/login')).statusCode).toBe(404);
    await without.stop();
  });
});

describe('a lost password (21)', () => {
  it('gets the same answer for every name, and forwards the proof that players send', async () => {
    const pages = [];
    for (const [username, email] of [
      ['bob', 'bob@example.org'],
      ['nobody', 'nobody@example.org'],
    ] as const) {
      const browser = world.browser({ address: '192.0.2.99' });
      await browser.get('/account/lost');
      const { statusCode, body } = await browser.post('/account/lost', { username, email });
      pages.push([statusCode, body.replaceAll(/(?:nonce|value)="[^"]*"/g, '')]);
    }
    expect(pages[0]).toEqual(pages[1]);
    expect(world.recoveries).toHaveLength(2);
    expect(world.recoveries.every((proof) => /^[0-9a-f]{64}$/.test(proof))).toBe(true);
  });

  it('is recovered by a form: looking at the link of a mail changes nothing', async () => {
    const before = world.recoveries.length;
    const browser = world.browser();
    await browser.get('/account/recover?auth=2-abc');
    expect(world.recoveries).toHaveLength(before);
    expect((await browser.post('/account/recover', { token: '2-abc' })).body).toContain('If the token is still good');
    expect(world.recoveries.at(-1)).toBe('2-abc');
    // A digest would be the proof of the step before.
    await browser.post('/account/recover', { token: 'a'.repeat(64) });
    expect(world.recoveries).toHaveLength(before + 1);
  });
});

it('leaves no password, cookie or CSRF token in the log (18)', async () => {
  const bob = await world.signedIn('bob');
  await bob.post('/account/password', { current: PASSWORDS.bob, password: 'another password', again: 'yet another one' });
  const text = JSON.stringify(lines);
  for (const secret of [...Object.values(PASSWORDS), ...bob.cookies.values(), bob.mark, 'another password'])
    expect(text).not.toContain(secret);
});
