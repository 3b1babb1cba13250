import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { chromiumPath, openTab, startBrowser, until, type Tab } from './browser.js';
import { administrator, Journey } from './journey.js';

let journey: Journey;

/** Cookies and forms, as a browser has them. */
class Visitor {
  private cookie = '';
  private mark = '';

  async get(page: string): Promise<{ readonly status: number; readonly text: string; readonly location: string | null }> {
    return this.keep(await fetch(`${journey.server.url}/account/${page}`, { redirect: 'manual', headers: { cookie: this.cookie } }));
  }

  async post(page: string, fields: Readonly<Record<string, string | Blob>> = {}): ReturnType<Visitor['get']> {
    const isUpload = Object.values(fields).some((value) => typeof value !== 'string');
    const body = isUpload ? new FormData() : new URLSearchParams();
    for (const [name, value] of Object.entries({ mark: this.mark, ...fields })) body.append(name, value);
    const headers = { cookie: this.cookie };
    return this.keep(await fetch(`${journey.server.url}/account/${page}`, { method: 'POST', redirect: 'manual', headers, body }));
  }

  async signIn(username: string, password: string): Promise<string | null> {
    await this.get('login');
    const { location } = await this.post('login', { username, password });
    await this.get('me');
    return location;
  }

  private async keep(answer: Response): ReturnType<Visitor['get']> {
    const jar = new Map(this.cookie.split('; ').flatMap((pair) => (pair === '' ? [] : [pair.split('=') as [string, string]])));
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const [name = '', value = ''] = pair.split('=');
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    this.cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const text = await answer.text();
    this.mark = /name="mark"\s+value="(?<mark>[0-9a-f]+)"/.exec(text)?.groups?.['mark'] ?? this.mark;
    return { status: answer.status, text, location: answer.headers.get('location') };
  }
}

const native = <T>(params: Record<string, string>, key: string = administrator.apiKey): Promise<T> =>
  journey.json<T>('/server/json.server.php', { version: '8.0.0', ...params }, { headers: { authorization: `Bearer ${key}` } });

const managed = <T>(method: string, path: string, body: object): Promise<T> =>
  journey.json<T>(
    `/manage/v1${path}`,
    {},
    {
      method,
      headers: { authorization: `Bearer ${administrator.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    },
  );

/** A one-pixel PNG. */
const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

beforeAll(async () => {
  journey = await Journey.prepare();
  await journey.start();
}, 120_000);
afterAll(() => journey.end(), 60_000);

describe('the account page', () => {
  it('signs in an account, whose changes the APIs know, and which is out at once when it is disabled', async () => {
    const made = { username: 'mira', email: 'mira@example.org', fullName: 'Mira', password: 'miras password' };
    const { id } = await managed<{ id: number }>('POST', '/accounts', made);
    const { key } = await managed<{ key: string }>('POST', '/keys', { accountId: id, name: 'radio' });
    expect(await native({ action: 'user' }, key)).toMatchObject({ username: 'mira', fullname: 'Mira' });

    const mira = new Visitor();
    expect(await mira.signIn('mira', 'miras password')).toBe('me');
    await mira.post('profile', { fullname: 'Mira Vale', city: 'Ghent', state: '', website: 'https://mira.example', public: '1' });
    await mira.post('picture', { picture: new Blob([PIXEL], { type: 'image/png' }) });
    expect(await native({ action: 'user' }, key)).toMatchObject({
      fullname: 'Mira Vale',
      city: 'Ghent',
      website: 'https://mira.example',
      has_art: true,
    });
    const avatar = await journey.request(
      '/rest/getAvatar',
      { v: '1.16.1', c: 'e2e', username: 'mira' },
      { headers: { authorization: `Bearer ${key}` } },
    );
    expect([avatar.status, avatar.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(
      (await mira.post('player-password', { current: 'miras password', password: 'player word', again: 'player word' })).location,
    ).toContain('done');
    const ping = await journey.request('/rest/ping', { v: '1.16.1', c: 'e2e', f: 'json', u: 'mira', p: 'player word' });
    expect(await ping.text()).toContain('"ok"');

    await managed('PATCH', `/accounts/${id}`, { disabled: true });
    expect((await mira.get('me')).location).toBe('login');
    expect(await new Visitor().signIn('mira', 'miras password')).toBeNull();
    await managed('PATCH', `/accounts/${id}`, { disabled: false });
    expect((await mira.get('me')).location).toBe('login');
  }, 60_000);

  it('keeps this browser signed in when the password changes, and nobody else; sessions outlive a restart', async () => {
    const [mira, other] = [new Visitor(), new Visitor()];
    await mira.signIn('mira', 'miras password');
    await other.signIn('mira', 'miras password');
    expect(
      (await mira.post('password', { current: 'miras password', password: 'another password', again: 'another password' })).location,
    ).toBe('me?done=password');
    expect((await mira.get('me')).status).toBe(200);
    expect((await other.get('me')).location).toBe('login');
    expect(await new Visitor().signIn('mira', 'miras password')).toBeNull();
    await journey.stop();
    await journey.start();
    await vi.waitFor(async () => expect((await mira.get('me')).status).toBe(200), { timeout: 10_000 });
    expect((await mira.post('logout')).location).toBe('login?out=1');
    expect((await mira.get('me')).location).toBe('login');
  }, 120_000);
});

it.skipIf(chromiumPath !== undefined)('is NOT looked at in a browser: there is no Chromium on this machine', () => undefined);

describe.skipIf(chromiumPath === undefined)('in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  const submit = (tab: Tab, action: string, fields: Record<string, string>): Promise<unknown> =>
    tab.page.evaluate(`(() => { const form = document.querySelector('form[action="${action}"]');
      for (const [name, value] of Object.entries(${JSON.stringify(fields)})) form.elements[name].value = value;
      form.querySelector('button').click(); })()`);

  it.each([
    ['a phone', 390, 844],
    ['a desk', 1280, 900],
  ])(
    'the pages fit %s, say what each field is for, and ask nobody else for anything',
    async (_where, widthPx, heightPx) => {
      const tab = await openTab(browser, widthPx, heightPx);
      const fits = 'document.documentElement.scrollWidth <= innerWidth';
      const named = `[...document.querySelectorAll('input:not([type=hidden],[hidden]),select,button,img,a,form')].every((one) =>
      one.labels?.length || one.ariaLabel || one.alt || one.textContent.trim() || one.getAttribute('aria-labelledby'))`;
      const headed = `document.querySelectorAll('main').length === 1 && document.documentElement.lang === 'en' && document.title.includes('Continuo')`;
      await tab.page.goto(`${journey.server.url}/account`);
      await until(tab, `location.pathname === '/account/login' && document.readyState === 'complete'`);
      for (const rule of [fits, named, headed]) expect([rule, await tab.page.evaluate(rule)]).toEqual([rule, true]);
      await submit(tab, 'login', { username: administrator.name, password: 'wrong' });
      await until(tab, `document.querySelector('[role=alert]')?.textContent === 'Wrong user name or password.'`);
      await submit(tab, 'login', { username: administrator.name, password: administrator.password });
      await until(tab, `location.pathname === '/account/me' && document.readyState === 'complete'`);
      expect(await tab.page.evaluate('document.cookie')).toBe('');
      for (const rule of [fits, named, headed]) expect([rule, await tab.page.evaluate(rule)]).toEqual([rule, true]);
      await submit(tab, 'profile', { fullname: 'Ada of the Journey', city: 'Ghent' });
      await until(tab, `document.querySelector('[role=status]')?.textContent === 'Saved.'`);
      await submit(tab, 'logout', {});
      await until(tab, `location.search === '?out=1'`);
      const { origin } = new URL(journey.server.url);
      expect(tab.requests.filter((url) => !url.startsWith(origin) && url !== 'about:blank')).toEqual([]);
      expect(tab.complaints.filter((text) => !/\b40[14]\b/.test(text))).toEqual([]);
    },
    60_000,
  );
});
