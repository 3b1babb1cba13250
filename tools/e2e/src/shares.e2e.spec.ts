import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { generateFiles } from '@continuo/media-fixtures';
import { chromiumPath, openTab, startBrowser, until } from './browser.js';
import { administrator, Journey } from './journey.js';

const headers = { authorization: `Bearer ${administrator.apiKey}` };
let journey: Journey;

interface Share {
  readonly id: string;
  readonly public_url: string;
  readonly counter: number;
  readonly lastvisit_date: number;
  readonly error?: { readonly errorCode: string };
}

const native = <T>(action: string, query: Record<string, string> = {}): Promise<T> =>
  journey.json<T>('/server/json.server.php', { action, version: '8.0.0', ...query }, { headers });
const shared = (query: Record<string, string> = {}): Promise<Share> =>
  native('share_create', { type: 'artist', filter: '1', description: 'Listen <b>to</b> this', ...query });

beforeAll(async () => {
  journey = await Journey.prepare();
  await generateFiles({ out: journey.music, count: 8, formats: ['mp3'], seed: 3, flat: false });
  await journey.start();
  await journey.scan();
  await vi.waitUntil(async () => (await native<{ total_count: number }>('songs')).total_count === 8, { timeout: 10_000, interval: 100 });
});
afterAll(() => journey.end());

describe('a share', () => {
  it('opens without a login, plays by its own links, counts its visits and dies when it is deleted', async () => {
    const made = await shared();
    const page = await fetch(made.public_url);
    expect(page.status).toBe(200);
    const html = await page.text();
    expect(html).toContain('Listen &lt;b&gt;to&lt;/b&gt; this');
    const [, link = ''] = /href="(share\.php\/play\?token=[^"]+)"/.exec(html) ?? [];
    const song = await fetch(new URL(link, made.public_url), { headers: { range: 'bytes=0-99' } });
    expect([song.status, song.headers.get('content-type'), (await song.arrayBuffer()).byteLength]).toEqual([206, 'audio/mpeg', 100]);
    await vi.waitFor(async () => expect(await native('share', { filter: made.id })).toMatchObject({ counter: 1 }), 20_000);
    expect((await native<Share>('share', { filter: made.id })).lastvisit_date).toBeGreaterThan(1_700_000_000);
    expect(await native('share_delete', { filter: made.id })).toEqual({ success: `share ${made.id} deleted` });
    expect((await fetch(made.public_url)).status).toBe(404);
    expect((await fetch(new URL(link, made.public_url))).status).toBe(404);
    expect((await fetch(made.public_url.replace(/secret=.*/, 'secret=nonsense'))).status).toBe(404);
  });

  it('survives a restart, with its address', async () => {
    const made = await shared();
    const { pathname, search } = new URL(made.public_url);
    await journey.stop();
    await journey.start();
    await vi.waitFor(async () => expect((await fetch(`${journey.server.url}${pathname}${search}`)).status).toBe(200), { timeout: 10_000 });
  });
});

it.skipIf(chromiumPath !== undefined)('is NOT looked at in a browser: there is no Chromium on this machine', () => undefined);

describe.skipIf(chromiumPath === undefined)('in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it.each([
    ['a phone', 390, 844],
    ['a desk', 1280, 900],
  ])('the page plays on %s, one song after the other, and asks nobody else for anything', async (_where, widthPx, heightPx) => {
    const made = await shared();
    const tab = await openTab(browser, widthPx, heightPx);
    await tab.page.goto(made.public_url);
    expect(await tab.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    const isSquare = '[...document.images].every(({ width, height }) => width === height && width > 0)';
    expect(await tab.page.evaluate(isSquare)).toBe(true);
    await tab.page.evaluate(`document.querySelectorAll('a.track')[0].click()`);
    await until(tab, `document.querySelector('audio').currentTime > 0.05`);
    await until(tab, `document.querySelectorAll('a.track')[0].getAttribute('aria-current') === 'true'`);
    await tab.page.evaluate(`(() => { const audio = document.querySelector('audio'); audio.currentTime = audio.duration - 0.05; })()`);
    await until(tab, `document.querySelectorAll('a.track')[1].getAttribute('aria-current') === 'true'`);
    await until(tab, `document.getElementById('now').textContent === document.querySelectorAll('a.track')[1].dataset.title`);
    const origin = new URL(made.public_url).origin;
    expect(tab.requests.filter((url) => !url.startsWith(origin) && !url.startsWith('data:') && url !== 'about:blank')).toEqual([]);
    expect(tab.complaints.filter((text) => !text.includes('404'))).toEqual([]);
    const names = await tab.page.evaluate(`[...document.querySelectorAll('a,button,img,audio,section,ol')]
      .every(one => one.textContent.trim() || one.alt || one.ariaLabel || one.tagName === 'AUDIO')`);
    expect(names).toBe(true);
  });
});
