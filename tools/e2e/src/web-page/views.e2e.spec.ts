import { someOf } from '@continuo/local-servers/test-form';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../browser.js';
import { LONG, WebPageWorld, type KnownSong, type Listener } from './listener.js';

/** Views of each kind of look that the short form takes; axe needs some seconds for one. */
const FEW_VIEWS = 6;

it.skipIf(chromiumPath !== undefined)('is NOT looked at in a browser: there is no Chromium on this machine', () => undefined);

describe.skipIf(chromiumPath === undefined)('the views of the web page', () => {
  let world: WebPageWorld;
  let song: KnownSong;
  beforeAll(async () => {
    world = await WebPageWorld.start();
    const found = (await world.songs()).find(({ title }) => title !== LONG.title);
    if (!found) throw new Error('there is no song');
    song = found;
  });
  afterAll(() => world.end());

  /** Addresses of all views: those that the page itself leads to, and those of one album and the like. */
  const viewsOf = async (listener: Listener): Promise<readonly string[]> => {
    const places = new Set(['/', '/library', '/nothing/here', `/search?words=${encodeURIComponent(song.title)}`]);
    places.add(`/albums/${song.album.id}`).add(`/artists/${song.artist.id}`);
    for (const place of ['/', '/library', '/genres', '/folders']) {
      await listener.open(place);
      await listener.shown();
      const links = await listener.page.locator('a[href*="#/"]').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
      // One of each kind: a list leads to many.
      for (const link of links) {
        const view = link.slice(link.indexOf('#') + 1);
        const kind = view.replace(/(?<=^\/\w+\/).*/, '');
        if (![...places].some((known) => known.replace(/(?<=^\/\w+\/).*/, '') === kind)) places.add(view);
      }
    }
    return [...places];
  };

  it.each([
    { colorScheme: 'light', rules: 'all' },
    { colorScheme: 'dark', rules: 'colours' },
  ] as const)('have no fault that axe finds, in the $colorScheme theme, and complain of nothing', async ({ colorScheme, rules }) => {
    const listener = await world.signedIn({ colorScheme });
    const faults: string[] = [];
    const views = await viewsOf(listener);
    expect(views.length).toBeGreaterThan(9);
    for (const view of someOf(views, FEW_VIEWS)) {
      await listener.open(view);
      await listener.shown();
      faults.push(...(await listener.faultsAsShown(rules)).map((fault) => `${view}: ${fault}`));
    }
    expect(faults).toEqual([]);
    expect(listener.complaints()).toEqual([]);
    expect(listener.elsewhere()).toEqual([]);
    await listener.leave();
  });

  it('fit a phone: nothing is wider than it, and the player can be reached', async () => {
    const listener = await world.signedIn({ width: 390, height: 844 });
    for (const view of someOf(await viewsOf(listener), FEW_VIEWS)) {
      await listener.open(view);
      await listener.shown();
      expect([view, await listener.page.evaluate('document.documentElement.scrollWidth <= innerWidth')]).toEqual([view, true]);
    }
    await listener.open(`/albums/${song.album.id}`);
    await listener.main.getByRole('button', { name: 'Play', exact: true }).tap();
    await expect.poll(() => listener.position()).toBeGreaterThan(0.2);
    await listener.player.getByRole('button', { name: 'Pause' }).tap();
    await expect.poll(() => listener.position()).toBeUndefined();
    await listener.leave();
  });

  it('need no mouse: an album is found, played and paused by keys alone', async () => {
    const listener = await world.signedIn();
    const { keyboard } = listener.page;
    /** Goes on to an element by the tabulator, as somebody does who sees where the focus is. */
    const reach = async (selector: string, key = 'Tab'): Promise<void> => {
      for (let step = 0; step < 60; step += 1) {
        if (await listener.page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)}) ?? false`)) return;
        await keyboard.press(key);
      }
      throw new Error(`the tabulator does not reach ${selector}`);
    };
    await reach('a[href$="#/search"]');
    await keyboard.press('Enter');
    await listener.main.getByRole('searchbox').waitFor();
    await reach('main input');
    await keyboard.type(song.album.name);
    await listener.main.getByRole('link', { name: song.album.name }).first().waitFor();
    await reach(`main a[href$="/albums/${song.album.id}"]`);
    const outline = await listener.page.evaluate(
      `(({ outlineStyle, outlineWidth, boxShadow }) => (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none')(getComputedStyle(document.activeElement))`,
    );
    expect(outline).toBe(true);
    await keyboard.press('Enter');
    const play = listener.main.getByRole('button', { name: 'Play', exact: true });
    await play.waitFor();
    await play.evaluate((element) => void element.setAttribute('data-wanted', ''));
    await reach('[data-wanted]');
    await keyboard.press('Enter');
    await expect.poll(() => listener.position()).toBeGreaterThan(0.2);
    await reach('[aria-label="Pause"]');
    await keyboard.press(' ');
    await expect.poll(() => listener.position()).toBeUndefined();
    await listener.leave();
  });
});
