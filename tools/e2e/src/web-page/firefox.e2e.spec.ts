import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { config } from '../config.js';
import { administrator, type Journey } from '../journey.js';
import { JOINED, musicServer, NOTE_SOUNDS, POSITION, RECORD } from './listener.js';

it.skipIf(config.firefox !== undefined)('is NOT looked at in Firefox: there is none on this machine', () => undefined);

describe.skipIf(config.firefox === undefined)('the web page in Firefox', () => {
  let journey: Journey;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    journey = await musicServer();
    browser = await puppeteer.launch({
      browser: 'firefox',
      executablePath: config.firefox ?? '',
      extraPrefsFirefox: { 'media.autoplay.default': 0, 'intl.accept_languages': 'en' },
    });
    page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 800 });
    page.on('console', (message) => void (['error', 'warn'].includes(message.type()) && complaints.push(message.text())));
    page.on('pageerror', (error) => void complaints.push(String(error)));
  });
  afterAll(async () => {
    await browser.close();
    await journey.end();
  });

  /** An element of a part of the page by its role and its name. */
  const named = (part: 'nav' | 'main' | 'footer', role: string, name: string) =>
    page.locator(`${part} ::-p-aria([name="${name}"][role="${role}"])`);
  const position = async (): Promise<number> => ((await page.evaluate(POSITION)) as number | null) ?? -1;

  it('signs in, finds an album, plays it into the next song', async () => {
    await page.goto(`${journey.server.url}/`);
    await page.locator('input[name=username]').fill(administrator.name);
    await page.locator('input[name=password]').fill(administrator.password);
    await page.keyboard.press('Enter');
    await named('nav', 'link', 'Albums').click();
    await page.evaluate(NOTE_SOUNDS);
    // A Firefox on a machine without a sound card ends what plays after two seconds, unless it goes somewhere else.
    await page.evaluate(RECORD);
    await named('nav', 'link', 'Search').click();
    await page.locator('main input[type=search]').fill(JOINED.album);
    await named('main', 'link', JOINED.album).click();
    await named('main', 'button', 'Play').click();
    await expect.poll(position).toBeGreaterThan(0.3);
    await named('footer', 'link', `${JOINED.album} 1`).wait();
    await named('footer', 'link', `${JOINED.album} 2`).wait();
    await expect.poll(position).toBeGreaterThan(0.3);
    await named('footer', 'button', 'Pause').click();
    await expect.poll(position).toBe(-1);
    expect(complaints).toEqual([]);
  });

  it('plays an album that it keeps while the server is away', async () => {
    const { url } = journey.server;
    await named('main', 'button', `More for ${JOINED.album}`).click();
    await page.locator('::-p-aria([name="Keep offline"][role="menuitem"])').click();
    await expect.poll(() => page.evaluate('document.body.innerText')).toContain(`${JOINED.album} can be heard without the server now.`);
    await journey.stop();
    await page.goto('about:blank');
    await page.goto(`${url}/#/offline`);
    await named('main', 'link', JOINED.album).click();
    await page.evaluate(NOTE_SOUNDS);
    await page.evaluate(RECORD);
    await named('main', 'button', 'Play').click();
    await expect.poll(position).toBeGreaterThan(0.3);
  });
});
