import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Rejection } from '@continuo/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fakeTranscodes, type FakeTranscodes } from '../../../test/fakes/fake-transcodes.js';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { fixtureSongs } from '../../../test/library/fixture-songs.js';
import { seedFixtureVideos } from '../../../test/library/fixture-videos.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { seedTestAccounts, startTestGateway, testAccounts, type TestGateway } from '../../../test/servers/test-gateway.js';

const original = Buffer.from('the original bytes');
let model: TestReadModel;
let gateway: TestGateway;
let folder = '';
let transcodes: FakeTranscodes;
let refusal: Rejection | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-video-streams-'));
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
  await seedFixtureVideos(model.write);
  await sql`update library.catalog set path = ${folder}`.execute(model.write);
  await mkdir(join(folder, 'Clips'));
  await writeFile(join(folder, 'The <Long> Film.mp4'), original);
  await writeFile(join(folder, 'Clips/clip.ogv'), original);
  await seedTestAccounts(model.write);
  transcodes = fakeTranscodes({ refusal: () => refusal });
  gateway = await startTestGateway(model.read, { transcodes });
});
beforeEach(() => {
  refusal = undefined;
});
afterAll(async () => {
  await gateway.stop();
  await model.close();
  await rm(folder, { recursive: true, force: true });
});

const { token } = testAccounts.listener;
const get = (url: string, headers: Record<string, string> = {}) =>
  gateway.app.inject({ url, headers: { authorization: `Bearer ${token}`, ...headers } });
const compat = (query: string) => get(`/rest/stream?v=1.16.1&c=spec&f=json&${query}`);
const played = (query: string) => get(`/play/index.php?type=video&oid=1&ssid=${token}&${query}`, {});
const native = (query: string) => get(`/server/json.server.php?version=8.0.0&action=stream&type=video&filter=1&${query}`);
const target = () => transcodes.requests.at(-1)?.target;

describe('a video', () => {
  it('is sent as it is, with ranges, when nothing else is asked for', async () => {
    const before = transcodes.requests.length;
    for (const answer of [await compat('id=vi-1'), await compat('id=vi-1&format=raw&maxBitRate=64'), await played(''), await native('')]) {
      expect([answer.statusCode, answer.headers['accept-ranges'], answer.headers['content-type']]).toEqual([200, 'bytes', 'video/mp4']);
      expect(answer.rawPayload.equals(original)).toBe(true);
    }
    expect((await get(`/rest/stream?v=1.16.1&c=spec&id=vi-1`, { range: 'bytes=4-11' })).body).toBe('original');
    expect(transcodes.requests).toHaveLength(before);
  });
  it('is converted as the compatibility API asks', async () => {
    const small = await compat('id=vi-1&size=640x480&timeOffset=30');
    expect([small.statusCode, small.headers['content-type']]).toEqual([200, 'video/mp4']);
    expect(small.headers['content-disposition']).toContain('.mp4');
    expect(target()).toMatchObject({ format: 'mp4', offsetMs: 30_000, picture: { maxWidthPx: 640, maxHeightPx: 360 } });
    await compat('id=vi-1&maxBitRate=500');
    expect(target()).toMatchObject({ format: 'mp4', bitrateKbps: 64, picture: { bitrateKbps: 436 } });
    expect((await compat('id=vi-1&format=webm')).headers['content-type']).toBe('video/webm');
    await compat('id=vi-2&converted=true');
    expect(target()).toMatchObject({ format: 'mp4' });
    expect((await compat('id=vi-1&format=mp3')).headers['content-type']).toBe('audio/mpeg');
    expect((await compat('id=vi-1&format=flv')).json()).toMatchObject({ 'subsonic-response': { error: { code: 10 } } });
  });
  it('is converted as play addresses and the native API ask', async () => {
    await played('transcode_to=webm&bitrate=700000&frame=12.5&duration=5');
    expect(target()).toMatchObject({ format: 'webm', offsetMs: 12_500, lengthMs: 5000, picture: { bitrateKbps: 636 } });
    await played('segment=3');
    expect(target()).toMatchObject({ format: 'ts', offsetMs: 30_000, lengthMs: 10_000 });
    await played('subtitle=eng');
    expect(target()).toMatchObject({ format: 'mp4', captionTrack: 0 });
    await native('format=ts&offset=10&bitrate=500000');
    expect(target()).toMatchObject({ format: 'ts', offsetMs: 10_000 });
    expect((await played('subtitle=fre')).statusCode).toBe(400);
    expect((await played('frame=6000')).statusCode).toBe(400);
    expect((await played('transcode_to=exe')).statusCode).toBe(400);
  });
  it('is sent as it is where nobody can convert and only its rate was too high', async () => {
    refusal = new Rejection('unavailable');
    expect((await compat('id=vi-1&maxBitRate=300')).rawPayload.equals(original)).toBe(true);
    expect((await played('transcode_to=webm')).statusCode).toBe(503);
  });
});
