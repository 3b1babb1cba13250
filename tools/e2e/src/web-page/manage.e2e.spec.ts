import { someOf } from '@continuo/local-servers/test-form';
import { generateFiles, makeJoinedAlbum } from '@continuo/media-fixtures';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../browser.js';
import { administrator } from '../journey.js';
import { WebPageWorld, type KnownSong, type Listener } from './listener.js';

const SECTIONS = [
  'Libraries',
  'Care',
  'People',
  'Access',
  'Work',
  'Inside',
  'Backups',
  'Integrations',
  'Health',
  'Settings',
  'Audit trail',
  'First steps',
] as const;
/** Sections that axe looks at in the short form. */
const FEW_SECTIONS = 5;
/** Songs of the catalog that is added on the page. */
const MORE_SONGS = 7;
const GRAFANA = 'https://grafana.example.org/dashboards';

it.skipIf(chromiumPath !== undefined)('is NOT looked at in a browser: there is no Chromium on this machine', () => undefined);

describe.skipIf(chromiumPath === undefined)('managing on the web page', () => {
  let world: WebPageWorld;
  let admin: Listener;
  const faults: string[] = [];
  beforeAll(async () => {
    world = await WebPageWorld.start({
      OUTBOUND_ALLOWED_NETWORKS: '127.0.0.1',
      WEBHOOK_ATTEMPTS: '1',
      WRITE_TAGS: 'true',
      DELETE_FROM_DISK: 'true',
      GRAFANA_URL: GRAFANA,
    });
    admin = await world.signedIn();
  });
  afterAll(() => world.end());

  const section = async (name: (typeof SECTIONS)[number]): Promise<void> => {
    await admin.page.getByRole('navigation', { name: 'Manage' }).getByRole('link', { name }).click();
    await admin.main.getByRole('heading', { level: 1, name }).waitFor();
    await admin.shown();
  };
  const dialog = (): Locator => admin.page.getByRole('dialog');
  const look = async (what: string, colorScheme: 'light' | 'dark'): Promise<void> => {
    await admin.page.emulateMedia({ colorScheme });
    faults.push(...(await admin.faultsAsShown()).map((fault) => `${what}, ${colorScheme}: ${fault}`));
  };
  /** Fills in the open dialog and sends it. */
  const fill = async (fields: Readonly<Record<string, string>>, submit: string): Promise<void> => {
    for (const [label, value] of Object.entries(fields)) await dialog().getByLabel(label).first().fill(value);
    await dialog().getByRole('button', { name: submit, exact: true }).click();
  };
  const row = (title: string, name: string | RegExp): Locator =>
    admin.main.getByRole('region', { name: title, exact: true }).getByRole('row').filter({ hasText: name });

  /** Asks the management API about the tags of a song. */
  const tagsCall = (song: KnownSong | undefined, path: string, request: RequestInit): Promise<unknown> => {
    const headers = { authorization: `Bearer ${administrator.apiKey}`, 'content-type': 'application/json' };
    return world.journey.json(`/manage/v1/songs/${song?.id ?? ''}/${path}`, {}, { headers, ...request });
  };
  const tagsOf = (song: KnownSong | undefined): Promise<unknown> => tagsCall(song, 'tags', {});
  const writeTags = (song: KnownSong | undefined, tags: object): Promise<unknown> =>
    tagsCall(song, 'tag-writes', { method: 'POST', body: JSON.stringify(tags) });

  it('adds a catalog, whose songs appear while the page is open, and removes it', async () => {
    const folder = join(world.journey.folder, 'more');
    await generateFiles({ out: folder, count: MORE_SONGS, formats: ['mp3'], seed: 21, flat: false });
    await admin.page.getByRole('link', { name: 'Manage' }).click();
    await admin.main.getByRole('button', { name: 'Add a catalog' }).click();
    await fill({ Name: 'Attic', Path: join(folder, 'not there') }, 'Add');
    // What was refused is said in the dialog, and nothing that was typed is lost.
    expect(await dialog().getByRole('alert').innerText()).toMatch(/folder|path/i);
    await fill({ Path: folder }, 'Add');
    await dialog().waitFor({ state: 'detached' });
    await expect.poll(() => row('Catalogs', 'Attic').innerText()).toMatch(new RegExp(`\\t${MORE_SONGS}\\t`));
    await expect.poll(() => row('Scans', 'Attic').innerText()).toContain('done');

    await row('Catalogs', 'Attic').getByRole('button', { name: 'Delete Attic' }).click();
    await dialog().getByRole('button', { name: 'Delete Attic' }).click();
    await row('Catalogs', 'Attic').waitFor({ state: 'detached' });
    await section('Audit trail');
    await expect.poll(() => row('Who did what', 'CatalogRemoved').count()).toBe(1);
  });

  it('shows files that a scan left out, finds some of them, and reads them again', async () => {
    const broken = join(world.journey.music, 'broken');
    await mkdir(broken);
    for (const name of ['worn.mp3', 'torn.mp3']) await writeFile(join(broken, name), 'no music');
    await world.journey.scan();
    await section('Care');
    await row('Files that scans left out', '2 files: holds no media').waitFor();
    await section('Libraries');
    const shown = admin.main
      .getByRole('region', { name: /^Files of .* that were left out$/ })
      .locator('tbody')
      .getByRole('row');
    await admin.main.getByRole('link', { name: /^Show: Files of / }).click();
    await expect.poll(() => shown.count()).toBe(2);
    await look('files that were left out', 'dark');
    await admin.main.getByRole('searchbox', { name: 'Find' }).fill('TORN');
    await expect.poll(() => shown.allInnerTexts()).toEqual([expect.stringContaining('broken/torn.mp3')]);
    const [song = ''] = (await readdir(world.journey.music, { recursive: true })).filter(
      (path) => path.endsWith('.mp3') && !path.includes('broken'),
    );
    await copyFile(join(world.journey.music, song), join(broken, 'torn.mp3'));
    await shown.getByRole('button', { name: 'Read broken/torn.mp3 again' }).click();
    await admin.page.getByRole('status').getByText('One file was read again.').waitFor();
    await admin.main.getByText('Nothing was found.').waitFor();
    await admin.main.getByRole('searchbox', { name: 'Find' }).fill('');
    await expect.poll(() => shown.count()).toBe(1);
    await rm(join(broken, 'worn.mp3'));
    await admin.main.getByRole('button', { name: 'Read all shown again' }).click();
    await admin.main.getByText('Scans left nothing out.').waitFor();
    await section('Audit trail');
    await expect.poll(() => row('Who did what', 'performPathTasks').count()).toBe(2);
    await rm(broken, { recursive: true });
    await world.journey.scan();
  });

  it('tells what starts scans, how people sign up, and who is let in from an address', async () => {
    await section('Libraries');
    expect(await row('Scans that start by themselves', 'SCAN_WATCH').innerText()).toContain('false');
    await section('People');
    expect(await row('How people sign up and sign in', 'ALLOW_PUBLIC_REGISTRATION').first().innerText()).toContain('false');
    expect(await row('How people sign up and sign in', 'OIDC_ISSUER').innerText()).toContain('none');
    await section('Access');
    await row('Who is let in from your own address', administrator.name).waitFor();
    await admin.main.getByLabel('Address of a client').fill('home');
    await admin.main.getByRole('button', { name: 'Ask' }).click();
    await admin.main.getByRole('alert').getByText('address').waitFor();
    await admin.main.getByLabel('Address of a client').fill('198.51.100.7');
    await admin.main.getByRole('button', { name: 'Ask' }).click();
    await row('Who is let in from 198.51.100.7', administrator.name).waitFor();
  });

  it('lets a catalog be watched by its own choice, and refuses a schedule that is none', async () => {
    await section('Libraries');
    const choose = async (watched: string, schedule: string): Promise<void> => {
      await admin.main
        .getByRole('region', { name: 'Catalogs' })
        .getByRole('button', { name: /^Change / })
        .click();
      await dialog().getByLabel('Watch for changes').selectOption(watched);
      await dialog().getByLabel('Scheduled scans').selectOption(schedule);
    };
    await choose('yes', 'own schedule');
    await look('the choices of a catalog', 'dark');
    await fill({ 'Cron expression': 'sometimes' }, 'Save');
    await dialog().getByRole('alert').getByText('this is no cron expression').waitFor();
    await fill({ 'Cron expression': '0 4 * * *' }, 'Save');
    await dialog().waitFor({ state: 'detached' });
    const before = (await world.songs()).length;
    const [song = ''] = (await readdir(world.journey.music, { recursive: true })).filter((path) => path.endsWith('.mp3'));
    const copy = join(world.journey.music, 'watched.mp3');
    await copyFile(join(world.journey.music, song), copy);
    const songs = async (): Promise<number> => (await world.songs()).length;
    await expect.poll(songs, { timeout: 40_000 }).toBe(before + 1);
    await rm(copy);
    await expect.poll(songs, { timeout: 40_000 }).toBe(before);
    await choose('default of the server', 'default of the server');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().waitFor({ state: 'detached' });
  });

  it('issues a key that opens the API, and revokes it', async () => {
    await section('People');
    await admin.main.getByRole('button', { name: 'Issue a key' }).click();
    await dialog().getByLabel('May').selectOption('look at the management');
    await fill({ Name: 'Dashboard' }, 'Add');
    const key = await dialog().getByLabel('Copy it now').first().inputValue();
    await dialog().getByRole('button', { name: 'Close' }).click();
    const asked = (): Promise<number> =>
      fetch(`${world.url}/manage/v1/catalogs`, { headers: { authorization: `Bearer ${key}` } }).then(({ status }) => status);
    expect(await asked()).toBe(200);
    await row('Keys for programs', 'Dashboard').getByRole('button').click();
    await dialog().getByRole('button', { name: 'Revoke' }).click();
    await row('Keys for programs', 'Dashboard').waitFor({ state: 'detached' });
    expect(await asked()).toBe(401);
  });

  it('is nothing that a user sees or loads', async () => {
    await section('People');
    await admin.main.getByRole('button', { name: 'Add an account' }).click();
    await fill({ 'User name': 'ada', Password: 'difference engine' }, 'Add');
    await row('Accounts', 'ada').waitFor();
    const ada = await world.visit();
    await ada.open('/manage/people');
    await ada.signIn('ada', 'difference engine');
    await ada.main.getByRole('heading', { name: 'There is nothing at this address.' }).waitFor();
    expect(await ada.page.getByRole('link', { name: 'Manage' }).count()).toBe(0);
    expect(ada.tab.requests.filter((url) => url.includes('manage'))).toEqual([]);
    await ada.leave();
  });

  it('invites somebody by a link, shows what they see and where they are signed in, and ends a session', async () => {
    await section('People');
    await admin.main.getByRole('button', { name: 'Add an account' }).click();
    await fill({ 'User name': 'grace' }, 'Add');
    const link = await dialog().getByLabel('Copy it now').first().inputValue();
    await look('an invitation', 'light');
    await dialog().getByRole('button', { name: 'Close' }).click();
    const grace = await world.visit();
    await grace.page.goto(link);
    for (const field of ['password', 'again']) await grace.page.fill(`input[name=${field}]`, 'a compiler of my own');
    await grace.page.getByRole('button', { name: 'Begin' }).click();
    await grace.page.getByRole('navigation', { name: 'Main' }).waitFor();

    await row('Accounts', 'grace').getByRole('link').click();
    await row('Catalogs that grace sees', /\d/).first().waitFor();
    await look('an account', 'dark');
    const signedIn = row('Where grace is signed in', 'web page');
    await expect.poll(() => signedIn.count()).toBe(1);
    await signedIn.getByRole('button', { name: /^End the session of / }).click();
    await signedIn.waitFor({ state: 'detached' });
    await grace.page.reload();
    await grace.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await grace.leave();
    await section('Audit trail');
    await expect.poll(() => row('Who did what', 'endSession').count()).toBe(1);
  });

  it('finds a setting by what it means', async () => {
    await section('Settings');
    await admin.main.getByRole('searchbox', { name: 'Find' }).fill('into music files');
    await expect.poll(() => row('Settings in force', 'WRITE_TAGS').count()).toBeGreaterThan(0);
    expect(await row('Settings in force', 'WRITE_TAGS').first().innerText()).toContain('environment');
    expect(await row('Settings in force', 'BACKUP_FOLDER').count()).toBe(0);
  });

  describe('with a server elsewhere', () => {
    const told: string[] = [];
    let status = 204;
    let elsewhere: Server;
    beforeAll(async () => {
      elsewhere = createServer((request, response) => {
        told.push(String(request.headers['user-agent']));
        response.writeHead(status).end(status === 204 ? undefined : 'no bulb');
      });
      await new Promise<void>((resolve) => void elsewhere.listen(0, '127.0.0.1', resolve));
    });
    afterAll(() => new Promise((resolve) => elsewhere.close(resolve)));

    it('adds a webhook, tests it and shows what was delivered', async () => {
      await section('Integrations');
      await admin.main.getByRole('button', { name: 'Add a webhook' }).click();
      const url = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/hook`;
      await fill({ Name: 'Lamp', Address: url, Events: 'scan.*' }, 'Add');
      await dialog().getByRole('button', { name: 'Close' }).click();
      await row('Webhooks', 'Lamp').getByRole('button', { name: 'Send Lamp a test' }).click();
      await admin.page.getByRole('status').getByText('Answer: 204').waitFor();
      expect(told).toHaveLength(1);
      await section('Libraries');
      await admin.main.getByRole('button', { name: /^Scan / }).click();
      await expect.poll(() => told.length).toBeGreaterThan(1);
      await section('Integrations');
      await admin.main.getByRole('link', { name: 'Deliveries of Lamp' }).click();
      await expect.poll(() => row('Deliveries of Lamp', 'scan.finished').innerText()).toContain('delivered');
      await row('Deliveries of Lamp', 'scan.finished').getByRole('button', { name: 'Look at scan.finished' }).click();
      await dialog().getByText('"type": "scan.finished"').waitFor();
      await look('a delivery', 'light');
      await dialog().getByRole('button', { name: 'Close' }).click();
    });

    it('shows deliveries that fail while it is open, and sends them again', async () => {
      status = 500;
      const given = row('Deliveries of Lamp', 'given up');
      await world.journey.scan();
      await given.first().waitFor();
      expect(await given.first().innerText()).toContain('500');
      await given
        .first()
        .getByRole('button', { name: /^Look at / })
        .click();
      await dialog().getByText('no bulb').waitFor();
      await dialog().getByRole('button', { name: 'Close' }).click();
      status = 204;
      await section('Integrations');
      // With a single attempt each it has failed too often, and was switched off.
      await row('Webhooks', 'Lamp').getByRole('button', { name: 'Switch on Lamp' }).click();
      await row('Webhooks', 'Lamp').getByRole('button', { name: 'Switch off Lamp' }).waitFor();
      await row('Webhooks', 'Lamp').getByRole('button', { name: 'Send Lamp again what was put aside' }).click();
      await admin.main.getByRole('link', { name: 'Deliveries of Lamp' }).click();
      await expect.poll(() => given.count()).toBe(0);
    });
  });

  it('shows what flows from the log to the tables, and how the last day was', async () => {
    await section('Inside');
    const flow = admin.main.getByRole('region', { name: 'From the log to the tables' });
    const branch = flow.getByRole('listitem').filter({ hasText: /^library-catalogue/ });
    await expect.poll(() => branch.innerText()).toContain('up to date');
    await world.journey.scan();
    await expect.poll(() => flow.innerText()).toContain('a second');
    const load = admin.main.getByRole('region', { name: 'The last day' });
    await expect.poll(() => load.getByRole('figure').allInnerTexts()).toHaveLength(6);
    expect(await load.innerText()).toMatch(/Memory\s+now [\d.]+ .B/);
  });

  it('says on every view when what it shows is older than what has happened', async () => {
    const watcher = await world.visit();
    const state = { name: 'behind' };
    await watcher.page.route('**/events', (route) =>
      route.fulfill({
        contentType: 'text/event-stream',
        body: `retry: 200\n\nevent: ready\ndata: {}\n\nevent: ${state.name}\ndata: {}\n\n`,
      }),
    );
    await watcher.open('/');
    await watcher.signIn();
    const notice = watcher.page.getByText('The server is catching up');
    await notice.waitFor();
    await watcher.turnTo('/songs');
    await watcher.shown();
    await notice.waitFor();
    state.name = 'current';
    await notice.waitFor({ state: 'detached' });
    await watcher.leave();
  });

  it('shows a projection that is built anew, while it is open', async () => {
    await section('Inside');
    expect(await admin.main.getByRole('link', { name: 'Dashboards in Grafana' }).getAttribute('href')).toBe(GRAFANA);
    await row('Projections', 'smartlists')
      .getByRole('button', { name: /^Build .* anew$/ })
      .click();
    await expect.poll(() => row('Rebuilds', 'smartlists').first().innerText()).toContain('done');
  });

  it('finds files that sound the same and albums that tags have split, and mends them', async () => {
    const torn = join(world.journey.music, 'Torn');
    await makeJoinedAlbum(torn, { album: 'Torn', parts: 2, seconds: 1 });
    await copyFile(join(torn, 'Torn 1.flac'), join(torn, 'Again.flac'));
    await world.journey.scan();
    const other = (await world.songs()).find(({ title }) => title === 'Torn 2');
    await writeTags(other, { albumArtists: ['Somebody else'] });
    await admin.turnTo('/manage');
    await section('Care');
    const split = row('Albums that tags have split', 'Torn');
    await split.getByText('Somebody else').waitFor();
    await split.getByRole('button', { name: 'Make one album of Torn' }).click();
    await dialog().getByLabel('Artist of the album').selectOption('One tone');
    await dialog().getByRole('button', { name: 'Write the tags' }).click();
    await split.waitFor({ state: 'detached' });

    const same = row('Songs that sound the same', 'Torn');
    await same.getByRole('button', { name: 'Delete the file Torn/Again.flac' }).click();
    await dialog().getByRole('button', { name: 'Delete the file' }).click();
    await same.waitFor({ state: 'detached' });
    expect(existsSync(join(torn, 'Again.flac'))).toBe(false);
    expect((await world.songs()).filter(({ album }) => album.name === 'Torn')).toHaveLength(2);
    expect(new Set((await world.songs()).filter(({ album }) => album.name === 'Torn').map(({ album }) => album.id)).size).toBe(1);
    await section('Audit trail');
    await expect.poll(() => row('Who did what', 'writeSongTags').count()).toBeGreaterThan(0);
  });

  it('makes one artist of two whose names differ little, and takes that back', async () => {
    await makeJoinedAlbum(join(world.journey.music, 'Salt'), { album: 'Salt', parts: 2, seconds: 1 });
    await world.journey.scan();
    const [one, other] = (await world.songs()).filter(({ album }) => album.name === 'Salt');
    await writeTags(one, { artists: ['Salt & Sea', 'Nia'], albumArtists: ['Salt & Sea'] });
    await writeTags(other, { artists: ['Salt and Sea'], albumArtists: ['Salt & Sea', 'Nia'], composers: ['Salt and Sea'] });
    await admin.turnTo('/manage');
    await section('Care');
    const found = row('Artists that are probably one', 'Salt & Sea');
    await found.getByText('Salt and Sea').waitFor();
    expect(await admin.faults()).toEqual([]);
    await found.getByRole('button', { name: 'Make one artist of Salt & Sea' }).click();
    await dialog().getByLabel('Name of the artist').selectOption('Salt & Sea');
    await dialog().getByRole('button', { name: 'Write the tags' }).click();
    await found.waitFor({ state: 'detached' });
    expect(await tagsOf(one)).toMatchObject({ artists: ['Salt & Sea', 'Nia'], albumArtists: ['Salt & Sea'] });
    expect(await tagsOf(other)).toMatchObject({ artists: ['Salt & Sea'], albumArtists: ['Salt & Sea', 'Nia'], composers: ['Salt & Sea'] });

    await admin.main.getByText('Tags of 1 file were written for Salt & Sea.').waitFor();
    await admin.main.getByRole('button', { name: 'Write the tags of before again' }).click();
    await found.waitFor();
    expect(await tagsOf(other)).toMatchObject({ artists: ['Salt and Sea'], composers: ['Salt and Sea'] });
  });

  it('has no fault that axe finds, in both themes, and fits a phone', async () => {
    // All sections are made of the same parts: each is looked at in one of the themes.
    for (const [at, name] of someOf(SECTIONS, FEW_SECTIONS).entries()) {
      await section(name);
      await look(name, at % 2 === 0 ? 'light' : 'dark');
    }
    await section('Libraries');
    await admin.main.getByRole('button', { name: 'Add a catalog' }).click();
    faults.push(...(await admin.faults()).map((fault) => `the dialog: ${fault}`));
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await admin.page.setViewportSize({ width: 390, height: 844 });
    for (const name of SECTIONS) {
      await section(name);
      if (!(await admin.page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')))
        faults.push(`${name} is wider than a phone`);
    }
    expect(faults).toEqual([]);
    const refused = /status of 401|status of 4\d\d.*manage\/v1\/(?:catalogs|admissions)|address: Invalid input|\/favicon\.ico/;
    expect(admin.complaints(refused)).toEqual([]);
    expect(admin.elsewhere()).toEqual([]);
  });
});
