import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, openTab, startBrowser, until, type Tab } from './browser.js';
import { administrator, Journey } from './journey.js';

it.skipIf(chromiumPath !== undefined)('is NOT looked at in a browser: there is no Chromium on this machine', () => undefined);

describe.skipIf(chromiumPath === undefined)('the page of the documents, in Chromium', { timeout: 120_000 }, () => {
  let journey: Journey;
  let browser: Browser;
  let tab: Tab;
  beforeAll(async () => {
    journey = await Journey.prepare();
    await journey.start();
    browser = await startBrowser();
    tab = await openTab(browser, 1280, 900);
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await journey.end();
  }, 60_000);

  it('opens each document, sends a call with a key, and asks nobody else for anything', async () => {
    await tab.page.goto(`${journey.server.url}/docs`);
    const documents = ['native-8', 'native-6', 'compat', 'manage'];
    for (const name of documents) {
      const { info } = await journey.json<{ info: { title: string } }>(`/openapi/${name}.json`);
      await tab.page.selectOption('#select', `openapi/${name}.json`);
      const isShown = `document.querySelector('.info .title')?.textContent.includes(${JSON.stringify(info.title)}) && document.querySelector('.opblock-tag') !== null`;
      await until(tab, isShown);
    }

    await tab.page.click('.auth-wrapper .authorize');
    await tab.page.fill('.auth-container input', administrator.apiKey);
    await tab.page.click('.auth-container button[type=submit]');
    await tab.page.click('.close-modal');
    await tab.page.click('.opblock-tag[data-tag=catalogs]');
    await tab.page.click('[id$=listCatalogs] .opblock-summary-control');
    await tab.page.click('[id$=listCatalogs] .try-out__btn');
    await tab.page.click('[id$=listCatalogs] .execute');
    await until(
      tab,
      `document.querySelector('[id$=listCatalogs] .live-responses-table .response .response-col_status')?.textContent.trim() === '200'`,
    );

    const { origin } = new URL(journey.server.url);
    const own = tab.requests.filter((url) => url.startsWith(`${origin}/`));
    expect(own).toEqual(expect.arrayContaining(documents.map((name) => `${origin}/openapi/${name}.json`)));
    expect(tab.requests.filter((url) => !own.includes(url) && !url.startsWith('data:') && url !== 'about:blank')).toEqual([]);
    expect(tab.complaints).toEqual([]);
  });
});
