import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, until } from '../browser.js';
import { JOINED, LONG, WebPageWorld, type KnownSong, type Listener } from './listener.js';

it.skipIf(chromiumPath !== undefined)('is NOT looked at in a browser: there is no Chromium on this machine', () => undefined);

/** A page that a service worker serves. */
const CONTROLLED = 'navigator.serviceWorker.controller !== null';

describe.skipIf(chromiumPath === undefined)('the web page with its long lists and without its server', () => {
  let world: WebPageWorld;
  let joined: KnownSong;
  beforeAll(async () => {
    world = await WebPageWorld.start();
    const found = (await world.songs()).find(({ album }) => album.name === JOINED.album);
    if (!found) throw new Error(`there is no ${JOINED.album}`);
    joined = found;
  });
  afterAll(() => world.end());

  const choose = async (listener: Listener, menuOf: string): Promise<void> => {
    await listener.main.getByRole('button', { name: `More for ${menuOf}`, exact: true }).click();
    await listener.page.getByRole('menuitem', { name: 'Keep offline' }).click();
  };
  const row = (listener: Listener, text: string) => listener.main.getByRole('listitem').filter({ hasText: text });

  it('tells what is kept in a view without faults, and removes it', async () => {
    const listener = await world.signedIn();
    await until(listener.tab, CONTROLLED);
    await listener.turnTo(`/albums/${joined.album.id}`);
    await choose(listener, JOINED.album);
    await listener.page.getByText(`${JOINED.album} can be heard`).waitFor();
    await listener.turnTo('/offline');
    await listener.main.getByText(/kept on this device.*grants/).waitFor();
    expect(await listener.faults()).toEqual([]);
    await row(listener, JOINED.album)
      .getByRole('button', { name: `Remove ${JOINED.album}` })
      .click();
    await listener.main.getByText('Nothing is kept on this device.').waitFor();
    // Whose it is stays.
    expect(await listener.page.evaluate('caches.open("continuo-offline").then(async (cache) => (await cache.keys()).length)')).toBe(1);
    expect(listener.complaints()).toEqual([]);
    await listener.leave();
  });

  it('jumps to a letter of a long list, which is then the first in view', async () => {
    const listener = await world.signedIn({ height: 500 });
    await listener.open('/songs');
    const rail = listener.page.getByRole('navigation', { name: 'Jump in Songs' });
    await rail.waitFor();
    const letters = await rail.getByRole('button').allTextContents();
    expect(letters.length).toBeGreaterThan(3);
    expect(await listener.faultsAsShown()).toEqual([]);
    const titles = (await world.songs()).map(({ title }) => title);
    const letter = letters[1] ?? '';
    await rail.getByRole('button', { name: `To ${letter}`, exact: true }).click();
    const first = listener.main.locator('[data-row] [aria-label^="Select "]');
    const view = await listener.main.getByRole('columnheader', { name: 'Title' }).boundingBox();
    await expect
      .poll(async () => {
        const boxes = await Promise.all(
          (await first.all()).map(async (one) => ({ y: (await one.boundingBox())?.y ?? 0, name: await one.getAttribute('aria-label') })),
        );
        return boxes
          .filter(({ y }) => y > (view?.y ?? 0) + 20)
          .toSorted((one, other) => one.y - other.y)[0]
          ?.name?.slice('Select '.length);
      })
      .toBe(titles.toSorted((one, other) => one.localeCompare(other)).find((title) => title.startsWith(letter)));
    await listener.leave();
  });

  it('keeps nothing for who has signed out', async () => {
    const listener = await world.signedIn();
    await until(listener.tab, CONTROLLED);
    await listener.page.getByRole('button', { name: 'Sign out' }).click();
    await listener.page.getByText('You are signed out.').waitFor();
    expect(await listener.page.evaluate('caches.has("continuo-offline")')).toBe(false);
    await listener.leave();
  });

  it('opens, and plays the album and the song that were kept, until the server is there again', async () => {
    const listener = await world.signedIn();
    await until(listener.tab, CONTROLLED);
    await listener.turnTo(`/albums/${joined.album.id}`);
    await choose(listener, JOINED.album);
    await listener.page.getByText(`${JOINED.album} can be heard without the server now.`).waitFor();
    await listener.turnTo(`/search?words=${encodeURIComponent(LONG.title)}`);
    await choose(listener, LONG.title);
    await listener.page.getByText('1 song can be heard without the server now.').waitFor();

    await world.stopServer();
    await listener.open('/');
    await listener.main.getByRole('link', { name: 'What is kept on this device' }).first().click();
    await row(listener, JOINED.album).getByText(`${JOINED.parts} songs`).waitFor();
    await listener.main.getByRole('link', { name: 'Songs' }).click();
    await listener.main.getByRole('button', { name: LONG.title, exact: true }).click();
    await expect.poll(() => listener.position()).toBeGreaterThan(0.3);
    await listener.player.getByRole('slider', { name: 'Position' }).press('End');
    await listener.turnTo('/offline');
    await listener.main.getByRole('link', { name: JOINED.album }).click();
    await listener.main.getByRole('button', { name: 'Play', exact: true }).click();
    await expect.poll(() => listener.position()).toBeGreaterThan(0.3);
    // Into the second part, and over a reload of the page.
    await listener.player
      .getByText(new RegExp(`${JOINED.album}.*2`))
      .first()
      .waitFor();
    await listener.open('/offline');
    await listener.player.getByRole('button', { name: 'Play', exact: true }).click();
    await expect.poll(() => listener.position()).toBeGreaterThan(0.3);

    await world.startAgain();
    await listener.open('/albums');
    await listener.main.getByRole('link', { name: JOINED.album }).first().waitFor();
    await listener.leave();
  });
});
