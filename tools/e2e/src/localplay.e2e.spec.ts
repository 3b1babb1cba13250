import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sha256Hex, startService, type StartedService } from '@continuo/chassis';
import { gatewayService } from '@continuo/gateway';
import { freePort, locateMpd, testMpd, type TestMpd } from '@continuo/local-servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administrator, Journey } from './journey.js';

/*
 * A real mpd, which plays into nothing in real time, fetches songs from a whole server. People steer it over one gateway, and it fetches from another.
 */

const hasMpd = locateMpd() !== undefined;
const run = promisify(execFile);
const SECONDS = 40;
const FORMATS = ['flac', 'mp3', 'opus'] as const;
type Format = (typeof FORMATS)[number];
const PASSWORD = sha256Hex('a word of theirs');
const TIME = { timeout: 15_000, interval: 100 };

it.skipIf(hasMpd)('is NOT played: there is no mpd on this machine ("apt-get install mpd", or MPD_BIN)', () => undefined);

describe.skipIf(!hasMpd)('playing on the server itself', () => {
  let journey: Journey;
  let second: StartedService;
  let mpd: TestMpd;
  const ids = {} as Record<Format, string>;

  const native = <T>(query: Record<string, string>, token: string = administrator.apiKey): Promise<T> =>
    journey.json<T>('/server/json.server.php', { version: '8.0.0', ...query }, { headers: { authorization: `Bearer ${token}` } });
  const localplay = async (command: string, query: Record<string, string> = {}) =>
    (await native<{ localplay: { command: Record<string, unknown> } }>({ action: 'localplay', command, ...query })).localplay.command[
      command
    ];
  const jukebox = async (action: string, query: Record<string, string> = {}) => {
    const credentials = { u: administrator.name, p: administrator.password, v: '1.16.1', c: 'journey', f: 'json' };
    const answer = await journey.json<{
      'subsonic-response': {
        jukeboxStatus?: { playing: boolean; position: number; currentIndex: number };
        jukeboxPlaylist?: { entry: { id: string }[] };
      };
    }>('/rest/jukeboxControl', { ...credentials, action, ...query });
    return answer['subsonic-response'];
  };
  const position = async (): Promise<number> => (await jukebox('status')).jukeboxStatus?.position ?? -1;
  const plays = async (format: Format): Promise<number> =>
    (await native<{ playcount: number }>({ action: 'song', filter: ids[format] })).playcount;

  beforeAll(async () => {
    journey = await Journey.prepare();
    await mkdir(journey.music);
    for (const format of FORMATS) {
      const tags = ['-metadata', `title=${format} song`, '-metadata', 'artist=Somebody', '-metadata', 'album=Something'];
      const out = join(journey.music, `song.${format}`);
      await run('ffmpeg', ['-loglevel', 'error', '-f', 'lavfi', '-i', `sine=duration=${SECONDS}`, '-ac', '2', ...tags, out]);
    }
    mpd = await testMpd({ password: 'of the house' });
    const port = await freePort();
    await journey.start({
      LOCALPLAY_CONTROLLER: 'mpd',
      LOCALPLAY_STREAM_URL: `http://127.0.0.1:${port}`,
      MPD_PORT: String(mpd.port),
      MPD_PASSWORD: 'of the house',
    });
    await journey.scan();
    second = await startService(gatewayService, { ...journey.server.environment, PORT: String(port), HOST: '127.0.0.1' });
    const { song } = await native<{ song: readonly { id: string; format: Format }[] }>({ action: 'songs' });
    for (const { id, format } of song) ids[format] = id;
  }, 120_000);
  afterAll(async () => {
    await second.stop();
    await journey.end();
    await mpd.stop();
  });

  it('plays a song, which counts as played', async () => {
    expect(await localplay('add', { filter: ids.flac, clear: '1' })).toBe(true);
    expect(await localplay('add', { filter: ids.mp3 })).toBe(true);
    expect(await localplay('play')).toBe(true);
    await expect.poll(position, TIME).toBeGreaterThanOrEqual(2);
    expect(await localplay('status')).toMatchObject({
      state: 'play',
      track: 1,
      track_title: 'flac song',
      track_artist: 'Somebody',
      track_album: 'Something',
    });
    const { now_playing: now } = await native<{ now_playing: { id: string; client: string }[] }>({ action: 'now_playing' });
    expect(now).toMatchObject([{ id: ids.flac, client: 'localplay' }]);
    await expect.poll(() => plays('flac'), TIME).toBe(1);
  });

  it('goes on and back', async () => {
    expect(await localplay('next')).toBe(true);
    await expect.poll(async () => localplay('status'), TIME).toMatchObject({ track: 2, track_title: 'mp3 song' });
    expect(await localplay('next')).toBe(true);
    expect(await localplay('next')).toBe(false);
    expect(await localplay('skip', { track: '2' })).toBe(true);
    expect(await localplay('prev')).toBe(true);
    await expect.poll(async () => localplay('status'), TIME).toMatchObject({ track: 1, state: 'play' });
  });

  it.each(FORMATS)('starts within %s', async (format) => {
    const id = { flac: 0, mp3: 1, opus: 2 }[format];
    await jukebox('set', { id: `so-${ids.flac}` });
    await jukebox('add', { id: `so-${ids.mp3}` });
    await jukebox('add', { id: `so-${ids.opus}` });
    await jukebox('skip', { index: String(id), offset: '20' });
    await expect.poll(position, TIME).toBeGreaterThanOrEqual(22);
    expect((await jukebox('status')).jukeboxStatus).toMatchObject({ playing: true, currentIndex: id });
    expect(await position()).toBeLessThan(35);
    expect((await jukebox('get')).jukeboxPlaylist?.entry.map((entry) => entry.id)).toEqual(FORMATS.map((one) => `so-${ids[one]}`));
  });

  it('comes to the end of a song and plays the next one', async () => {
    await jukebox('skip', { index: '0', offset: String(SECONDS - 2) });
    await expect.poll(async () => (await jukebox('status')).jukeboxStatus, TIME).toMatchObject({ playing: true, currentIndex: 1 });
    await jukebox('stop');
    const before = await position();
    expect((await jukebox('status')).jukeboxStatus).toMatchObject({ playing: false });
    await jukebox('start');
    await expect.poll(position, TIME).toBeGreaterThan(before);
  });

  it('is steered by whom an administrator lets', async () => {
    await native({ action: 'user_create', username: 'ada', password: PASSWORD, email: 'ada@example.org' });
    const timestamp = String(Math.floor(Date.now() / 1000));
    const hello = { action: 'handshake', user: 'ada', timestamp, auth: sha256Hex(timestamp + PASSWORD), version: '8.0.0' };
    const { auth } = await journey.json<{ auth: string }>('/server/json.server.php', hello);
    const stop = () => native<{ error?: { errorCode: string } }>({ action: 'localplay', command: 'stop' }, auth);
    expect(await stop()).toMatchObject({ error: { errorCode: '4742' } });
    await native({ action: 'preference_edit', filter: 'localplay_level', value: '25', all: '1' });
    await expect.poll(stop, TIME).toEqual({ localplay: { command: { stop: true } } });
  });

  it('says so when the player is gone', async () => {
    await mpd.stop();
    expect(await native({ action: 'localplay', command: 'status' })).toMatchObject({ error: { errorCode: '4710', errorType: 'account' } });
    mpd = await testMpd({ port: mpd.port, password: 'of the house' });
    expect(await localplay('status')).toMatchObject({ state: 'stop', track: 0 });
  });
});
