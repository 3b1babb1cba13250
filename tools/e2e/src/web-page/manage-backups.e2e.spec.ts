import { execFile } from 'node:child_process';
import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../browser.js';
import { WebPageWorld, type Listener } from './listener.js';

/** Time for a thread that loads its program first, on a machine that is busy. */
const WORK = { timeout: 60_000 };

it.skipIf(chromiumPath !== undefined)('is NOT looked at in a browser: there is no Chromium on this machine', () => undefined);

describe.skipIf(chromiumPath === undefined)('backups on the web page', () => {
  let world: WebPageWorld;
  let admin: Listener;
  beforeAll(async () => {
    world = await WebPageWorld.start();
    admin = await world.signedIn();
    await admin.turnTo('/manage/backups');
  });
  afterAll(() => world.end());

  const rows = (title: string, name: string) =>
    admin.main.getByRole('region', { name: title, exact: true }).getByRole('row').filter({ hasText: name });
  const taken = () => rows('Backups', 'done');

  it('are taken, verified, and restored for a test', async () => {
    await admin.main.getByRole('button', { name: 'Back up now' }).click();
    await expect.poll(() => taken().count(), WORK).toBe(1);
    expect((await taken().innerText()).match(/never/g)).toHaveLength(2);
    await taken()
      .getByRole('button', { name: /^Verify the backup / })
      .click();
    await expect.poll(() => taken().innerText(), WORK).toContain('no fault');
    expect(await taken().innerText()).toContain('never');
    await taken()
      .getByRole('button', { name: /^Restore the tables of the backup / })
      .click();
    await expect.poll(() => taken().innerText(), WORK).not.toContain('never');
  });

  it('are saved by the browser, while the page stays', async () => {
    const [download] = await Promise.all([
      admin.page.waitForEvent('download'),
      taken()
        .getByRole('button', { name: /^Download the backup / })
        .click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^continuo-.*Z\.tar$/);
    expect(download.url()).toBe(`${world.url}/account/backup`);
    const into = join(world.journey.folder, 'saved');
    await download.saveAs(join(into, 'a.tar'));
    await promisify(execFile)('tar', ['-xf', 'a.tar'], { cwd: into });
    const [name = ''] = (await readdir(into)).filter((one) => one.startsWith('continuo-'));
    await access(join(into, name, 'manifest.json'));
    await admin.main.getByRole('heading', { level: 1, name: 'Backups' }).waitFor();
    await admin.turnTo('/manage/audit');
    await expect.poll(() => rows('Who did what', 'downloadBackup').count()).toBe(1);
    expect(admin.complaints()).toEqual([]);
  });
});
