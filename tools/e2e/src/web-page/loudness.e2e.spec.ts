import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../browser.js';
import { WebPageWorld, type Listener } from './listener.js';

const TITLE = 'Loud tone';
const SECONDS = 60;
/** The tone has 3/8 of the full scale, and on two channels 3 dB less in each. */
const PEAK = 0.375 * Math.SQRT1_2;

/** As on iOS: the volume of a media element stays as it is. */
const WITHOUT_VOLUME = `Object.defineProperty(HTMLMediaElement.prototype, 'volume', { get: () => 1, set: () => undefined })`;

it.skipIf(chromiumPath !== undefined)('is NOT looked at in a browser: there is no Chromium on this machine', () => undefined);

describe.skipIf(chromiumPath === undefined)('songs on a page that cannot set the volume', () => {
  let world: WebPageWorld;
  let listener: Listener;
  beforeAll(async () => {
    world = await WebPageWorld.start();
    const tone = `sine=frequency=441:duration=${SECONDS}:sample_rate=44100,volume=3`;
    const tags = ['-metadata', `title=${TITLE}`, '-metadata', 'REPLAYGAIN_TRACK_GAIN=-6.00 dB'];
    const file = join(world.journey.music, `${TITLE}.flac`);
    await promisify(execFile)('ffmpeg', ['-nostdin', '-loglevel', 'error', '-f', 'lavfi', '-i', tone, '-ac', '2', ...tags, file]);
    await world.journey.scan();
    listener = await world.visit();
    await listener.page.addInitScript(WITHOUT_VOLUME);
    await listener.open('/');
    await listener.signIn();
  });
  afterAll(() => world.end());

  const asked = (...parts: readonly string[]): boolean => listener.tab.requests.some((url) => parts.every((part) => url.includes(part)));

  it('are made equally loud by the server', async () => {
    await listener.open(`/search?words=${encodeURIComponent(TITLE)}`);
    await listener.listen();
    await listener.main.getByRole('button', { name: TITLE, exact: true }).click();
    await expect.poll(() => listener.position()).toBeGreaterThan(1);
    const slider = listener.player.getByRole('slider', { name: 'Position' });
    await slider.fill('40');
    await slider.blur();
    await expect.poll(() => asked('format=flac', 'gain=-6.00')).toBe(true);
    await expect.poll(async () => Number(await slider.inputValue())).toBeGreaterThan(41);
    const { peak } = await listener.heard();
    expect(Math.abs(peak - PEAK / 2)).toBeLessThan(0.02);
  });

  it('say why they are made, and are as loud as the file while that is switched off', async () => {
    await listener.player.getByRole('button', { name: 'Sound' }).click();
    await listener.page.getByText('because only the server can make it equally loud on this device').waitFor();
    await listener.page.getByText('All songs equally loud').click();
    await listener.page.getByText('because you want the original').waitFor();
    await expect.poll(async () => (await listener.heard()).peak).toBeGreaterThan(PEAK - 0.02);
    expect((await listener.heard()).peak).toBeLessThan(PEAK + 0.02);
    await listener.page.getByText('All songs equally loud').click();
    await expect.poll(() => asked('format=flac', 'gain=-6.00', 'frame=4')).toBe(true);
    await expect.poll(() => listener.position()).toBeGreaterThan(0.5);
  });
});
