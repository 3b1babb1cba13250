import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Rejection, type TranscodeTarget } from '@continuo/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeTranscodes, type FakeTranscodes } from '../../../test/fakes/fake-transcodes.js';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { fixtureSongs } from '../../../test/library/fixture-songs.js';
import { seedFixtureVideos } from '../../../test/library/fixture-videos.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import {
  fixedAuth,
  seedTestAccounts,
  startTestGateway,
  TEST_NOW_MS,
  testAccounts,
  type TestGateway,
} from '../../../test/servers/test-gateway.js';

const HOUR_MS = 3_600_000;
const world = {
  nowMs: TEST_NOW_MS,
  catalogs: 'all' as 'all' | number[],
  disabled: false,
  admitted: true,
  refusal: undefined as Rejection | undefined,
  maxBitrateBps: null as number | null,
};
let model: TestReadModel;
let gateway: TestGateway;
let switchedOff: TestGateway;
let folder = '';
let transcodes: FakeTranscodes;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-hls-'));
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
  await seedFixtureVideos(model.write);
  await sql`update library.catalog set path = ${folder}`.execute(model.write);
  const { rows } = await sql<{ doc: string }>`select doc from library.song`.execute(model.write);
  const paths = ['The <Long> Film.mp4', 'Clips/clip.ogv', ...rows.map(({ doc }) => (JSON.parse(doc) as { path: string }).path)];
  for (const path of paths) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), 'anything');
  }
  await seedTestAccounts(model.write);
  transcodes = fakeTranscodes({ refusal: () => world.refusal });
  const auth = fixedAuth();
  const parts = {
    transcodes,
    now: () => world.nowMs,
    auth: {
      ...auth,
      admits: async () => world.admitted,
      account: async (id: Parameters<typeof auth.account>[0]) => {
        const account = await auth.account(id);
        return account && { ...account, catalogs: world.catalogs, disabled: world.disabled, maxBitrateBps: world.maxBitrateBps };
      },
    },
  };
  gateway = await startTestGateway(model.read, parts);
  switchedOff = await startTestGateway(model.read, { ...parts, settings: { ALLOW_VIDEO: false } });
});
afterAll(async () => {
  await gateway.stop();
  await switchedOff.stop();
  await model.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  Object.assign(world, { nowMs: TEST_NOW_MS, catalogs: 'all', disabled: false, admitted: true, refusal: undefined, maxBitrateBps: null });
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const call = (query: string, { operation = 'hls.m3u8', server = gateway, agent = 'spec' } = {}) =>
  server.app.inject({
    url: `/rest/${operation}?v=1.16.1&c=spec&f=json&${query}`,
    headers: { ...bearer(testAccounts.listener.token), 'user-agent': agent },
  });
const follow = (address: string, server = gateway, method: 'GET' | 'HEAD' = 'GET') =>
  server.app.inject({ url: `/rest/${address}`, method });
const addressesIn = (list: string): string[] => list.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
const errorOf = (body: string): number | undefined =>
  (JSON.parse(body) as { 'subsonic-response': { error?: { code: number } } })['subsonic-response'].error?.code;
const targets = (): TranscodeTarget[] => transcodes.requests.map(({ target }) => target);

describe('a list', () => {
  it.each(['hls', 'hls.view', 'hls.m3u8', 'HLS.m3u8.view'])('is answered under the name %s', async (operation) => {
    const answer = await call('id=so-1', { operation });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/vnd.apple.mpegurl']);
    expect(answer.body).toMatch(/^#EXTM3U\n/);
    expect(answer.body).toMatch(/#EXT-X-ENDLIST\n$/);
    expect(answer.body).not.toContain(testAccounts.listener.token);
  });
  it('has the type that VLC takes', async () => {
    expect((await call('id=so-1', { agent: 'VLC/3.0.18 LibVLC/3.0.18' })).headers['content-type']).toBe('audio/mpegurl');
  });
  it('leads to every segment without a login', async () => {
    const addresses = addressesIn((await call('id=vi-1&bitRate=1000@480x360&audioTrack=0')).body);
    expect(addresses).toHaveLength(675);
    const segment = await follow(addresses[3] ?? '');
    expect([segment.statusCode, segment.headers['content-type']]).toEqual([200, 'video/mp2t']);
    expect(segment.body).toContain('The <Long> Film.mp4 as');
    const picture = { maxWidthPx: 480, maxHeightPx: 270, bitrateKbps: 904 };
    const at = { format: 'ts', bitrateKbps: 96, sampleRateHz: 48_000, channels: 2, lengthMs: 8000, picture };
    // The one that follows is made ahead.
    expect(targets().at(-1)).toEqual({ ...at, offsetMs: 24_000 });
    expect(transcodes.prepared.at(-1)?.target).toEqual({ ...at, offsetMs: 32_000 });
    expect((await follow(addresses[674] ?? '')).statusCode).toBe(200);
    expect(targets().at(-1)).toMatchObject({ offsetMs: 5_392_000, lengthMs: 10_400 });
  });
  it('of several rates leads to lists', async () => {
    const master = await call('id=vi-1&bitRate=300&bitRate=2000@1280x720&bitRate=900');
    expect(master.body.match(/RESOLUTION=\d+x\d+/g)).toEqual(['RESOLUTION=426x240', 'RESOLUTION=1280x720', 'RESOLUTION=640x360']);
    const [first = ''] = addressesIn(master.body);
    const list = await follow(first);
    expect(list.headers['content-type']).toBe('application/vnd.apple.mpegurl');
    const [segment = ''] = addressesIn(list.body);
    expect(segment).toBe('0.ts');
    expect((await follow(first.replace('list.m3u8', segment))).statusCode).toBe(200);
  });
  it('is refused in the envelope', async () => {
    for (const [query, code] of [
      ['', 10],
      ['id=so-999', 70],
      ['id=vi-2', 0],
      ['id=so-1&bitRate=x', 10],
      [`id=so-1&${'bitRate=1&'.repeat(20)}`, 10],
      ['id=so-1&audioTrack=1', 10],
      ['id=vi-1&audioTrack=../1', 10],
    ] as const)
      expect([query, errorOf((await call(query)).body)]).toEqual([query, code]);
    world.admitted = false;
    expect(errorOf((await call('id=so-1')).body)).toBe(50);
  });
  it('of a video is not there where videos are switched off', async () => {
    expect(errorOf((await call('id=vi-1', { server: switchedOff })).body)).toBe(70);
    const [address = ''] = addressesIn((await call('id=vi-1')).body);
    expect((await follow(address)).statusCode).toBe(200);
    expect((await follow(address, switchedOff)).statusCode).toBe(404);
  });
});

describe('the address of a segment', () => {
  const one = async (query = 'id=so-1'): Promise<string> => addressesIn((await call(query)).body)[0] ?? '';

  it('opens nothing else, whatever is changed in it', async () => {
    const address = await one('id=vi-1&bitRate=700');
    expect((await follow(address)).statusCode).toBe(200);
    const [, token = ''] = address.split('/');
    const changed = [
      token.replace(/^v-1-/, 'v-2-'),
      token.replace(/^v-1-2-/, 'v-1-1-'),
      token.replace(/^v-/, 's-'),
      token.replace('-636-', '-9636-'),
      token.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      token.slice(0, -1),
      'x',
      '..%2f..',
    ];
    for (const other of changed) expect([other, (await follow(`hls/${other}/0.ts`)).statusCode]).toEqual([other, 404]);
    for (const file of ['675.ts', '-1.ts', '00.ts', '1.5.ts', '0.ts.mp4', 'x', '..%2f0.ts', 'list.m3u', '9999999.ts'])
      expect([file, (await follow(`hls/${token}/${file}`)).statusCode]).toEqual([file, 404]);
  });
  it('is over after half a day', async () => {
    const address = await one();
    world.nowMs += 11 * HOUR_MS;
    expect((await follow(address)).statusCode).toBe(200);
    world.nowMs += HOUR_MS;
    expect((await follow(address)).statusCode).toBe(404);
  });
  it('opens what its account still sees, from where it may', async () => {
    const [song, video] = [await one('id=so-1'), await one('id=vi-1')];
    const statuses = async (): Promise<number[]> => [(await follow(song)).statusCode, (await follow(video)).statusCode];
    expect(await statuses()).toEqual([200, 200]);
    world.catalogs = [99];
    expect(await statuses()).toEqual([404, 404]);
    world.catalogs = 'all';
    world.disabled = true;
    expect(await statuses()).toEqual([404, 404]);
    world.disabled = false;
    world.admitted = false;
    expect(await statuses()).toEqual([403, 403]);
  });
  it('opens no more than its account may be sent by now', async () => {
    const [song, video] = [await one('id=so-1&bitRate=256'), await one('id=vi-1&bitRate=4000@1920x1080')];
    const targetOf = async (address: string): Promise<TranscodeTarget | undefined> => {
      expect((await follow(address)).statusCode).toBe(200);
      return targets().at(-1);
    };
    expect(await targetOf(song)).toMatchObject({ bitrateKbps: 256 });
    expect(await targetOf(video)).toMatchObject({ bitrateKbps: 128, picture: { bitrateKbps: 3872 } });
    world.maxBitrateBps = 96_000;
    expect(await targetOf(song)).toMatchObject({ bitrateKbps: 96 });
    world.maxBitrateBps = 800_000;
    expect(await targetOf(song)).toMatchObject({ bitrateKbps: 256 });
    expect(await targetOf(video)).toMatchObject({ bitrateKbps: 64, picture: { bitrateKbps: 736, maxWidthPx: 640, maxHeightPx: 360 } });
    // The one made ahead keeps to it, too.
    expect(transcodes.prepared.at(-1)?.target).toMatchObject({ bitrateKbps: 64, picture: { bitrateKbps: 736 } });
  });
  it('says when to come again, and what is wrong', async () => {
    const address = await one('id=so-2');
    world.refusal = new Rejection('transcode.busy', undefined, '7');
    vi.useFakeTimers({ toFake: ['performance'] });
    const passing = setInterval(() => vi.advanceTimersByTime(5000), 20);
    const busy = await follow(address);
    clearInterval(passing);
    vi.useRealTimers();
    expect([busy.statusCode, busy.headers['retry-after']]).toEqual([429, '7']);
    setTimeout(() => Object.assign(world, { refusal: undefined }), 100);
    expect((await follow(address)).statusCode).toBe(200);
    world.refusal = new Rejection('unavailable');
    expect((await follow(address)).statusCode).toBe(503);
    world.refusal = new Rejection('transcode.failed');
    expect((await follow(address)).statusCode).toBe(500);
    world.refusal = undefined;
    expect((await follow(`${address}?a=%00`)).statusCode).toBe(400);
  });
  it('starts no transcode for HEAD', async () => {
    const address = await one('id=so-3');
    const before = transcodes.requests.length;
    const heads = await follow(address, gateway, 'HEAD');
    expect([heads.statusCode, heads.headers['content-type'], heads.body]).toEqual([200, 'video/mp2t', '']);
    expect(transcodes.requests).toHaveLength(before);
  });
});
