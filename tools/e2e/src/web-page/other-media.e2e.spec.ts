import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeTone } from '@continuo/media-fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../browser.js';
import { administrator } from '../journey.js';
import { WebPageWorld, type Listener } from './listener.js';
import { Outside, OUTSIDE } from './outside.js';

it.skipIf(chromiumPath !== undefined)('is NOT looked at in a browser: there is no Chromium on this machine', () => undefined);

const EPISODE_S = 60;
/** So long that it is not over, which forgets its position, however long a look for faults takes meanwhile. */
const FILM_S = 400;

describe.skipIf(chromiumPath === undefined)('podcasts, radio, videos, years, collections, statistics and uploads on the web page', () => {
  let world: WebPageWorld;
  let outside: Outside;

  const call = (method: string, path: string, body: object): Promise<{ id: string; error?: unknown }> =>
    world.journey.json(
      `/rest/8/json/${path}`,
      {},
      {
        method,
        headers: { authorization: `Bearer ${administrator.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      },
    );

  const folder = async (name: string): Promise<string> => {
    const path = join(world.journey.folder, name);
    await mkdir(path, { recursive: true });
    return path;
  };

  const makeFilm = async (path: string, codec: readonly string[], seconds: number): Promise<void> => {
    const source = `testsrc=size=160x120:rate=10:duration=${seconds}`;
    await promisify(execFile)('ffmpeg', ['-loglevel', 'error', '-f', 'lavfi', '-i', source, ...codec, path]);
  };

  beforeAll(async () => {
    world = await WebPageWorld.start({ OUTBOUND_ALLOWED_NETWORKS: OUTSIDE });
    outside = await Outside.start(await makeTone(await folder('outside'), 'Talk', EPISODE_S));
    await call('PUT', 'catalogs', { name: 'Talks', path: await folder('talks'), media_type: 'podcast' });
    const films = await folder('films');
    await makeFilm(join(films, 'Waves.mp4'), ['-c:v', 'libx264', '-pix_fmt', 'yuv420p'], FILM_S);
    await makeFilm(join(films, 'Old.avi'), ['-c:v', 'mpeg4'], 20);
    await writeFile(join(films, 'Waves.en.srt'), '1\n00:00:01,000 --> 00:06:39,000\nA line about waves\n');
    const { id } = await call('PUT', 'catalogs', { name: 'Films', path: films, media_type: 'video' });
    await call('POST', `catalogs/${id}/add`, {});
  });
  afterAll(async () => {
    outside.end();
    await world.end();
  });

  const playingUrl = (listener: Listener): Promise<string> =>
    listener.page.evaluate("[...window.sounds].find((one) => !one.paused)?.currentSrc ?? ''");

  it('a podcast is subscribed to; an episode plays at a speed, goes on where it was left, and gives way to music', async () => {
    const listener = await world.signedIn();
    const { page, main, player } = listener;
    await listener.turnTo('/podcasts');
    await main.getByRole('button', { name: 'Subscribe' }).click();
    await page.getByLabel('Address of the feed').fill(`${outside.url}/feed`);
    expect(await listener.faults()).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Subscribe' }).click();
    await main.getByRole('heading', { name: 'Garden and Talk' }).waitFor();
    const episode = main.getByRole('button', { name: 'Episode 1', exact: true });
    await episode.click();
    await expect.poll(() => listener.position()).toBeGreaterThan(0.2);
    await player.getByLabel('Speed').selectOption('1.5');
    expect(await page.evaluate('[...window.sounds].find((one) => !one.paused).playbackRate')).toBe(1.5);
    expect(await listener.faults()).toEqual([]);
    await player.getByRole('slider', { name: 'Position' }).fill('40');
    await player.getByRole('slider', { name: 'Position' }).blur();
    await expect.poll(() => listener.position()).toBeGreaterThan(39);
    await player.getByRole('button', { name: 'Close and go back to the music' }).click();
    await main.getByText('left at 0:4').waitFor();
    await listener.open('/podcasts');
    await main.getByRole('link', { name: 'Garden and Talk' }).click();
    await episode.click();
    await expect.poll(() => listener.position()).toBeGreaterThan(39);
    expect(await player.getByLabel('Speed').inputValue()).toBe('1.5');
    await listener.turnTo('/songs');
    await main.getByRole('row').nth(3).getByRole('button').first().dblclick();
    await player.getByRole('button', { name: 'Next song' }).waitFor();
    await expect.poll(() => listener.tab.requests.some((url) => url.includes('type=song'))).toBe(true);
    await expect.poll(() => playingUrl(listener)).not.toContain('type=podcast_episode');
    await expect.poll(() => listener.position()).toBeGreaterThan(0.2);
    expect(listener.complaints()).toEqual([]);
    await listener.leave();
  });

  it('a station is added, heard with what it plays, and deleted', async () => {
    const listener = await world.signedIn();
    const { page, main, player } = listener;
    await listener.turnTo('/radio');
    await main.getByRole('button', { name: 'New station' }).click();
    await page.getByLabel('Name of the station').fill('Harbour');
    await page.getByLabel('Address of the stream').fill(`${outside.url}/station`);
    expect(await listener.faults()).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await main.getByRole('button', { name: 'Harbour', exact: true }).click();
    await expect.poll(() => listener.position()).toBeGreaterThan(0.2);
    await player.getByText('The Harbour - Tides').waitFor();
    expect(await listener.faults()).toEqual([]);
    await player.getByRole('button', { name: 'Close and go back to the music' }).click();
    await main.getByRole('button', { name: 'Delete Harbour' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await main.getByText('There are no radio stations here yet.').waitFor();
    expect(listener.complaints()).toEqual([]);
    await listener.leave();
  });

  it('a video is seen with subtitles and goes on where it was left; one that the browser does not know is made for it', async () => {
    const listener = await world.signedIn();
    const { main, page } = listener;
    await listener.turnTo('/videos');
    await main.getByRole('link', { name: 'Waves' }).waitFor();
    expect(await listener.faults()).toEqual([]);
    await main.getByRole('link', { name: 'Waves' }).click();
    await main.getByLabel('Subtitles').selectOption({ index: 1 });
    await page.evaluate("document.querySelector('video').currentTime = 20; void document.querySelector('video').play()");
    await expect
      .poll(() => page.evaluate("document.querySelector('video').textTracks[0]?.activeCues?.[0]?.text"))
      .toBe('A line about waves');
    expect(await listener.faults()).toEqual([]);
    await expect.poll(() => listener.position()).toBeGreaterThan(20);
    await listener.turnTo('/videos');
    await main.getByRole('link', { name: 'Waves' }).click();
    await expect.poll(() => page.evaluate("document.querySelector('video')?.currentTime")).toBeGreaterThanOrEqual(20);
    await listener.turnTo('/videos');
    await main.getByRole('link', { name: 'Old' }).click();
    await main.getByText('the server makes another form').waitFor();
    await main.getByRole('slider', { name: 'Position' }).fill('10');
    await main.getByRole('slider', { name: 'Position' }).blur();
    await expect.poll(() => page.evaluate("document.querySelector('video').currentTime"), { timeout: 20_000 }).toBeGreaterThan(0.2);
    expect(await page.evaluate("document.querySelector('video').currentSrc")).toMatch(/format=mp4.*frame=10/);
    expect(listener.complaints()).toEqual([]);
    await listener.leave();
  });

  it('years lead to their albums', async () => {
    const listener = await world.signedIn();
    const { main } = listener;
    await listener.turnTo('/years');
    await main.getByRole('heading', { name: 'Years', level: 1 }).waitFor();
    const year = main.getByRole('listitem').getByRole('link').first();
    const name = (await year.getAttribute('aria-label')) ?? '';
    expect(await listener.faults()).toEqual([]);
    await year.click();
    await main.getByRole('heading', { name: 'Albums', level: 1 }).waitFor();
    expect(await main.getByLabel('From year').inputValue()).toBe(name.slice(0, 4));
    await main.getByRole('gridcell').first().waitFor();
    await listener.leave();
  });

  it('an album is put into a new collection, found there, and taken out again', async () => {
    const [song] = await world.songs();
    const listener = await world.signedIn();
    const { page, main } = listener;
    await listener.turnTo(`/albums/${song?.album.id}`);
    await main.getByRole('button', { name: `More for ${song?.album.name}` }).click();
    await page.getByRole('menuitem', { name: 'Add to a collection' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'New collection' }).click();
    await page.getByLabel('Name of the collection').fill('Rainy days');
    expect(await listener.faults()).toEqual([]);
    await page.getByRole('button', { name: 'Make' }).click();
    await page.getByText('Added to Rainy days.').waitFor();
    await listener.turnTo('/collections');
    await main.getByRole('link', { name: 'Rainy days' }).click();
    await main.getByRole('link', { name: song?.album.name ?? '' }).waitFor();
    expect(await listener.faults()).toEqual([]);
    await main.getByRole('button', { name: `Remove ${song?.album.name}` }).click();
    await main.getByText('This collection is empty').waitFor();
    expect(listener.complaints()).toEqual([]);
    await listener.leave();
  });

  it('statistics tell what was heard, in charts and tables', async () => {
    const [song] = await world.songs();
    for (const daysAgo of [0, 1, 2]) {
      const date = String(Math.floor(Date.now() / 1000) - daysAgo * 86_400 - 60);
      expect(await call('POST', `songs/${song?.id}/record-play`, { date })).not.toHaveProperty('error');
    }
    const listener = await world.signedIn();
    const { main } = listener;
    await listener.turnTo('/statistics');
    await main.getByText('Current streak').waitFor();
    await main.getByText('By day of the week, as a table').click();
    expect(await main.getByRole('table').getByRole('row').count()).toBe(7);
    await main
      .getByRole('link', { name: song?.title ?? '' })
      .first()
      .waitFor();
    expect(await listener.faults()).toEqual([]);
    expect(listener.complaints()).toEqual([]);
    await listener.leave();
  });

  it('files are uploaded by dropping them; one that is none is named with the reason', async () => {
    await call('PATCH', 'preferences/allow_upload', { value: '1', all: '1' });
    await call('PATCH', 'preferences/upload_catalog', { value: '1', all: '1' });
    const listener = await world.signedIn();
    const { page, main } = listener;
    const sound = await readFile(await makeTone(await folder('outside'), 'Sent from afar', 1));
    const files = await page.evaluateHandle(`(() => {
      const given = new DataTransfer();
      given.items.add(new File([Uint8Array.from(atob('${sound.toString('base64')}'), (letter) => letter.charCodeAt(0))], 'from afar.wav'));
      given.items.add(new File(['no music'], 'notes.txt'));
      return given;
    })()`);
    await page.dispatchEvent('main', 'dragover', { dataTransfer: files });
    await page.getByText('Drop the files to upload them').waitFor();
    await page.dispatchEvent('main', 'drop', { dataTransfer: files });
    const [first, second] = [0, 1].map((at) => main.getByRole('listitem').nth(at));
    await first?.getByText('In the library').waitFor();
    await second?.getByText('has no suffix of a media file').waitFor();
    expect(await listener.faults()).toEqual([]);
    await main.getByRole('link', { name: 'See what was added last' }).click();
    await main.getByRole('row').getByText('Sent from afar').waitFor();
    expect(listener.complaints()).toEqual([]);
    await listener.leave();
  });
});
