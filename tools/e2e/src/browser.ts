import { setTimeout as delay } from 'node:timers/promises';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { config } from './config.js';

/** The Chromium of this machine; undefined when there is none, and specs that need it say that they did not run. */
export const chromiumPath = config.chromium;

/** Starts a headless Chromium. Without a graphics card it would imitate one, for a fifth of a test's processor time. */
export const startBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox', '--disable-gpu'] });

/** A page with cookies of its own. */
export interface Tab {
  readonly page: Page;
  /** Errors of scripts and violations of the content security policy. */
  readonly complaints: readonly string[];
  /** Addresses that the page asked for. */
  readonly requests: readonly string[];
}

/** A narrow window is a phone. */
const PHONE_BELOW_PX = 600;

/** Opens an empty page of a size. */
export const openTab = async (browser: Browser, width: number, height: number, options: BrowserContextOptions = {}): Promise<Tab> => {
  const isPhone = width < PHONE_BELOW_PX;
  const context = await browser.newContext({ viewport: { width, height }, isMobile: isPhone, hasTouch: isPhone, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on(
    'console',
    (message) => void (['error', 'warning'].includes(message.type()) && complaints.push(`${message.text()} (${message.location().url})`)),
  );
  page.on('pageerror', (error) => void complaints.push(String(error)));
  page.on('request', (request) => void requests.push(request.url()));
  return { page, complaints, requests };
};

/** Time for which {@link until} waits, ms. */
const WAIT_MS = 30_000;
const PAUSE_MS = 100;

/**
 * Waits until an expression is true in a page, also while one page is being exchanged for the next. Playwright's own `waitForFunction` needs `unsafe-eval` for that, which no page here allows.
 */
export const until = async ({ page }: Pick<Tab, 'page'>, expression: string): Promise<void> => {
  const endMs = Date.now() + WAIT_MS;
  let last: unknown;
  for (;;) {
    // A page that is on its way out answers nothing.
    last = await page.evaluate(expression).catch(String);
    if (last === true) return;
    if (Date.now() > endMs) throw new Error(`never true in the page: ${expression} (${String(last)})`);
    await delay(PAUSE_MS);
  }
};
