import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { formatNames, generateFiles, makeNoise } from '@continuo/media-fixtures';
import { formatCount } from '@continuo/operations';
import { chromium, type CDPSession, type Page } from 'playwright-core';
import { newCatalog, scanCatalog } from '../harness/library.js';
import type { StandaloneProcess } from '../harness/standalone-process.js';
import type { Measurement } from '../measure/report.js';
import { summarise } from '../measure/stats.js';

/** The page signs in with a password; the server begins with this one. */
export const PAGE_SETTINGS = { CONTINUO_ADMIN_PASSWORD: 'password of the bench' } as const;

const CHROMIUM = '/usr/bin/chromium';
/** The processor of a phone, as a part of this machine's. */
const SLOWER = 4;
const FIRST_VIEWS = 5;
const JUMPS = 10;
/** Below one row: each frame has other rows now and then, as when a hand scrolls. */
const PX_PER_FRAME = 30;
/** Songs of that length that can be heard, and how their titles begin. */
const SOUNDS = 10;
const SOUND_S = 60;
const SOUND = 'Audible';

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
const scrollFrames = (page: Page, seconds: number): Promise<number> =>
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
    { forMs: seconds * 1000, px: PX_PER_FRAME },
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

/** From a click on a letter beside the list until the songs there can be read, ms. */
const letterJumps = async (page: Page, url: string): Promise<number[]> => {
  await page.goto('about:blank');
  await page.goto(`${url}/#/songs`);
  const letters = page.getByRole('navigation', { name: 'Jump in Songs' }).getByRole('button');
  await letters.first().waitFor();
  const times: number[] = [];
  for (let at = (await letters.count()) - 1; at > 0 && times.length < JUMPS; at -= 1) {
    const before = await songRows(page).first().getAttribute('aria-rowindex');
    const started = performance.now();
    await letters.nth(at).click();
    await page.waitForFunction((index) => {
      const row = [...document.querySelectorAll('[data-row]')].find((one) => one.querySelector('button'));
      return row !== undefined && row.getAttribute('aria-rowindex') !== index;
    }, before);
    times.push(performance.now() - started);
  }
  return times;
};

/** Makes songs whose sound can be heard. */
const addSounds = async ({ session }: StandaloneProcess, workFolder: string): Promise<void> => {
  const folder = join(workFolder, 'sounds');
  await makeNoise(
    folder,
    Array.from({ length: SOUNDS }, (_, at) => `${SOUND} ${at}`),
    SOUND_S,
  );
  await scanCatalog(session, await newCatalog(session, 'Sounds', folder));
};

/** From a click on a song until its sound has begun, ms. Each second song is clicked: the player has loaded the one after a song ahead. */
const clicksToSound = async (page: Page, url: string): Promise<number[]> => {
  await page.goto('about:blank');
  await page.goto(`${url}/#/songs?name=${encodeURIComponent(SOUND)}`);
  await songRows(page).nth(1).waitFor();
  await page.evaluate(() => {
    // oxlint-disable-next-line typescript/unbound-method -- it is called on its element below
    const { play } = HTMLMediaElement.prototype;
    let clickedMs = 0;
    addEventListener('click', () => (clickedMs = performance.now()), true);
    HTMLMediaElement.prototype.play = function () {
      const look = (): void => {
        if (this.paused || this.currentTime === 0) requestAnimationFrame(look);
        else document.body.dataset['soundMs'] ??= String(performance.now() - clickedMs);
      };
      look();
      return play.call(this);
    };
  });
  const times: number[] = [];
  for (let at = 0; at < SOUNDS; at += 2) {
    await page.evaluate(() => delete document.body.dataset['soundMs']);
    await page
      .getByRole('button', { name: `${SOUND} ${at}`, exact: true })
      .first()
      .click();
    await page.waitForFunction(() => document.body.dataset['soundMs'] !== undefined);
    times.push(Number(await page.evaluate(() => document.body.dataset['soundMs'])));
    await delay(1000);
  }
  return times;
};

/** Reads a metric of the browser about the page, such as its memory. */
const metricOf = async (devTools: CDPSession, wanted: string): Promise<number> => {
  const { metrics } = await devTools.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
};

const heapMb = async (page: Page): Promise<number> => {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Performance.enable');
  await devTools.send('HeapProfiler.collectGarbage');
  return (await metricOf(devTools, 'JSHeapUsedSize')) / 1024 ** 2;
};

/** Share of a core that the page's own thread takes while a managing view is open and a folder is scanned, 0 to 1. */
const shareWhileScanned = async (page: Page, { url, session }: StandaloneProcess, folder: string): Promise<number> => {
  const catalog = await newCatalog(session, 'Watched', folder);
  await page.goto('about:blank');
  await page.goto(`${url}/#/manage/libraries`);
  await page.getByRole('row').filter({ hasText: 'Watched' }).first().waitFor();
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Performance.enable');
  const [startedMs, before] = [performance.now(), await metricOf(devTools, 'TaskDuration')];
  await scanCatalog(session, catalog);
  const busyS = (await metricOf(devTools, 'TaskDuration')) - before;
  return busyS / ((performance.now() - startedMs) / 1000);
};

/** The web page in Debian's Chromium over a library: the songs shown first, scrolled, and far down. @throws Error without that browser */
export const measurePage = async (server: StandaloneProcess, songs: number, scrollS: number): Promise<Measurement[]> => {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await signIn(page, server.url);
    const views = summarise(await firstViews(page, server.url));
    await delay(1000);
    const before = await heapMb(page);
    const framesPerS = await scrollFrames(page, scrollS);
    const far = summarise(await jumps(page, songs));
    const heap = await heapMb(page);
    const letters = summarise(await letterJumps(page, server.url));
    return [
      { what: `songs shown, processor ${SLOWER} times slower, p50`, value: views.p50, unit: 'ms', budget: { atMost: 1000 } },
      { what: `scrolled for ${scrollS} s`, value: framesPerS, unit: 'frames/s', budget: { atLeast: 55 } },
      { what: 'jump far down, p50', value: far.p50, unit: 'ms', budget: { atMost: 300 }, note: `longest ${far.max.toFixed(0)} ms` },
      {
        what: 'memory of its scripts afterwards',
        value: heap,
        unit: 'MB',
        budget: { atMost: 150 },
        note: `${before.toFixed(0)} MB before`,
      },
      {
        what: 'jump to a letter, p50',
        value: letters.p50,
        unit: 'ms',
        budget: { atMost: 300 },
        note: `longest ${letters.max.toFixed(0)} ms`,
      },
    ];
  } finally {
    await browser.close();
  }
};

/**
 * Time from a click on a song to its sound, and the page's work while files are scanned, on a server of its own: the songs of a library are events without files.
 * @throws Error without that browser
 */
export const measureOverFiles = async (server: StandaloneProcess, workFolder: string, files: number): Promise<Measurement[]> => {
  await addSounds(server, workFolder);
  const scanned = join(workFolder, 'scanned');
  await generateFiles({ out: scanned, count: files, formats: formatNames, seed: 21, flat: false });
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await signIn(page, server.url);
    const sound = summarise(await clicksToSound(page, server.url));
    const share = await shareWhileScanned(page, server, scanned);
    return [
      {
        what: `managing view open while ${formatCount(files)} files are scanned`,
        value: share * 100,
        unit: '% of a core',
        budget: { atMost: 20 },
      },
      {
        what: 'click to sound of an original, p50',
        value: sound.p50,
        unit: 'ms',
        budget: { atMost: 150 },
        note: `longest ${sound.max.toFixed(0)} ms`,
      },
    ];
  } finally {
    await browser.close();
  }
};
