import { setTimeout as delay } from 'node:timers/promises';
import { chromium, type Page } from 'playwright-core';
import type { StandaloneProcess } from '../harness/standalone-process.js';
import type { Measurement } from '../measure/report.js';
import { summarise } from '../measure/stats.js';

/** The page signs in with a password; the server begins with this one. */
export const PAGE_SETTINGS = { CONTINUO_ADMIN_PASSWORD: 'password of the bench' } as const;

const CHROMIUM = '/usr/bin/chromium';
/** The processor of a phone, as a part of this machine's. */
const SLOWER = 4;
const FIRST_VIEWS = 5;
const SCROLL_MS = 10_000;
const JUMPS = 10;
/** Below one row: each frame has other rows now and then, as when a hand scrolls. */
const PX_PER_FRAME = 30;

const signIn = async (page: Page, url: string): Promise<void> => {
  await page.goto(`${url}/account/login?return=1`);
  await page.fill('input[name=username]', 'admin');
  await page.fill('input[name=password]', PAGE_SETTINGS.CONTINUO_ADMIN_PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL((to) => !to.pathname.includes('account'));
};

const songRows = (page: Page) => page.locator('[data-row]').filter({ has: page.locator('button') });

/** From the navigation until rows of songs can be read, with a slower processor, ms. */
const firstViews = async (page: Page, url: string): Promise<number[]> => {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  const times: number[] = [];
  for (let visit = 0; visit < FIRST_VIEWS; visit += 1) {
    await page.goto('about:blank');
    const started = performance.now();
    await page.goto(`${url}/#/songs`);
    await songRows(page).first().waitFor();
    times.push(performance.now() - started);
  }
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  return times;
};

/** Frames while the list is scrolled by some pixels in each, per second. */
const scrollFrames = (page: Page): Promise<number> =>
  page.evaluate(
    ({ forMs, px }) =>
      new Promise<number>((resolve) => {
        const list = document.querySelector('[role=grid]')?.parentElement;
        if (!list) throw new Error('there is no list');
        let frames = 0;
        const started = performance.now();
        const step = (): void => {
          const passedMs = performance.now() - started;
          if (passedMs >= forMs) return resolve(frames / (passedMs / 1000));
          frames += 1;
          list.scrollTop += px;
          requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      }),
    { forMs: SCROLL_MS, px: PX_PER_FRAME },
  );

/** From a jump of the scroll bar until the songs there can be read, ms. */
const jumps = async (page: Page, rows: number): Promise<number[]> => {
  const times: number[] = [];
  for (let jump = 0; jump < JUMPS; jump += 1) {
    const share = 0.9 - jump * 0.07;
    const started = performance.now();
    await page.evaluate((part) => {
      const list = document.querySelector('[role=grid]')?.parentElement;
      if (list) list.scrollTop = part * (list.scrollHeight - list.clientHeight);
    }, share);
    await page.waitForFunction(
      ({ part, count }) => {
        const row = [...document.querySelectorAll('[data-row]')].find((one) => one.querySelector('button'));
        return row !== undefined && Math.abs(Number(row.getAttribute('aria-rowindex')) / count - part) < 0.01;
      },
      { part: share, count: rows },
    );
    times.push(performance.now() - started);
  }
  return times;
};

const heapMb = async (page: Page): Promise<number> => {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Performance.enable');
  await devTools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devTools.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN) / 1024 ** 2;
};

/** The web page in Debian's Chromium over a library: the songs shown first, scrolled, and far down. @throws Error without that browser */
export const measurePage = async (server: StandaloneProcess, songs: number): Promise<Measurement[]> => {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await signIn(page, server.url);
    const views = summarise(await firstViews(page, server.url));
    await delay(1000);
    const before = await heapMb(page);
    const framesPerS = await scrollFrames(page);
    const far = summarise(await jumps(page, songs));
    return [
      { what: `songs shown, processor ${SLOWER} times slower, p50`, value: views.p50, unit: 'ms', budget: { atMost: 1000 } },
      { what: 'scrolled', value: framesPerS, unit: 'frames/s', budget: { atLeast: 55 } },
      { what: 'jump far down, p50', value: far.p50, unit: 'ms', budget: { atMost: 300 }, note: `longest ${far.max.toFixed(0)} ms` },
      {
        what: 'memory of its scripts afterwards',
        value: await heapMb(page),
        unit: 'MB',
        budget: { atMost: 150 },
        note: `${before.toFixed(0)} MB before`,
      },
    ];
  } finally {
    await browser.close();
  }
};
