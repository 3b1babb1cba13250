import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { makeJoinedAlbum, makeTone } from '@continuo/media-fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../browser.js';
import { administrator } from '../journey.js';
import { LONG, WebPageWorld, type KnownSong } from './listener.js';
import { Outside, OUTSIDE } from './outside.js';

it.skipIf(chromiumPath !== undefined)('is NOT looked at in a browser: there is no Chromium on this machine', () => undefined);

const FRIEND = { name: 'anna', password: 'she sells sea shells' } as const;
/** Everything of this name is found by one word. */
const WORD = 'Harbour';
/** An album of two songs. */
const ALBUM = 'Long way';
const LYRICS = '[la:en]\n[00:00.00]<00:00.00>Over <00:02.00>the <00:50.00>water\n[00:55.00]and back\n';

describe.skipIf(chromiumPath === undefined)('finding, queueing, words, home and lists on the web page', () => {
  let world: WebPageWorld;
  let outside: Outside;
  let songs: readonly KnownSong[];

  const call = <T = { id: string }>(method: string, path: string, body: object): Promise<T> => {
    const headers = { authorization: `Bearer ${administrator.apiKey}`, 'content-type': 'application/json' };
    return world.journey.json<T>(path, {}, { method, headers, body: JSON.stringify(body) });
  };

  const folder = async (name: string): Promise<string> => {
    const path = join(world.journey.folder, name);
    await mkdir(path, { recursive: true });
    return path;
  };

  const songTitled = (title: string): KnownSong => {
    const song = songs.find((one) => one.title === title);
    if (!song) throw new Error(`there is no ${title}`);
    return song;
  };

  beforeAll(async () => {
    world = await WebPageWorld.start({ OUTBOUND_ALLOWED_NETWORKS: OUTSIDE });
    outside = await Outside.start(await makeTone(await folder('outside'), 'Talk', 60));
    await writeFile(join(world.journey.music, `${LONG.title}.lrc`), LYRICS);
    await writeFile(join(world.journey.music, `${LONG.title}.txt`), 'Words without times');
    await makeJoinedAlbum(world.journey.music, { album: ALBUM, parts: 2, seconds: 60 });
    await world.journey.scan();
    const { id: talks } = await call('PUT', '/rest/8/json/catalogs', { name: 'Talks', path: await folder('talks'), media_type: 'podcast' });
    await call('PUT', '/rest/8/json/podcasts', { url: `${outside.url}/feed`, catalog: talks });
    const films = await folder('films');
    const source = 'testsrc=size=160x120:rate=10:duration=40';
    const codec = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p'];
    await promisify(execFile)('ffmpeg', ['-loglevel', 'error', '-f', 'lavfi', '-i', source, ...codec, join(films, `${WORD} film.mp4`)]);
    const { id: filmCatalog } = await call('PUT', '/rest/8/json/catalogs', { name: 'Films', path: films, media_type: 'video' });
    await call('POST', `/rest/8/json/catalogs/${filmCatalog}/add`, {});
    await call('PUT', '/rest/8/json/live-streams', { name: `${WORD} radio`, url: `${outside.url}/station`, codec: 'wav', catalog: '1' });
    await call('PUT', '/rest/8/json/playlists', { name: `${WORD} list`, type: 'private' });
    await call('POST', '/manage/v1/accounts', { username: FRIEND.name, password: FRIEND.password });
    songs = await world.songs();
  });
  afterAll(async () => {
    outside.end();
    await world.end();
  });

  it('everything of a name is found by kind with few requests, and opened and played by keys alone', async () => {
    const listener = await world.signedIn();
    const { main, page, tab } = listener;
    await listener.turnTo('/search');
    const asked = tab.requests.length;
    await main.getByRole('searchbox').fill(WORD);
    for (const kind of ['Playlists', 'Videos', 'Radio']) await main.getByRole('heading', { name: kind, level: 2 }).waitFor();
    await main.getByRole('link', { name: `${WORD} film` }).waitFor();
    // Names, playlists and songs. The view before may still ask for its own.
    expect(tab.requests.slice(asked).filter((url) => url.includes('/rest/8/') && url.includes(WORD))).toHaveLength(3);
    // Typed in a hurry.
    await main.getByRole('searchbox').fill('hrabour fil');
    await main.getByRole('link', { name: `${WORD} film` }).waitFor();
    await main.getByRole('searchbox').fill('lnog way');
    await main.getByRole('link', { name: ALBUM }).first().waitFor();
    await main.getByRole('row').getByText(`${ALBUM} 1`).waitFor();
    expect(await main.getByRole('heading', { name: 'Genres' }).count()).toBe(0);
    expect(await listener.faults()).toEqual([]);
    await main.getByRole('searchbox').fill('Episode 2');
    await main.getByRole('button', { name: 'Episode 2 – Garden and Talk' }).waitFor();
    await main.getByRole('searchbox').press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => listener.position()).toBeGreaterThan(0.2);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => listener.position()).toBeGreaterThan(10);
    await listener.player.getByRole('button', { name: 'Close and go back to the music' }).click();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('searchbox').waitFor();
    // An artist is found by one letter, too, and stands first; what the whole word finds comes late.
    await page.keyboard.type('g');
    await page.getByRole('menuitem', { name: 'Garden and Talk', exact: true }).waitFor();
    await page.route(/=(?:garden|hrabour)/, async (route) => {
      await delay(2000);
      await route.continue();
    });
    await page.keyboard.type('arden');
    await page.keyboard.press('Enter');
    await main.getByRole('heading', { name: 'Garden and Talk', level: 1 }).waitFor();
    // Nothing has these letters until the server answers.
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('searchbox').fill('hrabour');
    await page.keyboard.press('Enter');
    await main.getByRole('heading', { name: `${WORD} film`, level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('searchbox').fill('lnog way');
    await page.getByRole('menuitem', { name: `${ALBUM} 2 – ` }).click();
    await listener.player.getByRole('link', { name: `${ALBUM} 2` }).waitFor();
    expect(listener.complaints()).toEqual([]);
    await listener.leave();
  });

  it('songs are played after the album that plays, and jumped in by the arrow keys', async () => {
    const listener = await world.signedIn();
    const { main, page, player } = listener;
    await listener.turnTo(`/albums/${songTitled(`${ALBUM} 1`).album.id}`);
    await main.getByRole('button', { name: 'Play', exact: true }).click();
    await expect.poll(() => listener.position()).toBeGreaterThan(0.2);
    await listener.turnTo(`/search?words=${encodeURIComponent(LONG.title)}`);
    await main.getByRole('button', { name: `More for ${LONG.title}` }).click();
    await page.getByRole('menuitem', { name: 'Play after this album' }).click();
    await page.getByText('The song plays after this album.').waitFor();
    await page.keyboard.press('q');
    const queue = page.getByRole('complementary', { name: 'Queue' });
    await queue.getByText('after the album').waitFor();
    expect(await listener.faults()).toEqual([]);
    await listener.open('/');
    await player.getByRole('link', { name: `${ALBUM} 1` }).waitFor();
    await page.getByRole('button', { name: 'Next song' }).click();
    await player.getByRole('link', { name: `${ALBUM} 2` }).waitFor();
    await page.getByRole('button', { name: 'Next song' }).click();
    await player.getByRole('link', { name: LONG.title }).waitFor();
    await expect.poll(() => listener.position()).toBeGreaterThan(0.2);
    await player.getByRole('button', { name: 'Pause' }).click();
    const position = async (): Promise<number> => Number(await player.getByRole('slider', { name: 'Position' }).inputValue());
    const pausedAtS = await position();
    await page.keyboard.press('ArrowRight');
    await expect.poll(position).toBeGreaterThan(pausedAtS + 8);
    await page.keyboard.press('ArrowLeft');
    await expect.poll(position).toBeLessThan(pausedAtS + 2);
    expect(listener.complaints()).toEqual([]);
    await listener.leave();
  });

  it('words of a song stand out when they are sung, are shifted, and give way to another text', async () => {
    const listener = await world.signedIn();
    const { main, page } = listener;
    await listener.turnTo(`/search?words=${encodeURIComponent(LONG.title)}`);
    await main.getByRole('row').getByText(LONG.title).first().dblclick();
    await expect.poll(() => listener.position()).toBeGreaterThan(2.2);
    await page.keyboard.press('l');
    const lyrics = page.getByRole('complementary', { name: 'Lyrics' });
    const sung = () => lyrics.locator('[data-sung]').allTextContents();
    await expect.poll(sung).toEqual(['Over ', 'the ']);
    expect(await listener.faults()).toEqual([]);
    for (let step = 0; step < 4; step += 1) await lyrics.getByRole('button', { name: 'Words later' }).click();
    await lyrics.getByText('+1.00 s').waitFor();
    await lyrics.getByRole('button', { name: 'and back' }).click();
    await expect.poll(() => listener.position()).toBeGreaterThan(55.9);
    await lyrics.getByLabel('Text', { exact: true }).selectOption({ index: 1 });
    await lyrics.getByText('Words without times').waitFor();
    await listener.open('/');
    await listener.player.getByRole('link', { name: LONG.title }).waitFor();
    await page.keyboard.press('l');
    await lyrics.getByText('Words without times').waitFor();
    await lyrics.getByLabel('Text', { exact: true }).selectOption({ index: 0 });
    await lyrics.getByText('+1.00 s').waitFor();
    expect(listener.complaints()).toEqual([]);
    await listener.leave();
  });

  it('home goes on with what was left, and shows what others play', async () => {
    const song = songTitled(LONG.title);
    await call('PUT', `/rest/8/json/songs/${song.id}/bookmark`, { position: '30' });
    const listener = await world.signedIn();
    const { main } = listener;
    await main.getByRole('heading', { name: 'Continue' }).waitFor();
    const friend = await world.visit();
    await friend.open('/');
    await friend.signIn(FRIEND.name, FRIEND.password);
    await friend.turnTo(`/search?words=${encodeURIComponent(LONG.title)}`);
    await friend.main.getByRole('row').getByText(LONG.title).first().dblclick();
    await expect.poll(() => friend.position()).toBeGreaterThan(0.2);
    await main.getByRole('link', { name: `${FRIEND.name}: ${LONG.title}` }).waitFor({ timeout: 15_000 });
    expect(await listener.faults()).toEqual([]);
    await friend.leave();
    await main.getByRole('button', { name: LONG.title }).click();
    await expect.poll(() => listener.position()).toBeGreaterThan(30);
    expect(listener.complaints()).toEqual([]);
    await listener.leave();
  });

  it('a playlist file is opened, what it names in vain is listed, and another account may change the list', async () => {
    const listener = await world.signedIn();
    const { main, page } = listener;
    const dialog = page.getByRole('dialog');
    await listener.turnTo('/playlists');
    await main.getByRole('button', { name: 'Open a playlist file' }).click();
    const text = `#EXTM3U\n#EXTINF:60,${LONG.title}\n${LONG.title}.wav\n#EXTINF:9,Nobody - Nothing like this\nmissing.mp3\n`;
    await dialog.getByLabel('File').setInputFiles({ name: 'From afar.m3u8', mimeType: 'audio/x-mpegurl', buffer: Buffer.from(text) });
    expect(await listener.faults()).toEqual([]);
    await dialog.getByRole('button', { name: 'Open' }).click();
    await dialog.getByText('Found 1 of 2 songs.').waitFor();
    await dialog.getByText('2. Nobody - Nothing like this').waitFor();
    await dialog.getByText('not in the library').waitFor();
    expect(await listener.faults()).toEqual([]);
    await dialog.getByRole('link', { name: 'Open “From afar”' }).click();
    await main.getByRole('row').getByText(LONG.title).waitFor();
    await main.getByRole('button', { name: 'Change the playlist' }).click();
    await dialog.getByLabel(FRIEND.name).check();
    expect(await listener.faults()).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await main.getByRole('button', { name: 'Change the playlist' }).click();
    await expect.poll(() => dialog.getByLabel(FRIEND.name).isChecked()).toBe(true);
    await listener.leave();
    const friend = await world.visit();
    await friend.open('/playlists');
    await friend.signIn(FRIEND.name, FRIEND.password);
    await friend.turnTo('/playlists');
    await friend.main.getByRole('link', { name: 'From afar' }).click();
    await friend.main.getByRole('button', { name: `More for ${LONG.title}` }).click();
    await friend.page.getByRole('menuitem', { name: 'Remove from this playlist' }).click();
    await friend.main.getByText('This playlist is empty').waitFor();
    await friend.leave();
  });
});
