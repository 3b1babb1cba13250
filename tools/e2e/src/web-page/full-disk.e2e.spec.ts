import { SmallDisk } from '@continuo/local-servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../browser.js';
import { administrator, Journey } from '../journey.js';
import { WebPageWorld, type Listener } from './listener.js';

const DISK_MB = 300;
const NO_ROOM = 'the event log cannot be written: no space left';
/** The first thing that finds no room is the key of the request, or its event. */
const REFUSED = /cannot be (?:kept at the moment|written)/;
const SAID_WITHIN_MS = 10_000;
const GOES_ON_WITHIN_MS = 40_000;

it.skipIf(chromiumPath !== undefined)('is NOT looked at in a browser: there is no Chromium on this machine', () => undefined);

describe.skipIf(chromiumPath === undefined)('a disk that fills up while a managing view is open', () => {
  let journey: Journey;
  let disk: SmallDisk | undefined;
  let cannotMount = '';
  let world: WebPageWorld | undefined;
  let admin: Listener;
  beforeAll(async () => {
    journey = await Journey.prepareEmpty();
    disk = await SmallDisk.mount(journey.folder, DISK_MB).catch((error: unknown) => {
      cannotMount = `needs to mount a tmpfs: ${String(error)}`;
      return undefined;
    });
    if (!disk) return;
    await journey.start({ LOG_LEVEL: 'fatal' });
    world = await WebPageWorld.over(journey);
    admin = await world.signedIn();
  });
  afterAll(async () => {
    await world?.browser.close();
    await journey.stop();
    await disk?.unmount();
    await journey.end();
  });

  let added = 0;
  /** Adds an account over the API; resolves to the HTTP status. */
  const addAccount = async (): Promise<number> => {
    const headers = { authorization: `Bearer ${administrator.apiKey}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ username: `ada ${(added += 1)}`, password: 'difference engine' });
    return (await fetch(`${journey.server.url}/manage/v1/accounts`, { method: 'POST', headers, body })).status;
  };

  it('is said there within ten seconds, and no more when there is room again', { timeout: 120_000 }, async (context) => {
    if (!disk) return context.skip(cannotMount);
    const alarm = admin.page.getByRole('alert').getByText(NO_ROOM);
    await admin.turnTo('/manage/people');
    await admin.main.getByRole('heading', { level: 1, name: 'People' }).waitFor();
    await admin.main.getByRole('row').filter({ hasText: administrator.name }).first().waitFor();
    expect(await alarm.count()).toBe(0);
    await disk.fill();
    const fullAtMs = Date.now();
    await alarm.waitFor();
    expect(Date.now() - fullAtMs).toBeLessThan(SAID_WITHIN_MS);
    // What is left of a page of memory still takes an event or two.
    await expect.poll(addAccount, { timeout: 20_000 }).toBe(503);
    // Nobody tries in vain without being told.
    await admin.main.getByRole('button', { name: 'Add an account' }).click();
    const dialog = admin.page.getByRole('dialog');
    await dialog.getByLabel('User name').fill('ada');
    await dialog.getByLabel('Password').fill('difference engine');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByRole('alert').getByText(REFUSED).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await disk.empty();
    await expect.poll(() => alarm.count(), { timeout: GOES_ON_WITHIN_MS }).toBe(0);
  });
});
