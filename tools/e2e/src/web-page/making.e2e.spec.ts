import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../browser.js';
import { LONG, WebPageWorld, type KnownSong } from './listener.js';

it.skipIf(chromiumPath !== undefined)('is NOT looked at in a browser: there is no Chromium on this machine', () => undefined);

describe.skipIf(chromiumPath === undefined)('what people make on the web page', () => {
  let world: WebPageWorld;
  let song: KnownSong;
  beforeAll(async () => {
    world = await WebPageWorld.start();
    const found = (await world.songs()).find(({ title }) => title !== LONG.title);
    if (!found) throw new Error('there is no song');
    song = found;
  });
  afterAll(() => world.end());

  it('a smartlist is made of sentences, counted while it is edited, explains its songs, and is changed and deleted', async () => {
    const listener = await world.signedIn();
    const { page, main } = listener;
    await listener.turnTo('/playlists');
    await main.getByRole('button', { name: 'New smartlist' }).click();
    await main.getByLabel('Name of the smartlist').fill('By title');
    await main.getByLabel('Rule 1', { exact: true }).selectOption('title');
    await main.getByLabel('Comparison of rule 1').selectOption({ label: 'is “…”' });
    await main.getByLabel('Value of rule 1').fill(song.title);
    const found = main.getByRole('status');
    await expect.poll(() => found.textContent()).toContain(song.title);
    await main.getByRole('button', { name: 'Another rule' }).click();
    await main.getByLabel('Rule 2', { exact: true }).selectOption('title');
    await main.getByLabel('Comparison of rule 2').selectOption({ label: 'is “…”' });
    await main.getByLabel('Value of rule 2').fill(LONG.title);
    await expect.poll(() => found.textContent()).toBe('0 songs fulfil this.');
    await main.getByLabel('How the rules are joined').selectOption({ label: 'one of these rules' });
    await expect.poll(() => found.textContent()).toContain(LONG.title);
    expect(await listener.faults()).toEqual([]);
    await main.getByRole('button', { name: 'Save' }).click();
    await main.getByText(`Title is “${song.title}” or Title is “${LONG.title}”`).waitFor();
    const saved = page.waitForEvent('download');
    await main.getByRole('button', { name: 'Save as a playlist file' }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toBe('By title.m3u8');
    const entries = (await readFile(await file.path(), 'utf8')).split('\n').filter((line) => line.startsWith('#EXTINF'));
    expect(new Set(entries.map((line) => line.split(' - ')[1]))).toEqual(new Set([song.title, LONG.title]));
    await main.getByRole('button', { name: `More for ${LONG.title}` }).click();
    await page.getByRole('menuitem', { name: 'Why is it in this list?' }).click();
    const reasons = page.getByRole('dialog').getByRole('listitem');
    await expect.poll(() => reasons.count()).toBe(2);
    expect(await reasons.nth(0).getByRole('img', { name: 'Not fulfilled' }).count()).toBe(1);
    expect(await reasons.nth(1).getByRole('img', { name: 'Fulfilled', exact: true }).count()).toBe(1);
    expect(await listener.faults()).toEqual([]);
    await page.keyboard.press('Escape');
    await main.getByRole('button', { name: 'Change the smartlist' }).click();
    await main.getByRole('button', { name: 'Remove rule 1' }).click();
    await main.getByRole('button', { name: 'Save' }).click();
    await main.getByText(`Title is “${LONG.title}”`).waitFor();
    await expect.poll(() => main.getByRole('grid').getAttribute('aria-rowcount')).toBe('2');
    await main.getByRole('button', { name: 'Delete the playlist' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await main.getByRole('heading', { name: 'Playlists', level: 1 }).waitFor();
    await expect.poll(() => main.getByRole('link', { name: 'By title' }).count()).toBe(0);
    expect(listener.complaints()).toEqual([]);
    await listener.leave();
  });

  it('playlists are put into folders, which are renamed, moved and deleted', async () => {
    const listener = await world.signedIn();
    const { page, main } = listener;
    const dialog = page.getByRole('dialog');
    const submit = async (button: string): Promise<void> => {
      await dialog.getByRole('button', { name: button }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await listener.turnTo('/playlists');
    for (const name of ['Rock', 'Slow']) {
      await main.getByRole('button', { name: 'New folder' }).click();
      await dialog.getByLabel('Name of the folder').fill(name);
      await submit('Make');
      await main.getByRole('heading', { name, exact: true }).waitFor();
    }
    await main.getByRole('button', { name: 'New playlist' }).click();
    await dialog.getByLabel('Name of the playlist').fill('Evening');
    await submit('Make');
    await listener.turnTo('/playlists');
    await main.getByRole('button', { name: 'Put Evening into a folder' }).click();
    await dialog.getByLabel('In the folder').selectOption('Slow');
    expect(await listener.faults()).toEqual([]);
    await submit('Save');
    const folder = main.locator('section', { has: page.getByRole('heading', { name: /Slow/ }) });
    await folder.getByRole('link', { name: 'Evening' }).waitFor();
    await main.getByRole('button', { name: 'Change the folder Slow' }).click();
    await dialog.getByLabel('Name of the folder').fill('Slower');
    await dialog.getByLabel('In the folder').selectOption('Rock');
    await submit('Save');
    await main.getByRole('heading', { name: 'Rock › Slower' }).waitFor();
    expect(await main.getByRole('button', { name: /Delete the empty folder/ }).count()).toBe(0);
    expect(await listener.faults()).toEqual([]);
    await main.getByRole('button', { name: 'Put Evening into a folder' }).click();
    await dialog.getByLabel('In the folder').selectOption('In none');
    await submit('Save');
    for (const name of ['Slower', 'Rock']) await main.getByRole('button', { name: `Delete the empty folder ${name}` }).click();
    await main.getByRole('heading', { name: 'Rock', exact: true }).waitFor({ state: 'detached' });
    await main.getByRole('link', { name: 'Evening' }).waitFor();
    expect(listener.complaints()).toEqual([]);
    await listener.leave();
  });

  it('an album is shared from its menu; a stranger opens the address until the share ends', async () => {
    const listener = await world.signedIn();
    const { page, main } = listener;
    await listener.turnTo(`/albums/${song.album.id}`);
    await main.getByRole('button', { name: `More for ${song.album.name}` }).click();
    await page.getByRole('menuitem', { name: 'Share' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Description for who opens it').fill('For a stranger');
    await dialog.getByLabel('Days until it ends (0: never)').fill('7');
    expect(await listener.faults()).toEqual([]);
    await dialog.getByRole('button', { name: 'Make an address' }).click();
    const address = await dialog.getByRole('textbox', { name: `Address of ${song.album.name}` }).inputValue();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await dialog.getByRole('button', { name: `Copy the address of ${song.album.name}` }).click();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(address);
    await page.keyboard.press('Escape');

    const stranger = await world.visit();
    await stranger.page.goto(address);
    await stranger.page.getByText(song.title).first().waitFor();

    await listener.turnTo('/shares');
    const row = main.getByRole('listitem').filter({ hasText: song.album.name });
    await row.getByText('For a stranger').waitFor();
    await row.getByText('1 visit').waitFor();
    expect(await listener.faults()).toEqual([]);
    await row.getByRole('button', { name: `Change the share of “${song.album.name}”` }).click();
    await dialog.getByLabel('Days until it ends (0: never)').fill('0');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row.getByText('without end').waitFor();
    await row.getByRole('button', { name: `End the share of “${song.album.name}”` }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await main.getByText('Nothing is shared.').waitFor();
    expect((await stranger.page.goto(address))?.status()).toBe(404);
    expect(listener.complaints()).toEqual([]);
    await stranger.leave();
    await listener.leave();
  });

  it('the palette finds commands and songs and runs them; single keys do the same unless they are turned off', async () => {
    const listener = await world.signedIn();
    const { page, main, player } = listener;
    const palette = page.getByRole('dialog', { name: 'Commands' });
    const openPalette = async (): Promise<void> => {
      await page.keyboard.press('Control+k');
      await palette.getByRole('searchbox').waitFor();
    };
    await openPalette();
    await page.keyboard.type('genres');
    await palette.getByRole('menuitem', { name: 'Genres' }).waitFor();
    await page.keyboard.press('Enter');
    await main.getByRole('heading', { name: 'Genres', level: 1 }).waitFor();
    await openPalette();
    await page.keyboard.type(LONG.title);
    await palette.getByRole('menuitem', { name: `${LONG.title} – ` }).click();
    await expect.poll(() => listener.position()).toBeGreaterThan(0.2);
    await openPalette();
    await page.keyboard.type('pause');
    await palette.getByRole('menuitem', { name: 'Pause', exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => listener.position()).toBeUndefined();
    await page.keyboard.press('Control+k');
    await palette.getByRole('menuitem', { name: 'Play', exact: true }).waitFor();
    expect(await listener.faults()).toEqual([]);
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });

    await page.keyboard.press('r');
    await player.getByRole('button', { name: 'Repeat: all' }).waitFor();
    await openPalette();
    const keys = page.getByRole('dialog', { name: 'Keys' });
    // Keys that wait for a busy page are taken one after another, whatever the browser tells between them.
    const busy = page.evaluate('{ const end = performance.now() + 500; while (performance.now() < end); }');
    await Promise.all([busy, page.keyboard.press('Escape'), page.keyboard.press('?')]);
    await keys.getByText('Repeat: all').waitFor();
    expect(await listener.faults()).toEqual([]);
    await keys.getByLabel('Single keys run commands').uncheck();
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });
    await page.keyboard.press('l');
    expect(await page.getByRole('complementary', { name: 'Lyrics' }).count()).toBe(0);
    await openPalette();
    await page.keyboard.type('lyrics');
    await palette.getByRole('menuitem', { name: 'Lyrics', exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'Lyrics' }).waitFor();
    expect(listener.complaints()).toEqual([]);
    await listener.leave();
  });

  it('a position is bookmarked and gone on from; a song is asked for at the party, and the vote is taken back', async () => {
    const listener = await world.signedIn();
    const { page, main } = listener;
    await listener.turnTo('/songs?name=lasts');
    await main.getByRole('button', { name: LONG.title, exact: true }).click();
    await expect.poll(() => listener.position()).toBeGreaterThan(0.2);
    await listener.player.getByRole('slider', { name: 'Position' }).fill('31');
    await listener.player.getByRole('slider', { name: 'Position' }).blur();
    await expect.poll(() => listener.position()).toBeGreaterThan(30);
    await main.getByRole('button', { name: `More for ${LONG.title}` }).click();
    await page.getByRole('menuitem', { name: 'Bookmark this position' }).click();
    await page.getByText(`Bookmark in “${LONG.title}”`).waitFor();
    await listener.turnTo(`/albums/${song.album.id}`);
    await main.getByRole('button', { name: song.title, exact: true }).first().click();
    await expect.poll(() => listener.position()).toBeLessThan(10);
    await listener.turnTo('/bookmarks');
    await main.getByRole('button', { name: LONG.title }).first().click();
    await expect.poll(() => listener.position()).toBeGreaterThan(30);
    await main.getByRole('button', { name: `Delete the bookmark in ${LONG.title}` }).click();
    await main.getByText('There are no bookmarks.').waitFor();

    await listener.turnTo(`/albums/${song.album.id}`);
    await main.getByRole('button', { name: `More for ${song.title}`, exact: true }).click();
    await page.getByRole('menuitem', { name: 'Ask for it at the party' }).click();
    await page.getByText('You voted for it.').waitFor();
    await listener.turnTo('/party');
    await main.getByText('1 vote').waitFor();
    await main.getByRole('button', { name: `Take the vote for ${song.title} back` }).click();
    await main.getByText('Nobody has asked for a song.').waitFor();
    expect(listener.complaints()).toEqual([]);
    await listener.leave();
  });
});
