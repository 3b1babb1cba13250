import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser, findChromium, type Tab } from './browser.js';
import { administrator, Journey } from './journey.js';

const chromium = await findChromium();
const WAIT_MS = 30_000;

it.skipIf(chromium !== undefined)('is NOT looked at in a browser: there is no Chromium on this machine', () => undefined);

describe.skipIf(chromium === undefined)('the page of the documents, in Chromium', { timeout: 4 * WAIT_MS }, () => {
  let journey: Journey;
  let browser: Browser;
  let tab: Tab;
  beforeAll(async () => {
    journey = await Journey.prepare();
    await journey.start();
    browser = await Browser.start(chromium ?? '');
    tab = await browser.tab(1280, 900);
  }, 120_000);
  afterAll(async () => {
    await browser.stop();
    await journey.end();
  }, 60_000);

  /** Clicks an element as soon as it is there. */
  const click = async (selector: string): Promise<void> => {
    await tab.until(`document.querySelector(${JSON.stringify(selector)}) !== null`, WAIT_MS);
    await tab.evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`);
  };
  /** Enters text as a person does: React hears of it. */
  const enter = (selector: string, text: string): Promise<unknown> =>
    tab.evaluate(`(() => { const field = document.querySelector(${JSON.stringify(selector)});
      const prototype = field instanceof HTMLSelectElement ? HTMLSelectElement.prototype : HTMLInputElement.prototype;
      Object.getOwnPropertyDescriptor(prototype, 'value').set.call(field, ${JSON.stringify(text)});
      field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true })); })()`);

  it('opens each document, sends a call with a key, and asks nobody else for anything', async () => {
    await tab.goTo(`${journey.server.url}/docs`);
    const documents = ['native-8', 'native-6', 'compat', 'manage'];
    for (const name of documents) {
      const { info } = await journey.json<{ info: { title: string } }>(`/openapi/${name}.json`);
      await tab.until(`document.querySelector('#select') !== null`, WAIT_MS);
      await enter('#select', `openapi/${name}.json`);
      const isShown = `document.querySelector('.info .title')?.textContent.includes(${JSON.stringify(info.title)}) && document.querySelector('.opblock-tag') !== null`;
      await tab.until(isShown, WAIT_MS);
    }

    await click('.auth-wrapper .authorize');
    await tab.until(`document.querySelector('.auth-container input') !== null`, WAIT_MS);
    await enter('.auth-container input', administrator.apiKey);
    await click('.auth-container button[type=submit]');
    await click('.close-modal');
    await click('.opblock-tag[data-tag=catalogs]');
    await click('[id$=listCatalogs] .opblock-summary-control');
    await click('[id$=listCatalogs] .try-out__btn');
    await click('[id$=listCatalogs] .execute');
    await tab.until(
      `document.querySelector('[id$=listCatalogs] .live-responses-table .response .response-col_status')?.textContent.trim() === '200'`,
      WAIT_MS,
    );

    const { origin } = new URL(journey.server.url);
    const own = tab.requests.filter((url) => url.startsWith(`${origin}/`));
    expect(own).toEqual(expect.arrayContaining(documents.map((name) => `${origin}/openapi/${name}.json`)));
    expect(tab.requests.filter((url) => !own.includes(url) && !url.startsWith('data:') && url !== 'about:blank')).toEqual([]);
    expect(tab.complaints).toEqual([]);
  });
});
