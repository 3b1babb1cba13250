import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { compatServer, NOW_MS, type CallParams, type CompatServer, type TestAccount } from '../../../test/servers/compat-server.js';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { fixtureSongs } from '../../../test/library/fixture-songs.js';
import { seedTestAccounts } from '../../../test/servers/test-gateway.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { seedFixtureVideos } from '../../../test/library/fixture-videos.js';

const SONG_MS = 181_400;
const HOUR_MS = 3_600_000;
let model: TestReadModel;
let server: CompatServer;
let folder: string;
let clockMs = NOW_MS;

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
  await seedFixtureVideos(model.write);
  await seedTestAccounts(model.write);
  folder = await mkdtemp(join(tmpdir(), 'continuo-reports-'));
  server = await compatServer(model.read, join(folder, 'art'), {}, () => clockMs);
});
afterAll(async () => {
  await server.app.close();
  await model.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  // What was said before is over, and forgotten.
  clockMs += 24 * HOUR_MS;
});

// oxlint-disable-next-line typescript/no-explicit-any
const ask = async (operation: string, params: CallParams = {}, as: TestAccount = 'ada'): Promise<any> => {
  const { body } = await server.call(operation, { ...params, f: 'json' }, as);
  return (JSON.parse(body) as Record<string, unknown>)['subsonic-response'];
};
const report = async (state: string, positionS: number, more: CallParams = {}, as?: TestAccount): Promise<number | undefined> =>
  (await ask('reportPlayback', { mediaId: 'so-1', mediaType: 'song', positionMs: positionS * 1000, state, ...more }, as)).error?.code;
interface Entry {
  readonly id: string;
  readonly state: string;
  readonly positionMs: number;
  readonly playbackRate: number;
  readonly minutesAgo: number;
}
const playing = async (as?: TestAccount): Promise<unknown[]> =>
  ((await ask('getNowPlaying', {}, as)).nowPlaying.entry as Entry[]).map(({ id, state, positionMs, playbackRate, minutesAgo }) => [
    id,
    state,
    positionMs,
    playbackRate,
    minutesAgo,
  ]);
const after = (seconds: number): void => {
  clockMs += seconds * 1000;
};
/** Commands sent to the playback service after a number of them. */
const told = (since: number): (readonly [verb: string | undefined, data: unknown])[] =>
  server.commands.sent.slice(since).map(({ subject, message }) => [subject.split('.').at(-1), message.data]);

describe('a client that reports what it plays', () => {
  it('is shown where it is, by its own words and by the clock', async () => {
    await report('starting', 0);
    after(10);
    expect(await playing('mia')).toEqual([['so-1', 'starting', 0, 1, 0]]);
    await report('playing', 0);
    after(62);
    expect(await playing()).toEqual([['so-1', 'playing', 62_000, 1, 1]]);
    await report('paused', 62);
    after(600);
    expect(await playing()).toEqual([['so-1', 'paused', 62_000, 1, 11]]);
    await report('playing', 100, { playbackRate: 1.5 });
    after(20);
    expect(await playing()).toEqual([['so-1', 'playing', 130_000, 1.5, 11]]);
    after(1000);
    expect(await playing()).toEqual([['so-1', 'playing', SONG_MS, 1.5, 28]]);
    after(0.5 * 3600);
    expect(await playing()).toEqual([]);
  });

  it('counts at the end, when enough was heard, and once', async () => {
    const since = server.commands.sent.length;
    const startedAtMs = clockMs;
    await report('playing', 0);
    for (let n = 1; n < 12; n += 1) {
      after(10);
      await report('playing', n * 10);
    }
    const song = { userId: 1, client: 'test', objectType: 'song', objectId: 1 };
    expect(told(since)).toEqual([['start-playback', { ...song, startedAtMs, durationMs: SONG_MS, isNow: true }]]);
    await report('stopped', 110);
    await report('stopped', 110);
    expect(told(since + 1)).toEqual([['stop-playback', { ...song, heard: { startedAtMs, durationMs: SONG_MS } }]]);
    expect(await playing()).toEqual([]);
  });

  it('counts nothing that was hardly heard, and nothing when it asks so', async () => {
    const since = server.commands.sent.length;
    await report('playing', 0);
    after(30);
    await report('stopped', 30);
    await report('playing', 0, { ignoreScrobble: true });
    after(170);
    await report('stopped', 170, { ignoreScrobble: true });
    const stops = told(since).filter(([verb]) => verb === 'stop-playback');
    expect(stops).toHaveLength(2);
    expect(JSON.stringify(stops)).not.toContain('heard');
  });

  it('counts what it leaves for something else', async () => {
    await report('playing', 0);
    after(181);
    const since = server.commands.sent.length;
    await report('starting', 0, { mediaId: 'so-2' });
    expect(told(since)).toMatchObject([
      ['stop-playback', { objectId: 1, heard: {} }],
      ['start-playback', { objectId: 2 }],
    ]);
    expect(await playing()).toMatchObject([['so-2', 'starting', 0, 1, 0]]);
  });

  it('is not shown by what it fetches ahead, nor by what it announces less exactly', async () => {
    await report('playing', 0);
    after(60);
    const since = server.commands.sent.length;
    await server.call('stream', { id: 'so-2' });
    await ask('scrobble', { id: 'so-3', submission: false });
    expect(told(since)).toEqual([]);
    expect(await playing()).toEqual([['so-1', 'playing', 60_000, 1, 1]]);
  });

  it('says by a scrobble without a time what it reports, during it and just after, whatever the pauses', async () => {
    const scrobbled = async (params: CallParams = {}): Promise<number> => {
      const since = server.commands.sent.length;
      await ask('scrobble', { id: 'so-1', ...params });
      const [[, data] = []] = told(since);
      return (data as { readonly plays: readonly { readonly playedAtMs: number }[] }).plays[0]?.playedAtMs ?? 0;
    };
    const startedAtMs = clockMs;
    await report('playing', 0);
    after(100);
    expect(await scrobbled()).toBe(startedAtMs);
    await report('paused', 100);
    after(600);
    await report('playing', 100);
    after(81);
    expect(await scrobbled()).toBe(startedAtMs);
    expect([await scrobbled({ time: startedAtMs - 60_000 }), await scrobbled({ c: 'other' }), await scrobbled({ id: 'so-2' })]).toEqual([
      startedAtMs - 60_000,
      clockMs,
      clockMs,
    ]);
    await report('stopped', 181);
    after(30);
    expect(await scrobbled()).toBe(startedAtMs);
    after(60);
    expect(await scrobbled()).toBe(clockMs);
  });

  it('says by a scrobble of any moment of what it reports no other play, also when the next one has begun', async () => {
    const scrobbled = async (time?: number): Promise<number> => {
      const since = server.commands.sent.length;
      await ask('scrobble', { id: 'so-1', ...(time === undefined ? {} : { time }) });
      const [[, data] = []] = told(since);
      return (data as { readonly plays: readonly { readonly playedAtMs: number }[] }).plays[0]?.playedAtMs ?? 0;
    };
    const startedAtMs = clockMs;
    await report('playing', 0);
    after(182);
    await report('stopped', 181.4);
    const endedAtMs = clockMs;
    const times = [startedAtMs, startedAtMs + 90_000, endedAtMs];
    for (const time of times) expect(await scrobbled(time)).toBe(startedAtMs);
    await report('starting', 0, { mediaId: 'so-2' });
    after(1);
    await report('playing', 0, { mediaId: 'so-2' });
    for (const time of times) expect(await scrobbled(time)).toBe(startedAtMs);
    expect(await scrobbled()).toBe(startedAtMs);
    after(100);
    await report('playing', 100, { mediaId: 'so-2' });
    expect(await scrobbled(endedAtMs)).toBe(startedAtMs);
    // Neither what it was long before, nor what is heard anew.
    expect(await scrobbled(startedAtMs - 60_000)).toBe(startedAtMs - 60_000);
    expect(await scrobbled()).toBe(clockMs);
  });

  it('says by a scrobble without a time another play when it goes round, and when its reports do not count', async () => {
    const since = server.commands.sent.length;
    await report('playing', 0);
    after(181);
    await report('playing', 0);
    after(91);
    await ask('scrobble', { id: 'so-1' });
    const secondMs = clockMs;
    await report('playing', 0, { ignoreScrobble: true });
    await ask('scrobble', { id: 'so-1' });
    expect(told(since).filter(([verb]) => verb === 'record-plays')).toMatchObject([
      ['record-plays', { plays: [{ playedAtMs: secondMs }] }],
      ['record-plays', { plays: [{ playedAtMs: clockMs }] }],
    ]);
  });

  it('is one of several of the same person', async () => {
    await report('playing', 0);
    after(1);
    await report('playing', 50, { mediaId: 'so-2', c: 'other' });
    await report('playing', 0, { mediaId: 'so-3' }, 'mia');
    expect(await playing()).toEqual([
      ['so-2', 'playing', 50_000, 1, 0],
      ['so-3', 'playing', 0, 1, 0],
      ['so-1', 'playing', 1000, 1, 0],
    ]);
  });

  it('may play a video', async () => {
    expect(await report('playing', 3, { mediaId: 'vi-1' })).toBeUndefined();
    expect(await playing()).toEqual([['vi-1', 'playing', 3000, 1, 0]]);
    const entry = (await ask('getNowPlaying')).nowPlaying.entry[0];
    expect(entry).toMatchObject({ isVideo: true, username: 'admin', playerName: 'test' });
  });

  it.each([
    [10, { state: 'resting' }],
    [10, { state: '' }],
    [10, { mediaType: 'tape' }],
    [10, { mediaType: '' }],
    [10, { mediaId: '' }],
    [10, { positionMs: '' }],
    [10, { positionMs: -1 }],
    [10, { positionMs: 'soon' }],
    [10, { positionMs: 1.5 }],
    [10, { playbackRate: 0 }],
    [10, { playbackRate: -1 }],
    [10, { playbackRate: 'NaN' }],
    [10, { playbackRate: 'Infinity' }],
    [10, { playbackRate: '1e99' }],
    [70, { mediaId: 'so-99' }],
    [70, { mediaId: 'al-1' }],
    [70, { mediaId: 'vi-99' }],
    [70, { mediaId: 'pe-1', mediaType: 'podcast' }],
    [70, { mediaType: 'podcast' }],
  ])('is refused with %i for %o', async (code, wrong) => {
    const since = server.commands.sent.length;
    expect(await report('playing', 0, wrong as CallParams)).toBe(code);
    expect([told(since), await playing()]).toEqual([[], []]);
  });

  it('changes nothing by HEAD, and does not exist for the legacy form', async () => {
    const url = '/rest/reportPlayback?u=ada&p=secret&v=1.16.1&c=test&mediaId=so-1&mediaType=song&positionMs=0&state=playing';
    await server.app.inject({ method: 'HEAD', url });
    expect(await playing()).toEqual([]);
    expect((await ask('reportPlayback', { c: 'DSub' })).error).toEqual((await ask('getEverything')).error);
  });
});
