import { greeting } from '@continuo/standalone';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../browser.js';
import { administrator } from '../journey.js';
import { WebPageWorld, type Listener } from './listener.js';

const SONGS = 200;
const PASSWORD = 'one of my own';
const NAME = 'Ada L.';
/** Time from the first look at a new server to its first song. */
const PLAYS_WITHIN_MS = 120_000;

it.skipIf(chromiumPath !== undefined)('is NOT looked at in a browser: there is no Chromium on this machine', () => undefined);

describe.skipIf(chromiumPath === undefined)('a new server', () => {
  let world: WebPageWorld;
  let admin: Listener;
  let link: string;
  const faults: string[] = [];
  beforeAll(async () => {
    world = await WebPageWorld.startNew(SONGS);
    link = /http:\S+\/account\/setup\?\S+/.exec(greeting(world.journey.server))?.[0] ?? '';
    admin = await world.visit({ permissions: ['clipboard-read', 'clipboard-write'] });
  });
  afterAll(() => world.end());

  const look = async (what: string): Promise<void> => {
    faults.push(...(await admin.faults()).map((fault) => `${what}: ${fault}`));
  };
  const dialog = (): Locator => admin.page.getByRole('dialog');

  it('plays its first song within two minutes, by the page alone', async () => {
    const startMs = Date.now();
    await admin.open('/');
    await admin.page.getByText('This server is new.').waitFor();
    await admin.page.goto(link);
    await look('the first password');
    expect(await admin.page.getByLabel('New user name').inputValue()).toBe(administrator.name);
    await admin.page.getByLabel('New user name').fill(NAME);
    await admin.page.fill('input[name=password]', PASSWORD);
    await admin.page.fill('input[name=again]', PASSWORD);
    await admin.page.getByRole('button', { name: 'Begin' }).click();
    await admin.main.getByRole('heading', { name: 'First steps' }).waitFor();

    await admin.main.getByRole('button', { name: 'Add a catalog' }).click();
    await dialog()
      .getByRole('list', { name: `Folders in ${world.journey.folder}` })
      .waitFor();
    // The server's own data lie beside the music.
    expect(await dialog().getByRole('listitem').allInnerTexts()).toEqual([expect.stringContaining('music')]);
    await look('the folders of the server');
    await dialog().getByRole('button', { name: 'music' }).click();
    expect(await dialog().getByLabel('Path').inputValue()).toBe(world.journey.music);
    expect(await dialog().getByLabel('Name').inputValue()).toBe('music');
    await dialog().getByRole('button', { name: 'Add', exact: true }).click();
    await dialog().waitFor({ state: 'detached' });

    await admin.main.getByRole('button', { name: 'Play', exact: true }).click();
    await expect.poll(() => admin.position()).toBeGreaterThan(0.3);
    expect(Date.now() - startMs).toBeLessThan(PLAYS_WITHIN_MS);
    await admin.main.getByText(`${SONGS} songs so far.`).waitFor();
  });

  it('has been set up once: its link opens nothing any more', async () => {
    const stranger = await world.visit();
    await stranger.page.goto(link);
    await stranger.page.fill('input[name=password]', 'a password of mine');
    await stranger.page.fill('input[name=again]', 'a password of mine');
    await stranger.page.getByRole('button', { name: 'Begin' }).click();
    await stranger.page.getByText('Wrong user name or password.').waitFor();
    await stranger.open('/');
    await stranger.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await stranger.page.getByText('This server is new.').count()).toBe(0);
    await stranger.signIn(NAME, PASSWORD);
    await stranger.leave();
  });

  it('tells players its address, and its operator what is wrong with it', async () => {
    await admin.main.getByRole('button', { name: 'Copy the address: Subsonic and OpenSubsonic' }).click();
    await admin.page.getByRole('status').getByText('Copied.').waitFor();
    const copied = await admin.page.evaluate<string>('navigator.clipboard.readText()');
    const query = new URLSearchParams({ u: NAME, p: PASSWORD, v: '1.16.1', c: 'journey', f: 'json' });
    const answer = (await (await fetch(`${copied}/rest/ping?${query.toString()}`)).json()) as object;
    expect(answer).toMatchObject({ 'subsonic-response': { status: 'ok' } });
    await admin.main.getByRole('img', { name: `QR code of ${copied}` }).waitFor();
    await admin.main.getByText('is an address for this machine alone').waitFor();
    await look('first steps');
    await admin.page.route('**/manage/v1/connection', (route) =>
      route.fulfill({ json: { baseUrl: 'http://inner:8080', publicUrl: null, clientAddress: '10.0.0.9', proxy: 'ignored' } }),
    );
    await admin.page.reload();
    await admin.main.getByText(`Set PUBLIC_URL=${world.url}/`).waitFor();
    await admin.main.getByText('Set TRUSTED_PROXIES=10.0.0.9').waitFor();
  });

  it('is shown in the language that was chosen, from then on', async () => {
    await admin.main.getByRole('button', { name: 'Deutsch' }).click();
    await admin.main.getByRole('heading', { name: 'Erste Schritte' }).waitFor();
    await admin.turnTo('/');
    await admin.main.getByRole('heading', { name: 'Start' }).waitFor();
    expect(await admin.page.evaluate('document.documentElement.lang')).toBe('de');
    await admin.turnTo('/manage/welcome');
    await admin.main.getByRole('button', { name: 'English' }).click();
    await admin.main.getByRole('heading', { name: 'First steps' }).waitFor();
  });

  it('has no fault that axe finds, and fits a phone', async () => {
    await admin.page.setViewportSize({ width: 390, height: 844 });
    await admin.shown();
    if (!(await admin.page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'))) faults.push('wider than a phone');
    expect(
      await admin.page.evaluate<boolean>(
        `[...document.querySelectorAll('main ol > li, main ol p, main ol input')].every((one) => one.getBoundingClientRect().right <= innerWidth)`,
      ),
    ).toBe(true);
    expect(faults).toEqual([]);
    expect(admin.complaints()).toEqual([]);
    expect(admin.elsewhere()).toEqual([]);
  });
});
