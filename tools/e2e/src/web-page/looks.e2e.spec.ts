import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../browser.js';
import { WebPageWorld, type KnownSong, type Listener } from './listener.js';

/** Writes the page from right to left in Hebrew letters: a language that nobody reads, but that shows what has a fixed side. */
const PSEUDO = `{
  const letters = 'אבגדהוזחטיכלמנסעפצקרשת';
  const translated = (text) => text.replace(/[a-z]/gi, (letter) => letters[letter.toLowerCase().charCodeAt(0) % letters.length]);
  const translate = (node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      const text = translated(node.nodeValue);
      if (text !== node.nodeValue) node.nodeValue = text;
    } else for (const child of node.childNodes) translate(child);
  };
  document.documentElement.dir = 'rtl';
  translate(document.body);
  new MutationObserver((changes) => changes.forEach(({ target }) => translate(target))).observe(document.body, { subtree: true, childList: true, characterData: true });
}`;

describe.skipIf(chromiumPath === undefined)('how the web page looks', () => {
  let world: WebPageWorld;
  let song: KnownSong;
  beforeAll(async () => {
    world = await WebPageWorld.start();
    const [first] = await world.songs();
    if (!first) throw new Error('there is no song');
    song = first;
  });
  afterAll(() => world.end());

  const views = (): readonly string[] => ['/', '/albums', `/albums/${song.album.id}`, '/songs', '/playlists', '/smartlists/new', '/people'];
  const isWithin = ({ page }: Listener): Promise<boolean> => page.evaluate('document.documentElement.scrollWidth <= innerWidth');
  /** Colour behind everything. */
  const ground = ({ page }: Listener): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor');

  it('is chosen: a theme against that of the system, and high contrast, which the page keeps', async () => {
    const listener = await world.signedIn({ colorScheme: 'light' });
    const { page } = listener;
    await page.getByRole('button', { name: 'Looks' }).click();
    const dialog = page.getByRole('dialog', { name: 'Looks' });
    await dialog.getByRole('button', { name: 'Dark' }).click();
    await expect.poll(() => ground(listener)).toBe('rgb(19, 20, 24)');
    await dialog.getByRole('button', { name: 'High' }).click();
    await expect.poll(() => ground(listener)).toBe('rgb(0, 0, 0)');
    await page.keyboard.press('Escape');
    await listener.open('/');
    await listener.shown();
    await expect.poll(() => ground(listener)).toBe('rgb(0, 0, 0)');
    for (const view of views()) {
      await listener.turnTo(view);
      await listener.shown();
      expect([view, await listener.faultsAsShown()]).toEqual([view, []]);
    }
    await listener.leave();
  });

  it('shows the columns of songs that somebody chose, the next time as well', async () => {
    const listener = await world.signedIn();
    const { page, main } = listener;
    const names = (): Promise<string[]> => main.getByRole('columnheader').allInnerTexts();
    await listener.turnTo('/songs');
    await main.getByRole('button', { name: 'Columns' }).click();
    const dialog = page.getByRole('dialog', { name: 'Columns' });
    await dialog.getByLabel('Artist').uncheck();
    await dialog.getByLabel('Year').check();
    expect(await listener.faultsAsShown()).toEqual([]);
    await page.keyboard.press('Escape');
    await listener.open('/songs');
    await listener.shown();
    await expect.poll(names).toContain('Year');
    expect(await names()).not.toContain('Artist');
    await listener.leave();
  });

  it('has high contrast for those whose system asks for it', async () => {
    const listener = await world.signedIn({ colorScheme: 'light', contrast: 'more' });
    await expect.poll(() => ground(listener)).toBe('rgb(255, 255, 255)');
    await listener.leave();
  });

  it.each([1280, 390])('runs from right to left, %i pixels wide: the navigation begins there, and nothing stands out', async (width) => {
    const listener = await world.signedIn({ width });
    const { page } = listener;
    await page.evaluate(PSEUDO);
    for (const view of views()) {
      await listener.turnTo(view);
      await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
      expect([view, await isWithin(listener)]).toEqual([view, true]);
    }
    const [first] = await page.getByRole('navigation').getByRole('link').all();
    const box = await first?.boundingBox();
    expect(box && box.x + box.width / 2).toBeGreaterThan(width / 2);
    await listener.turnTo('/albums');
    const cards = page.getByRole('main').locator('[role=gridcell] [data-focus]');
    await cards.first().focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => cards.nth(1).evaluate((card) => card.ownerDocument.activeElement === card)).toBe(true);
    await listener.leave();
  });
});
