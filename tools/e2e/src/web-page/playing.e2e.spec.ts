import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../browser.js';
import { LONG, WebPageWorld, type KnownSong, type Listener } from './listener.js';

it.skipIf(chromiumPath !== undefined)('is NOT looked at in a browser: there is no Chromium on this machine', () => undefined);

describe.skipIf(chromiumPath === undefined)('playing on the web page', () => {
  let world: WebPageWorld;
  let songs: readonly KnownSong[];
  beforeAll(async () => {
    world = await WebPageWorld.start();
    songs = await world.songs();
  });
  afterAll(() => world.end());

  /** Songs of the album with the most, in their order. */
  const addToQueue = async (listener: Listener, title: string): Promise<void> => {
    const { main, page } = listener;
    await listener.turnTo(`/search?words=${encodeURIComponent(title)}`);
    await main
      .getByRole('button', { name: `More for ${title}` })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Add to the queue' }).click();
    await page.getByText('Added to the queue.').waitFor();
  };

  const album = (): readonly KnownSong[] => {
    const byAlbum = Map.groupBy(
      songs.filter(({ title }) => title !== LONG.title),
      (song) => song.album.id,
    );
    const [most = []] = [...byAlbum.values()].toSorted((a, b) => b.length - a.length);
    return most.toSorted((a, b) => a.track - b.track);
  };

  it('finds an album, plays its first song to the end and goes on with the next', async () => {
    const [first, second] = album();
    if (!first || !second) throw new Error('no album has two songs');
    const listener = await world.signedIn();
    await listener.page.getByRole('link', { name: 'Search' }).click();
    await listener.main.getByRole('searchbox').fill(first.album.name);
    await listener.main.getByRole('link', { name: first.album.name }).first().click();
    await listener.main.getByRole('button', { name: 'Play', exact: true }).click();
    await listener.player.getByRole('link', { name: first.title, exact: true }).waitFor();
    await expect.poll(() => listener.position()).toBeGreaterThan(0.5);
    const startedMs = Date.now() - ((await listener.position()) ?? 0) * 1000;
    await listener.player.getByRole('link', { name: second.title, exact: true }).waitFor();
    // All of it was heard, as far as whole seconds and a page that looks four times a second tell.
    expect(Date.now() - startedMs).toBeGreaterThan((first.time - 0.5) * 1000);
    await expect.poll(() => listener.position()).toBeGreaterThan(0.2);
    await listener.player.getByRole('button', { name: 'Pause' }).click();
    await expect.poll(() => listener.position()).toBeUndefined();
    expect(listener.complaints()).toEqual([]);
    expect(listener.elsewhere()).toEqual([]);
    await listener.leave();
  });

  it('keeps the queue and the position over a reload', async () => {
    const [other] = album();
    const listener = await world.signedIn();
    const { page, player } = listener;
    await listener.open(`/search?words=${encodeURIComponent(LONG.title)}`);
    await listener.main.getByRole('button', { name: LONG.title, exact: true }).click();
    await expect.poll(() => listener.position()).toBeGreaterThan(0.5);
    // While it stands still, only the keys can have moved it.
    await player.getByRole('button', { name: 'Pause' }).click();
    await expect.poll(() => listener.position()).toBeUndefined();
    const slider = player.getByRole('slider', { name: 'Position' });
    await slider.focus();
    for (let step = 0; step < 20; step += 1) await page.keyboard.press('ArrowRight');
    await expect.poll(async () => Number(await slider.inputValue())).toBeGreaterThan(18);
    await addToQueue(listener, other?.title ?? '');

    await page.reload();
    await player.getByRole('link', { name: LONG.title, exact: true }).waitFor();
    await player.getByRole('button', { name: 'Queue' }).click();
    await page
      .getByRole('complementary', { name: 'Queue' })
      .getByText(other?.title ?? '', { exact: true })
      .first()
      .waitFor();
    await player.getByRole('button', { name: 'Play', exact: true }).click();
    await expect.poll(() => listener.position()).toBeGreaterThan(18);
    expect(listener.complaints()).toEqual([]);
    await listener.leave();
  });

  it('goes on with other songs when the queue ends, if that is switched on', async () => {
    const listener = await world.signedIn();
    const { page, player } = listener;
    await listener.open(`/search?words=${encodeURIComponent(LONG.title)}`);
    // What the case before has left is taken up, unless something plays by then.
    await player.getByRole('link', { name: LONG.title, exact: true }).waitFor();
    await listener.main.getByRole('button', { name: LONG.title, exact: true }).click();
    await addToQueue(listener, album()[0]?.title ?? '');
    await player.getByRole('button', { name: 'Queue' }).click();
    const queue = page.getByRole('complementary', { name: 'Queue' });
    await queue.getByRole('button', { name: 'Clear' }).click();
    await queue.getByText('Nothing is next.').waitFor();
    await queue.getByRole('switch', { name: 'Go on with similar songs when the queue ends' }).click();
    const added = queue.getByRole('grid', { name: 'Up next' }).getByRole('row');
    await expect.poll(() => added.count()).toBe(5);
    await expect.poll(() => listener.position()).toBeGreaterThan(0.2);
    const slider = player.getByRole('slider', { name: 'Position' });
    await slider.fill(String(LONG.seconds - 1));
    await slider.blur();
    await player.getByRole('link', { name: LONG.title, exact: true }).waitFor({ state: 'detached' });
    await expect.poll(() => added.count()).toBe(4);
    await expect.poll(() => listener.position()).toBeGreaterThan(0.2);
    expect(listener.complaints()).toEqual([]);
    await listener.leave();
  });
});
