import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PageWorld, PASSWORDS } from '../../../test/account-page/page-world.fixture.js';

const PROXY = '10.1.0.1';
const HEADER = 'remote-user';
let world: PageWorld;

beforeAll(async () => {
  world = await PageWorld.start({ settings: { TRUSTED_PROXIES: ['10.1.0.0/24'], PROXY_LOGIN_HEADER: HEADER } });
});
afterAll(() => world.stop());

const behind = (name?: string, address = PROXY) =>
  world.browser({ address, headers: { 'x-forwarded-for': '192.0.2.7', ...(name === undefined ? {} : { [HEADER]: name }) } });

describe('a login by a proxy’s header', () => {
  it('signs in the named user, ignoring letter case', async () => {
    const browser = behind('BOB');
    expect((await browser.get('/account/me')).headers['location']).toBe('me');
    expect((await browser.get('/account/me')).body).toContain('<h1>bob</h1>');
    expect((await behind('bob').get('/account/login')).headers['location']).toBe('me');
    expect((await behind('bob').get('/account/login?return=1')).headers['location']).toBe('../');
  });

  it.each([
    ['the client itself', '192.0.2.7', {}],
    ['the client, naming the proxy as the one it came through', '192.0.2.7', { 'x-forwarded-for': PROXY }],
    ['an address beside the proxies', '10.1.1.1', {}],
    ['another header', PROXY, { 'remote-user': '', 'x-remote-user': 'ada', remote_user: 'ada', 'x-forwarded-user': 'ada' }],
    ['two names at once', PROXY, { [HEADER]: 'bob, ada' }],
    ['no name', PROXY, { [HEADER]: '  ' }],
    ['bytes that are no text', PROXY, { [HEADER]: '\u00ff\u00fe' }],
  ])('is not believed from %s', async (_who, address, headers) => {
    const browser = world.browser({ address, headers: { [HEADER]: 'ada', ...headers } });
    expect((await browser.get('/account/me')).headers['location']).toBe('login');
    expect((await browser.get('/account/login')).statusCode).toBe(200);
    expect(browser.cookies.has('continuo')).toBe(false);
  });

  it('opens no API', async () => {
    const headers = { [HEADER]: 'ada' };
    const { app } = world.gateway;
    expect((await app.inject({ url: '/server/json.server.php?action=user', remoteAddress: PROXY, headers })).body).toContain('4701');
    expect((await app.inject({ url: '/rest/ping?v=1.16.1&c=spec&f=json', remoteAddress: PROXY, headers })).body).toContain('"failed"');
  });

  it('rejects unknown and disabled accounts', async () => {
    const before = world.users.length;
    for (const name of ['stranger', 'eve', "x' or 1=1"]) {
      const browser = behind(name);
      expect([name, (await browser.get('/account/me')).statusCode, browser.cookies.has('continuo')]).toEqual([name, 401, false]);
    }
    expect(world.users).toHaveLength(before);
  });

  it('lasts while the proxy names the same user, and stays signed out after signing out', async () => {
    const browser = behind('bob');
    await browser.get('/account/me');
    await browser.get('/account/me');
    const { cookies, mark } = browser;
    const other = behind('gus');
    for (const [name, value] of cookies) other.cookies.set(name, value);
    await other.get('/account/me');
    expect((await other.get('/account/me')).body).toContain('<h1>gus</h1>');
    // The session that said bob is over, also for who comes past the proxy with its cookie.
    const past = world.browser();
    for (const [name, value] of cookies) past.cookies.set(name, value);
    expect((await past.get('/account/me')).headers['location']).toBe('login');
    expect((await browser.post('/account/profile', { mark, city: 'X' })).headers['location']).toBe('login');
    await browser.get('/account/me');
    await browser.get('/account/me');
    expect((await browser.post('/account/logout')).headers['location']).toBe('login?out=1');
    expect((await browser.get('/account/login?out=1')).statusCode).toBe(200);
  });

  it('keeps sign-in by password', async () => {
    const browser = await world.signedIn('ada', { address: PROXY, headers: { 'x-forwarded-for': '192.0.2.7' } });
    expect((await browser.get('/account/me', { [HEADER]: 'bob' })).body).toContain('<h1>ada</h1>');
    expect(PASSWORDS.ada).not.toBe('');
  });
});

describe('accounts of users named by a proxy', () => {
  it('are created if the settings say so, with level user and no password', async () => {
    const open = await PageWorld.start({ settings: { TRUSTED_PROXIES: [PROXY], PROXY_LOGIN_HEADER: HEADER, PROXY_LOGIN_CREATE: true } });
    const newcomer = (name: string, address = PROXY) =>
      open.browser({ address, headers: { 'x-forwarded-for': '192.0.2.7', [HEADER]: name } });
    expect((await newcomer('Zo\u00c3\u00ab').get('/account/me')).headers['location']).toBe('me');
    expect(open.row('Zoë')).toMatchObject({ access: 25, sealed_password_sha256: null });
    expect((await newcomer('1234').get('/account/me')).statusCode).toBe(400);
    const before = open.users.length;
    await newcomer('somebody', '192.0.2.7').get('/account/me');
    expect(open.users).toHaveLength(before);
    await open.stop();
  });
});
