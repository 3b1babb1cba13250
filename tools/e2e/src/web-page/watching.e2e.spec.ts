import { generateFiles } from '@continuo/media-fixtures';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../browser.js';
import { WebPageWorld, type Listener } from './listener.js';

/** So many that the fastest machine takes some seconds. */
const MANY_FILES = 2500;
const MOST_REPAINTS_PER_S = 10;
/** Program of a transcoding worker. */
const WORKER = fileURLToPath(new URL('../../../standalone/bundle/transcoding.js', import.meta.url));

/** Counts the frames before which something was changed in the page, by second. */
const COUNT_REPAINTS = `{
  window.repaints = [];
  let isChanged = false;
  const count = (atMs) => {
    isChanged = false;
    const second = Math.floor(atMs / 1000);
    window.repaints[second] = (window.repaints[second] ?? 0) + 1;
  };
  new MutationObserver(() => {
    if (!isChanged) requestAnimationFrame(count);
    isChanged = true;
  }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
}`;

it.skipIf(chromiumPath !== undefined)('is NOT looked at in a browser: there is no Chromium on this machine', () => undefined);

describe.skipIf(chromiumPath === undefined)('watching the server at work', () => {
  let world: WebPageWorld;
  let admin: Listener;
  let worker: ChildProcess | undefined;
  beforeAll(async () => {
    world = await WebPageWorld.start();
    admin = await world.signedIn();
    await generateFiles({ out: join(world.journey.music, 'many'), count: MANY_FILES, formats: ['mp3'], seed: 21, flat: false });
  });
  afterAll(async () => {
    worker?.kill('SIGKILL');
    await world.end();
  });

  const rows = (title: string): Locator => admin.main.getByRole('region', { name: title, exact: true }).locator('tbody').getByRole('row');

  it('repaints at most ten times a second while many files are scanned', { timeout: 150_000 }, async () => {
    await admin.turnTo('/manage');
    await rows('Scans').first().waitFor();
    const scansBefore = await rows('Scans').count();
    await admin.page.evaluate(COUNT_REPAINTS);
    await admin.main.getByRole('button', { name: /^Scan / }).click();
    await rows('Scans').first().getByRole('progressbar').waitFor();
    await expect.poll(() => rows('Scans').first().innerText(), { timeout: 20_000 }).toMatch(/[\d,.]+ files a second/);
    await expect.poll(() => rows('Scans').first().innerText(), { timeout: 120_000 }).toMatch(/done[\s\S]*2,5\d\d · /);
    expect(await rows('Scans').first().innerText()).toMatch(/files a second, in \d+ (?:sec|min)/);
    expect(await rows('Scans').count()).toBe(scansBefore + 1);
    const repaints = await admin.page.evaluate<number[]>('Object.values(window.repaints)');
    expect(repaints.length).toBeGreaterThan(2);
    expect(Math.max(...repaints)).toBeLessThanOrEqual(MOST_REPAINTS_PER_S);
  });

  /** Starts a further transcoding worker and waits until it works. */
  const startWorker = async (): Promise<ChildProcess> => {
    const data = join(world.journey.folder, 'worker');
    await mkdir(data, { recursive: true });
    const started = spawn(process.execPath, [WORKER], {
      env: { ...world.journey.server.environment, CONTINUO_DATA: data, HEALTH_PORT: '0', LOG_LEVEL: 'error' },
      stdio: 'inherit',
    });
    await once(started, 'spawn');
    return started;
  };

  it('shows a transcoding worker that is killed, and one that comes back', { timeout: 60_000 }, async () => {
    await admin.turnTo('/manage/work');
    await expect.poll(() => rows('Transcoding workers').count()).toBe(1);
    worker = await startWorker();
    await expect.poll(() => rows('Transcoding workers').count(), { timeout: 20_000 }).toBe(2);
    const died = once(worker, 'exit');
    worker.kill('SIGKILL');
    await died;
    await expect.poll(() => rows('Transcoding workers').count(), { timeout: 10_000 }).toBe(1);
    worker = await startWorker();
    await expect.poll(() => rows('Transcoding workers').count(), { timeout: 20_000 }).toBe(2);
  });
});
