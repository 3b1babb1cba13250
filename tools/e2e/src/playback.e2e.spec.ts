import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateFiles } from '@continuo/media-fixtures';
import { administrator, Journey } from './journey.js';

interface Song {
  readonly id: string;
  readonly playcount: number;
  readonly last_played: string | null;
  readonly url: string;
}
interface Playing {
  readonly id: string;
  readonly client: string | null;
  readonly user: { readonly username: string };
}

let journey: Journey;

const native = <T>(action: string, query: Record<string, string> = {}): Promise<T> =>
  journey.json<T>(
    '/server/json.server.php',
    { action, version: '8.0.0', ...query },
    { headers: { authorization: `Bearer ${administrator.apiKey}` } },
  );
const compat = async (operation: string, query: Record<string, string> = {}): Promise<Record<string, unknown>> => {
  const all = { apiKey: administrator.apiKey, c: 'player', v: '1.16.1', f: 'json', ...query };
  return (await journey.json<{ 'subsonic-response': Record<string, unknown> }>(`/rest/${operation}`, all))['subsonic-response'];
};
const songNamed = (id: string): Promise<Song> => native<Song>('song', { filter: id });
const playing = async (): Promise<readonly Playing[]> => (await native<{ now_playing: readonly Playing[] }>('now_playing')).now_playing;
const ranked = async (filter: string): Promise<string[]> =>
  (await native<{ song: readonly Song[] }>('stats', { type: 'song', filter })).song.map(({ id }) => id);
/** Fetches a play address to the end, as a player does. */
const listen = async (url: string, range?: string): Promise<number> => {
  const answer = await fetch(url, range === undefined ? {} : { headers: { range } });
  await answer.arrayBuffer();
  return answer.status;
};

beforeAll(async () => {
  journey = await Journey.prepare();
  await generateFiles({ out: journey.music, count: 20, formats: ['mp3'], seed: 8, flat: false });
  // The songs are a few seconds long: most of one has to be heard.
  await journey.start({ SKIP_TIMER_SECONDS: '0.9' });
  await journey.scan();
}, 120_000);
afterAll(() => journey.end());

describe('from a stream to statistics', () => {
  it('counts a stream once, however it is fetched, and no download', async () => {
    const { url } = await songNamed('1');
    expect([await listen(url, 'bytes=0-999'), await listen(url, 'bytes=1000-'), await listen(url)]).toEqual([206, 206, 200]);
    await listen(`${(await songNamed('2')).url}&action=download`);
    await expect.poll(async () => (await songNamed('1')).playcount, { timeout: 20_000 }).toBe(1);
    expect((await songNamed('2')).playcount).toBe(0);
    expect(await ranked('frequent')).toEqual(['1']);
    expect((await playing()).map(({ id, user }) => [id, user.username])).toEqual([['1', administrator.name]]);
  });

  it('turns a play into a skip when the next song comes too soon', async () => {
    // Longer than any of the songs, so that the play before stays one.
    await delay(6000);
    await listen((await songNamed('3')).url);
    await delay(300);
    await listen((await songNamed('4')).url);
    await expect.poll(async () => (await songNamed('4')).playcount, { timeout: 20_000 }).toBe(1);
    expect(await songNamed('3')).toMatchObject({ playcount: 0, last_played: null });
    expect((await songNamed('1')).playcount).toBe(1);
    expect(await ranked('recent')).toEqual(['4', '1']);
  });

  it('takes plays of clients that keep count themselves', async () => {
    expect(await native('record_play', { filter: '5', client: 'car', date: '1700000000' })).toHaveProperty('success');
    expect((await songNamed('5')).last_played).toBe('2023-11-14T22:13:20+00:00');
    expect(await compat('scrobble', { id: 'so-6', submission: 'false' })).toMatchObject({ status: 'ok' });
    expect(await compat('getNowPlaying')).toMatchObject({ nowPlaying: { entry: [{ id: 'so-6', playerName: 'player' }, { id: 'so-4' }] } });
    expect((await songNamed('6')).playcount).toBe(0);
    expect(await native('player', { filter: '7', client: 'car' })).toMatchObject({ now_playing: [{ id: '7', client: 'car' }, {}, {}] });
    expect(await native('player', { filter: '7', client: 'car', state: 'stop' })).toMatchObject({
      now_playing: [{ id: '6' }, { id: '4' }],
    });
  });

  it('counts once what a client streams, reports and scrobbles, and shows where it is', async () => {
    const report = (state: string, positionMs: number): Promise<unknown> =>
      compat('reportPlayback', { mediaId: 'so-8', mediaType: 'song', state, positionMs: String(positionMs), c: 'reporter' });
    const beganAtMs = Date.now();
    await report('starting', 0);
    await compat('stream', { id: 'so-8', c: 'reporter' }).catch(() => undefined);
    expect(await report('playing', 0)).toMatchObject({ status: 'ok' });
    await delay(1500);
    const { nowPlaying } = (await compat('getNowPlaying')) as {
      nowPlaying: { entry: { id: string; state: string; positionMs: number }[] };
    };
    const entry = nowPlaying.entry.find(({ id }) => id === 'so-8');
    expect(entry?.state).toBe('playing');
    expect(entry?.positionMs).toBeGreaterThan(1400);
    await delay(2500);
    await report('stopped', 4000);
    await report('stopped', 4000);
    await compat('scrobble', { id: 'so-8', c: 'reporter', time: String(beganAtMs) });
    expect((await songNamed('8')).playcount).toBe(1);
    expect((await playing()).filter(({ client }) => client === 'reporter')).toEqual([]);
  });

  it('remembers all of it after a restart', async () => {
    const before = [await ranked('recent'), await ranked('forgotten')];
    await journey.stop();
    await journey.start({ SKIP_TIMER_SECONDS: '0.9' });
    expect([await ranked('recent'), await ranked('forgotten')]).toEqual(before);
    expect(before[1]?.[0]).toBe('5');
  });
});
