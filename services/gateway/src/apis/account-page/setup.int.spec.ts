import { recordingLog } from '@continuo/chassis/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PageWorld, PASSWORDS } from '../../../test/account-page/page-world.fixture.js';

const { log, lines } = recordingLog();
let world: PageWorld;
beforeAll(async () => {
  world = await PageWorld.start({ log, auth: { LOGIN_FAILURES_PER_ACCOUNT: 4 } });
});
afterAll(() => world.stop());

const CHOSEN = 'a password of my own';
const form = (fields: Record<string, string> = {}) => ({
  username: 'bob',
  code: PASSWORDS.bob,
  password: CHOSEN,
  again: CHOSEN,
  ...fields,
});

describe('a server that nobody has signed in to', () => {
  it('says so on its sign-in page, until its first account has', async () => {
    expect((await world.browser().get('/account/login')).body).toContain('This server is new.');
    expect((await world.browser().get('/account/setup?username=ada')).body).toMatch(/name="name"[^>]*value="ada"/);
    await world.signedIn('ada');
    expect((await world.browser().get('/account/login')).body).not.toContain('This server is new.');
    expect((await world.browser().get('/account/setup?username=ada')).body).not.toContain('name="name"');
  });
});

describe('an account that was made with a code', () => {
  it('shows the code of its link as text, and changes nothing when it is looked at', async () => {
    const hostile = encodeURIComponent(`"><script>alert(1)</script>`);
    const { statusCode, body, headers } = await world.browser().get(`/account/setup?username=bob&code=${hostile}`);
    expect(statusCode).toBe(200);
    expect(body).toContain('value="bob"');
    expect(body).not.toMatch(/<script|alert\(1\)</);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    await world.signedIn('bob');
  });

  it('is not taken by a stranger: without the code, from another site, or by trying', async () => {
    const address = '198.51.100.9';
    const stranger = world.browser({ address });
    expect((await stranger.post('/account/setup', form({ mark: 'x' }))).statusCode).toBe(403);
    await stranger.get('/account/setup');
    expect((await stranger.post('/account/setup', form(), { 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403);
    const statuses: number[] = [];
    for (let tries = 0; tries < 6; tries += 1)
      statuses.push((await stranger.post('/account/setup', form({ code: `guess ${tries}` }))).statusCode);
    expect(statuses).toEqual([401, 401, 401, 401, 429, 429]);
    expect((await stranger.post('/account/setup', form())).statusCode).toBe(429);
    expect(stranger.cookies.has('continuo')).toBe(false);
    world.fixture.clock.nowMs += 301_000;
    await world.signedIn('bob');
  });

  it.each([
    [{ password: 'short', again: 'short' }, 'at least 8 characters'],
    [{ again: 'another password' }, 'differ'],
    [{ password: PASSWORDS.bob, again: PASSWORDS.bob }, 'another than the code'],
  ])('keeps its code when the password cannot be used: %j', async (fields, text) => {
    const browser = world.browser();
    await browser.get('/account/setup');
    const { statusCode, body } = await browser.post('/account/setup', form(fields));
    expect([statusCode, body.includes(text)]).toEqual([400, true]);
    expect(browser.cookies.has('continuo')).toBe(false);
  });

  it('is not changed when it is shared', async () => {
    const browser = world.browser();
    await browser.get('/account/setup');
    expect((await browser.post('/account/setup', form({ username: 'gus', code: PASSWORDS.gus }))).statusCode).toBe(403);
    expect(browser.cookies.has('continuo')).toBe(false);
    await world.signedIn('gus');
  });

  it('gets the chosen password, for players, too, and is signed in; the code opens nothing any more, nor do sessions from before', async () => {
    const before = await world.signedIn('bob');
    world.fixture.clock.nowMs += 1;
    const browser = world.browser();
    await browser.get(`/account/setup?username=bob&code=${encodeURIComponent(PASSWORDS.bob)}`);
    const answer = await browser.post('/account/setup', form());
    expect([answer.statusCode, answer.headers['location']]).toEqual([303, '../']);
    expect((await browser.get('/account/me')).statusCode).toBe(200);
    expect((await before.get('/account/me')).headers['location']).toBe('login');
    const { app } = world.gateway;
    const player = (password: string) =>
      app.inject({ url: `/rest/ping?v=1.16.1&c=spec&f=json&u=bob&p=${encodeURIComponent(password)}`, remoteAddress: '192.0.2.9' });
    expect((await player(CHOSEN)).body).toContain('"ok"');
    expect((await player(PASSWORDS.bob)).body).toContain('"failed"');
    const again = world.browser();
    await again.get('/account/setup');
    expect((await again.post('/account/setup', form())).statusCode).toBe(401);
  });

  it.each([
    ['bob', 409, 'the user name is taken'],
    ['007', 400, 'A user name has 1 to 128 characters'],
    ['a\u0007b', 400, 'A user name has 1 to 128 characters'],
  ])('keeps its code and its name when the first administrator’s new name cannot be used: %j', async (name, status, text) => {
    const browser = world.browser();
    await browser.get('/account/setup');
    const { statusCode, body } = await browser.post('/account/setup', form({ username: 'ada', code: PASSWORDS.ada, name }));
    expect([statusCode, body.includes(text)]).toEqual([status, true]);
    expect(body).toContain('name="name"');
    await world.signedIn('ada');
  });

  it('is not renamed when it is not the first administrator’s', async () => {
    const browser = world.browser();
    await browser.get('/account/setup');
    const { statusCode, body } = await browser.post(
      '/account/setup',
      form({ code: CHOSEN, password: 'yet another', again: 'yet another', name: 'rob' }),
    );
    expect([statusCode, body.includes('Only the first administrator')]).toEqual([400, true]);
    expect(world.row('bob').id).toBe(2);
  });

  it('has the name that the first administrator chose, and goes on with the first steps of the server', async () => {
    const browser = world.browser();
    await browser.get('/account/setup');
    const { headers } = await browser.post('/account/setup', form({ username: 'ada', code: PASSWORDS.ada, name: 'Countess' }));
    expect(headers['location']).toBe('../#/manage/welcome');
    expect(world.row('countess')).toMatchObject({ id: 1, username: 'Countess' });
  });

  it('leaves no code and no password in the log', () => {
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    for (const secret of [CHOSEN, ...Object.values(PASSWORDS)]) expect(text).not.toContain(secret);
  });
});
