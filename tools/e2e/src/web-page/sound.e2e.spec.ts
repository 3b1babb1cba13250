import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeJoinedAlbum, makeTone } from '@continuo/media-fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../browser.js';
import { JOINED, JOINED_MP3, LASTING, LONG, WebPageWorld, type Listener } from './listener.js';

/** A busy machine may not decode in time for a few of the 3 ms that a sound card takes at once; that is shorter than this. */
const UNDERRUN_MS = 20;

const isJoint = (beforeEndS: number, withinS = 0.1): boolean => Math.abs(beforeEndS - JOINED.seconds) < withinS;

/** An album whose second song does not tell what its encoder put before and after the sound. */
const UNTOLD = { ...JOINED_MP3, album: 'Untold' } as const;

/** An album of files of many bit rates, in whose middle nothing tells which frame one is. */
const VARIABLE = { album: 'Variable rates', parts: 2, seconds: 240, format: 'mp3', encoding: ['-q:a', '2'] } as const;

/** Makes the tag that tells it that of an encoder nobody knows. */
const hideEncoder = async (path: string): Promise<void> => {
  const bytes = await readFile(path);
  bytes.write('none', bytes.indexOf('Lavc', bytes.indexOf('Info')), 'latin1');
  await writeFile(path, bytes);
};

/** More than a browser loads ahead. */
const MINUTES = { title: 'A tone of minutes', seconds: 240 } as const;

it.skipIf(chromiumPath !== undefined)('is NOT looked at in a browser: there is no Chromium on this machine', () => undefined);

describe.skipIf(chromiumPath === undefined)('the sound of the web page', () => {
  let world: WebPageWorld;
  let listener: Listener;
  beforeAll(async () => {
    world = await WebPageWorld.start();
    const { music } = world.journey;
    await makeTone(music, MINUTES.title, MINUTES.seconds);
    await makeJoinedAlbum(music, UNTOLD);
    await hideEncoder(join(music, `${UNTOLD.album} 2.mp3`));
    await makeJoinedAlbum(music, VARIABLE);
    await world.journey.scan();
    listener = await world.signedIn();
  });
  afterAll(() => world.end());

  const playTone = async (title: string): Promise<void> => {
    await listener.turnTo(`/search?words=${encodeURIComponent(title)}`);
    await listener.main.getByRole('button', { name: title, exact: true }).click();
    await expect.poll(() => listener.position()).toBeGreaterThan(0.5);
  };

  const playAlbum = async (album: string): Promise<void> => {
    await listener.turnTo(`/search?words=${encodeURIComponent(album)}`);
    await listener.main.getByRole('link', { name: album, exact: true }).first().click();
    await listener.main.getByRole('button', { name: 'Play', exact: true }).click();
    await listener.player.getByRole('link', { name: `${album} 1`, exact: true }).waitFor();
  };

  const playIn = async (quality: string): Promise<void> => {
    await listener.player.getByRole('button', { name: 'Sound' }).click();
    await listener.page.getByRole('combobox', { name: 'Quality' }).selectOption(quality);
    await listener.page.keyboard.press('Escape');
    await listener.page.getByRole('combobox', { name: 'Quality' }).waitFor({ state: 'detached' });
  };

  const slider = () => listener.player.getByRole('slider', { name: 'Position' });
  const shownS = async (): Promise<number> => Number(await slider().inputValue());
  const goTo = async (seconds: number): Promise<void> => {
    await slider().fill(String(seconds));
    await slider().blur();
  };

  it.each([JOINED, JOINED_MP3])(
    'goes from one part of an album into the next without a silence, and without both at once: $album',
    async ({ album }) => {
      await listener.leave();
      listener = await world.signedIn();
      await listener.listen();
      await playAlbum(album);
      await listener.player.getByRole('link', { name: `${album} 2`, exact: true }).waitFor();
      await expect.poll(() => listener.position(), { timeout: 8000 }).toBeUndefined();
      const { silences, peak, soundS } = await listener.heard();
      expect(soundS).toBeGreaterThan(JOINED.parts * JOINED.seconds - 0.5);
      expect(silences.filter(({ ms, beforeEndS }) => ms > (isJoint(beforeEndS) ? 5 : UNDERRUN_MS))).toEqual([]);
      // The tone has 3/8 of the full scale; both parts at once would have twice that.
      expect(peak).toBeLessThan(0.45);
    },
  );

  it('plays a song to its end before one that cannot be joined to it', async () => {
    await listener.leave();
    listener = await world.signedIn();
    await listener.listen();
    await playAlbum(UNTOLD.album);
    await listener.player.getByRole('link', { name: `${UNTOLD.album} 2`, exact: true }).waitFor();
    await expect.poll(() => listener.position(), { timeout: 8000 }).toBeUndefined();
    const { silences, peak, soundS } = await listener.heard();
    expect(soundS).toBeGreaterThan(UNTOLD.parts * UNTOLD.seconds - 0.5);
    // The recorder takes in the second element some time after it has begun.
    expect(silences.filter(({ ms, beforeEndS }) => ms > UNDERRUN_MS && !isJoint(beforeEndS, 0.5))).toEqual([]);
    expect(peak).toBeLessThan(0.45);
    expect(listener.complaints().filter((text) => text.includes('Error'))).toEqual([]);
  });

  it('goes to a position in a song of many bit rates, and from there into the next', async () => {
    const devTools = await listener.page.context().newCDPSession(listener.page);
    const load = (bytesPerSecond: number): Promise<unknown> =>
      devTools.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 0,
        downloadThroughput: bytesPerSecond,
        uploadThroughput: bytesPerSecond,
      });
    // Slowly: on the spot all of it would be there.
    await load(150_000);
    await playAlbum(VARIABLE.album);
    await expect.poll(() => listener.position()).toBeGreaterThan(0.5);
    await goTo(236);
    await expect.poll(shownS).toBeGreaterThan(236);
    // The browser finds the place, not we.
    const address = (): Promise<unknown> => listener.page.evaluate(`[...window.sounds].find((one) => !one.paused)?.src ?? ''`);
    await expect.poll(address).toMatch(/^http/);
    await load(-1);
    await devTools.detach();
    await listener.player.getByRole('link', { name: `${VARIABLE.album} 2`, exact: true }).waitFor();
    await expect.poll(() => listener.position()).toBeGreaterThan(0.5);
    expect(listener.complaints().filter((text) => text.includes('Error'))).toEqual([]);
  });

  it('goes to a position in a song that is converted', async () => {
    await playTone(LONG.title);
    await playIn('mp3-128');
    await goTo(40);
    await expect.poll(() => listener.tab.requests.some((url) => url.includes('format=mp3') && url.includes('frame=40'))).toBe(true);
    await expect.poll(shownS).toBeGreaterThan(40);
    await expect.poll(() => listener.position()).toBeGreaterThan(0.5);
  });

  it('goes on from what is loaded while the server is away', async () => {
    await playIn('original');
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

  it.each(['original', 'mp3-320'])('says that the server is away, and goes on at the same second when it is back: %s', async (quality) => {
    await playIn(quality);
    await playTone(MINUTES.title);
    await world.stopServer();
    // Nothing of it is loaded.
    await goTo(180);
    await listener.player.getByText('The server does not answer.').waitFor({ timeout: 10_000 });
    expect(await shownS()).toBe(180);
    await world.startAgain();
    await expect.poll(async () => ((await listener.position()) === undefined ? 0 : shownS()), { timeout: 15_000 }).toBeGreaterThan(180);
    expect(await shownS()).toBeLessThan(185);
  });

  it('fades from one album into another, and joins parts of one that follow each other', async () => {
    await listener.leave();
    listener = await world.signedIn();
    await listener.listenToGraph();
    await listener.player.getByRole('button', { name: 'Sound' }).click();
    const fade = listener.page.getByRole('combobox', { name: 'Crossfade' });
    await fade.selectOption('2 seconds');
    await listener.page.keyboard.press('Escape');
    await fade.waitFor({ state: 'detached' });
    // In the order of their albums: the one without loss follows the joined one.
    await listener.turnTo('/songs?name=tone&order=album');
    await listener.main.getByRole('button', { name: `${JOINED.album} 1`, exact: true }).click();
    await listener.player.getByRole('link', { name: `${JOINED.album} 2`, exact: true }).waitFor();
    expect(await listener.sounding()).toBe(1);
    await listener.player.getByRole('link', { name: `${LASTING.album} 1`, exact: true }).waitFor();
    expect(await listener.sounding()).toBe(2);
    await expect.poll(() => listener.sounding()).toBe(1);
    await listener.player.getByRole('button', { name: 'Pause' }).click();
    const { silences, peak, soundS } = await listener.heard();
    expect(soundS).toBeGreaterThan(JOINED.parts * JOINED.seconds - 0.5);
    expect(silences.filter(({ ms }) => ms > UNDERRUN_MS)).toEqual([]);
    // Two tones of 3/8 at equal power.
    expect(peak).toBeLessThan(0.6);
  });
});
