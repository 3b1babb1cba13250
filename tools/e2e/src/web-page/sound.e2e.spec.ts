import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../browser.js';
import { JOINED, LASTING, LONG, WebPageWorld, type Listener } from './listener.js';

it.skipIf(chromiumPath !== undefined)('is NOT looked at in a browser: there is no Chromium on this machine', () => undefined);

describe.skipIf(chromiumPath === undefined)('the sound of the web page', () => {
  let world: WebPageWorld;
  let listener: Listener;
  beforeAll(async () => {
    world = await WebPageWorld.start();
    listener = await world.signedIn();
  });
  afterAll(() => world.end());

  const playLong = async (): Promise<void> => {
    await listener.turnTo(`/search?words=${encodeURIComponent(LONG.title)}`);
    await listener.main.getByRole('button', { name: LONG.title, exact: true }).click();
    await expect.poll(() => listener.position()).toBeGreaterThan(0.5);
  };

  const playAlbum = async (album: string): Promise<void> => {
    await listener.turnTo(`/search?words=${encodeURIComponent(album)}`);
    await listener.main.getByRole('link', { name: album, exact: true }).first().click();
    await listener.main.getByRole('button', { name: 'Play', exact: true }).click();
    await listener.player.getByRole('link', { name: `${album} 1`, exact: true }).waitFor();
  };

  it('goes from one part of an album into the next without a silence, and without both at once', async () => {
    await listener.listen();
    await playAlbum(JOINED.album);
    await listener.player.getByRole('link', { name: `${JOINED.album} 2`, exact: true }).waitFor();
    await expect.poll(() => listener.position(), { timeout: 8000 }).toBeUndefined();
    const { silencesMs, peak, soundS } = await listener.heard();
    expect(soundS).toBeGreaterThan(JOINED.parts * JOINED.seconds - 0.5);
    expect(silencesMs.filter((ms) => ms > 5)).toEqual([]);
    // The tone has 3/8 of the full scale; both parts at once would have twice that.
    expect(peak).toBeLessThan(0.45);
  });

  it('goes to a position in a song that is converted', async () => {
    await playLong();
    await listener.player.getByRole('button', { name: 'Sound' }).click();
    await listener.page.getByRole('combobox', { name: 'Quality' }).selectOption('mp3-128');
    await listener.page.keyboard.press('Escape');
    const slider = listener.player.getByRole('slider', { name: 'Position' });
    await slider.fill('40');
    await slider.blur();
    await expect.poll(() => listener.tab.requests.some((url) => url.includes('format=mp3') && url.includes('frame=40'))).toBe(true);
    await expect.poll(async () => Number(await slider.inputValue())).toBeGreaterThan(40);
    await expect.poll(() => listener.position()).toBeGreaterThan(0.5);
  });

  it('goes on from what is loaded while the server is away, and from the server when it is back', async () => {
    await listener.player.getByRole('button', { name: 'Sound' }).click();
    await listener.page.getByRole('combobox', { name: 'Quality' }).selectOption('original');
    await listener.page.keyboard.press('Escape');
    await listener.player.getByRole('button', { name: 'Pause' }).click();
    await playAlbum(LASTING.album);
    await expect.poll(() => listener.position()).toBeGreaterThan(1);
    await world.stopServer();
    const before = (await listener.position()) ?? 0;
    await expect.poll(() => listener.position()).toBeGreaterThan(before + 1);
    await world.startAgain();
    await playAlbum(JOINED.album);
    await expect.poll(() => listener.position()).toBeGreaterThan(0.5);
  });
});
