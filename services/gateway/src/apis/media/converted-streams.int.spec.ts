import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { Rejection, startPlayback, type SongDocument, type TranscodeTarget } from '@continuo/contracts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { fakeTranscodes, type CapturedTranscode } from '../../../test/fakes/fake-transcodes.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { fixedAuth, seedTestAccounts, startTestGateway, testAccounts, type TestGateway } from '../../../test/servers/test-gateway.js';
import type { Transcodes } from '../../transcode/transcodes.js';

const commands = new InMemoryCommandClient();
const original = Buffer.alloc(50_000, 'original ');
const made = Buffer.alloc(20_000, 'converted ');
const token = testAccounts.listener.token;
/** Behaviour of the workers, set by each test. */
const workers: { state: 'growing' | 'finished'; refusal?: Rejection | undefined; open?: Transcodes['open'] } = { state: 'growing' };
let asked: CapturedTranscode[] = [];
const limits: { maxBitrateBps: number | null } = { maxBitrateBps: null };
let model: TestReadModel;
let gateway: TestGateway;
let music = '';

const song = (fileName: string, doc: Partial<SongDocument> = {}) => ({
  title: fileName,
  album: 'Album',
  artists: ['Artist'],
  folder: '',
  fileName,
  catalogId: 1,
  doc: { durationMs: 100_000, ...doc },
});

beforeAll(async () => {
  music = await mkdtemp(join(tmpdir(), 'gateway-converted-'));
  for (const name of ['1.flac', '2.mp3']) await writeFile(join(music, name), original);
  model = await testReadModel();
  await seedFixtureLibrary(model.write, [
    song('1.flac', { bitrateBps: 900_000, lossless: true, bitDepth: 16 }),
    song('2.mp3', { bitrateBps: 256_000, mime: 'audio/mpeg', codec: 'MPEG 1 Layer 3' }),
    song('3.flac'),
  ]);
  await seedTestAccounts(model.write);
  await sql`update library.catalog set path = ${music}`.execute(model.write);
  commands.handle(startPlayback, async () => ({ result: { recorded: true }, positions: [] }));
  const transcodes: Transcodes = {
    prepare: async () => undefined,
    open: async (source, target) => {
      asked.push({ source, target });
      if (workers.open) return workers.open(source, target);
      const fake = fakeTranscodes({ state: workers.state, bytes: () => made, refusal: () => workers.refusal });
      return fake.open(source, target);
    },
  };
  const auth = fixedAuth();
  const limited = {
    ...auth,
    authenticateNative: async (request: Parameters<typeof auth.authenticateNative>[0]) => withLimit(await auth.authenticateNative(request)),
    authenticateMedia: async (...given: Parameters<typeof auth.authenticateMedia>) => withLimit(await auth.authenticateMedia(...given)),
    authenticateCompat: async (request: Parameters<typeof auth.authenticateCompat>[0]) => {
      const result = await auth.authenticateCompat(request);
      return result.ok ? { ...result, caller: withLimit(result.caller) } : result;
    },
  };
  gateway = await startTestGateway(model.read, { commands, transcodes, auth: limited });
  await gateway.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await gateway.stop();
  await model.close();
  await rm(music, { recursive: true, force: true });
});
beforeEach(() => {
  asked = [];
  workers.state = 'growing';
  workers.refusal = undefined;
  delete workers.open;
  limits.maxBitrateBps = null;
});

const withLimit = <C extends { readonly account: object }>(caller: C): C => ({ ...caller, account: { ...caller.account, ...limits } });

const base = (): string => {
  const address = gateway.app.server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen');
  return `http://127.0.0.1:${address.port}`;
};
const get = (path: string, init: RequestInit = {}): Promise<Response> => fetch(`${base()}${path}`, init);
const bytesOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());
const targets = (): TranscodeTarget[] => asked.map(({ target }) => target);

/** The same request on every surface: the id of a song, a format, a rate in kbit/s, a start in seconds, and whether a length is wanted. */
interface Asked {
  readonly id?: number;
  readonly format?: string;
  readonly kbps?: number;
  readonly from?: number;
  readonly length?: boolean;
}
const query = (params: Record<string, string | number | undefined>): string =>
  new URLSearchParams(
    Object.entries(params).flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, String(value)]])),
  ).toString();
const surfaces = {
  stream: ({ id = 1, format, kbps, from, length }: Asked) =>
    `/server/json.server.php?${query({ action: 'stream', type: 'song', filter: id, auth: token, format, bitrate: kbps && kbps * 1000, offset: from, length: length ? 1 : undefined })}`,
  play: ({ id = 1, format, kbps, from, length }: Asked) =>
    `/play/index.php?${query({ ssid: token, type: 'song', oid: id, transcode_to: format, bitrate: kbps && kbps * 1000, frame: from, content_length: length ? 'required' : undefined })}`,
  compat: ({ id = 1, format, kbps, from, length }: Asked) =>
    `/rest/stream.view?${query({ auth: token, v: '1.16.1', c: 'spec', f: 'json', id: `so-${id}`, format, maxBitRate: kbps, timeOffset: from, estimateContentLength: length ? 'true' : undefined })}`,
};
const everywhere = Object.entries(surfaces);

describe.each(everywhere)('what %s sends', (name, address) => {
  it('is the file where nothing else is said', async () => {
    const response = await get(address({}));
    expect(response.status).toBe(200);
    expect(response.headers.get('accept-ranges')).toBe('bytes');
    expect((await bytesOf(response)).equals(original)).toBe(true);
    expect(asked).toEqual([]);
  });
  it('flows in another form while it is made', async () => {
    const response = await get(address({ format: 'mp3', kbps: 192 }), { headers: { range: 'bytes=0-9' } });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'audio/mpeg',
      'transfer-encoding': 'chunked',
      'x-content-duration': '100',
      'content-disposition': expect.stringContaining('1.flac.mp3'),
    });
    expect(response.headers.get('accept-ranges')).toBeNull();
    expect((await bytesOf(response)).equals(made)).toBe(true);
    expect(asked).toMatchObject([
      {
        source: { catalogPath: music, path: '1.flac', sizeBytes: original.length, durationMs: 100_000 },
        target: { format: 'mp3', bitrateKbps: 192 },
      },
    ]);
  });
  it('is a file once it is made', async () => {
    workers.state = 'finished';
    const whole = await get(address({ format: 'opus' }));
    expect(Object.fromEntries(whole.headers)).toMatchObject({ 'content-length': String(made.length), 'accept-ranges': 'bytes' });
    expect((await bytesOf(whole)).equals(made)).toBe(true);
    const part = await get(address({ format: 'opus' }), { headers: { range: 'bytes=100-199' } });
    expect(part.status).toBe(206);
    expect((await bytesOf(part)).equals(made.subarray(100, 200))).toBe(true);
    const etag = whole.headers.get('etag') ?? '';
    expect((await get(address({ format: 'opus' }), { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await get(address({ format: 'opus' }), { headers: { range: 'bytes=20000-' } })).status).toBe(416);
  });
  it('starts later', async () => {
    const response = await get(address({ format: 'mp3', from: 61.5 }));
    expect(response.headers.get('x-content-duration')).toBe('38.5');
    await response.arrayBuffer();
    expect(targets()).toMatchObject([{ format: 'mp3', offsetMs: 61_500 }]);
  });
  it('starts later in the form that it has', async () => {
    await (await get(address({ id: 2, from: 10 }))).arrayBuffer();
    expect(targets()).toEqual([{ format: 'mp3', copySound: true, offsetMs: 10_000 }]);
  });
  it('is the file for raw', async () => {
    const response = await get(address({ format: 'raw', kbps: 32, from: 10 }));
    expect((await bytesOf(response)).equals(original)).toBe(true);
    expect(asked).toEqual([]);
  });
  it('has exactly the length that is announced, filled up', async () => {
    const response = await get(address({ format: 'mp3', kbps: 128, length: true }));
    const announced = Number(response.headers.get('content-length'));
    expect(announced).toBeGreaterThanOrEqual(1_600_000);
    expect(announced).toBeLessThan(1_700_000);
    const body = await bytesOf(response);
    expect(body.length).toBe(announced);
    expect(body.subarray(0, made.length).equals(made)).toBe(true);
    expect(body.subarray(made.length).every((byte) => byte === 0)).toBe(true);
  });
  it('has exactly the length that is announced, cut', async () => {
    workers.open = async () => ({
      state: 'growing',
      mime: 'audio/mpeg',
      body: Readable.from([Buffer.alloc(3_000_000, 1)], { objectMode: false }),
    });
    const response = await get(address({ format: 'mp3', kbps: 128, length: true }));
    expect((await bytesOf(response)).length).toBe(Number(response.headers.get('content-length')));
  });
  it('tells by HEAD what it would be, and nothing is made', async () => {
    const response = await get(address({ format: 'mp3', length: true }), { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('audio/mpeg');
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(1_000_000);
    expect(asked).toEqual([]);
  });
  it('has no higher rate than the account may have', async () => {
    limits.maxBitrateBps = 96_000;
    await (await get(address({}))).arrayBuffer();
    await (await get(address({ format: 'opus', kbps: 192 }))).arrayBuffer();
    expect(targets()).toMatchObject([
      { format: 'mp3', bitrateKbps: 96 },
      { format: 'opus', bitrateKbps: 96 },
    ]);
  });
  it('is refused while every place is taken, with the time to wait', async () => {
    workers.refusal = new Rejection('transcode.busy', undefined, '7');
    for (const method of ['GET', 'POST']) {
      const response = await get(address({ format: 'mp3' }), { method });
      expect(response.status).toBe(429);
      expect(response.headers.get('retry-after')).toBe('7');
      expect(response.headers.get('content-type')).not.toContain('audio');
    }
  });
  it('is refused without a worker when the form was named, and the file when it was not', async () => {
    workers.refusal = new Rejection('unavailable');
    const named = await get(address({ format: 'opus' }));
    expect(named.headers.get('content-type')).not.toContain('audio');
    expect(named.status).toBe({ stream: 400, play: 503, compat: 200 }[name]);
    const anything = await get(address({ kbps: 64 }));
    expect((await bytesOf(anything)).equals(original)).toBe(true);
  });
  it('is refused when nothing comes of the file', async () => {
    const failing: readonly Transcodes['open'][] = [
      () => Promise.reject(new Rejection('transcode.failed')),
      async () => ({ state: 'growing', mime: 'audio/mpeg', body: Readable.from([], { objectMode: false }) }),
      async () => {
        const body = new Readable({ read: () => body.destroy(new Error('ffmpeg has ended')) });
        return { state: 'growing', mime: 'audio/mpeg', body };
      },
    ];
    for (const open of failing) {
      workers.open = open;
      const response = await get(address({ format: 'mp3' }));
      expect(response.status).toBe({ stream: 400, play: 500, compat: 200 }[name]);
      expect(response.headers.get('content-type')).not.toContain('audio');
      expect(response.headers.get('x-content-duration')).toBeNull();
    }
  });
  it.each([false, true])('breaks off when the making does, with a length announced: %s', async (length) => {
    workers.open = async () => {
      const body = Readable.from(
        (async function* () {
          yield Buffer.alloc(1000, 1);
          await new Promise((resolve) => setTimeout(resolve, 20));
          throw new Error('ffmpeg has ended');
        })(),
        { objectMode: false },
      );
      return { state: 'growing', mime: 'audio/mpeg', body };
    };
    const response = await get(address({ format: 'mp3', length }));
    expect(response.status).toBe(200);
    await expect(response.arrayBuffer()).rejects.toThrow('terminated');
  });
  it.each([false, true])('ends with its listener, with a length announced: %s', async (length) => {
    const body = new Readable({ read: () => undefined });
    workers.open = async () => {
      body.push(Buffer.alloc(100, 1));
      return { state: 'growing', mime: 'audio/mpeg', body };
    };
    const request = http.get(`${base()}${address({ format: 'mp3', length })}`);
    await once(request, 'response');
    const closed = once(body, 'close');
    request.destroy();
    await closed;
    expect(body.destroyed).toBe(true);
  });
  it.each([{ format: 'xyz' }, { format: '-i' }, { format: 'mp3', from: 100 }, { format: 'mp3; rm' }])('is refused for %j', async (form) => {
    const response = await get(address(form));
    expect(response.status).toBe(name === 'compat' ? 200 : 400);
    expect(response.headers.get('content-type')).not.toContain('audio');
    expect(asked).toEqual([]);
  });
  it('is refused when the file is gone', async () => {
    const response = await get(address({ id: 3, format: 'mp3' }));
    expect(response.status).toBe(name === 'compat' ? 200 : 404);
    expect(asked).toEqual([]);
  });
});

describe('preferences', () => {
  const set = async (values: Record<number, string>): Promise<void> => {
    await sql`delete from social.user_preference`.execute(model.write);
    for (const [id, value] of Object.entries(values))
      await sql`insert into social.user_preference (user_id, preference_id, value) values (2, ${Number(id)}, ${value})`.execute(
        model.write,
      );
    gateway.services.preferences.noteChange();
  };
  afterEach(() => set({}));
  it('decide over plain streams and what objects say of them', async () => {
    await set({ 70: 'required', 71: '96', 73: 'opus' });
    const answer = await get(`/server/json.server.php?action=song&filter=1&auth=${token}&version=8.0.0`);
    const shown = (await answer.json()) as { url: string; format: string };
    expect(shown).toMatchObject({
      format: 'flac',
      stream_format: 'opus',
      stream_mime: 'audio/ogg',
      bitrate: 900_000,
      stream_bitrate: 96_000,
    });
    expect(shown.url).toContain('&transcode_to=opus&bitrate=96000&player=api&name=Artist%20-%201.flac.opus');
    await (await get(new URL(shown.url).pathname + new URL(shown.url).search)).arrayBuffer();
    await (await get(surfaces.stream({}))).arrayBuffer();
    await (await get(surfaces.compat({}))).arrayBuffer();
    expect(targets()).toEqual(Array.from({ length: 3 }, () => ({ format: 'opus', bitrateKbps: 96, offsetMs: 0 })));
    const child = await get(`/rest/getSong.view?auth=${token}&v=1.16.1&c=x&f=json&id=so-1`);
    expect(await child.json()).toMatchObject({
      'subsonic-response': {
        song: { suffix: 'flac', contentType: 'audio/flac', transcodedSuffix: 'opus', transcodedContentType: 'audio/ogg' },
      },
    });
  });
  it('give way where nobody can convert, by the address in the object, too', async () => {
    await set({ 71: '96' });
    workers.refusal = new Rejection('unavailable');
    for (const address of [surfaces.stream({}), surfaces.play({ format: 'mp3', kbps: 96 }), surfaces.compat({})])
      expect((await bytesOf(await get(address))).equals(original)).toBe(true);
  });
  it('convert nothing that is kept', async () => {
    await set({ 70: 'required' });
    const kept = [
      `/server/json.server.php?action=download&type=song&filter=1&auth=${token}`,
      `/rest/download?auth=${token}&v=1.16.1&c=x&id=so-1`,
    ];
    for (const address of kept) expect((await bytesOf(await get(address))).equals(original)).toBe(true);
    expect(asked).toEqual([]);
  });
  it('may say never', async () => {
    await set({ 70: 'never' });
    for (const [, address] of everywhere)
      expect((await bytesOf(await get(address({ format: 'mp3', kbps: 64 })))).equals(original)).toBe(true);
  });
});

describe('downloads', () => {
  it('are converted when a format is named', async () => {
    const response = await get(`/server/json.server.php?action=download&type=song&filter=1&auth=${token}&format=mp3&bitrate=64000`);
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="Artist - 1\.flac\.mp3"/);
    await response.arrayBuffer();
    expect(targets()).toEqual([{ format: 'mp3', bitrateKbps: 64, offsetMs: 0 }]);
  });
});

describe('slices of a play address', () => {
  it('are ten seconds long', async () => {
    const response = await get(`${surfaces.play({ format: 'mp3' })}&segment=3`);
    expect(response.headers.get('x-content-duration')).toBe('10');
    await response.arrayBuffer();
    expect(targets()).toMatchObject([{ offsetMs: 30_000, lengthMs: 10_000 }]);
  });
  it.each(['segment=9999999', 'segment=60001', 'frame=99999999999'])('lie behind the end, however far: %s', async (part) => {
    expect((await get(`${surfaces.play({ format: 'mp3' })}&${part}`)).status).toBe(400);
    expect(targets()).toEqual([]);
  });
  it('are as long as is said', async () => {
    await (await get(`${surfaces.play({})}&frame=1.25&duration=2.5`)).arrayBuffer();
    expect(targets()).toEqual([{ format: 'flac', copySound: true, offsetMs: 1250, lengthMs: 2500 }]);
  });
});

describe('the gain of a play address', () => {
  const playOf = (more: string): Promise<Response> => get(`${surfaces.play({ id: 2 })}&${more}`);
  it.each([
    ['gain=-6.254', { format: 'mp3', bitrateKbps: 256, offsetMs: 0, gainDb: -6.25 }],
    ['gain=%2B30&frame=10', { format: 'mp3', bitrateKbps: 256, offsetMs: 10_000, gainDb: 30 }],
    ['gain=3&format=raw', { format: 'mp3', bitrateKbps: 256, offsetMs: 0, gainDb: 3 }],
  ])('is applied to what is made anew: %s', async (more, target) => {
    expect((await bytesOf(await playOf(more))).equals(made)).toBe(true);
    expect(targets()).toEqual([target]);
  });
  it.each(['gain=0', 'gain=-0.001'])('of nothing leaves the file: %s', async (more) => {
    expect((await bytesOf(await playOf(more))).equals(original)).toBe(true);
    expect(asked).toEqual([]);
  });
  it.each(['loud', '99', '-30.01', '', '1e1', 'NaN', '3dB', '0x1', "3',x"])('is refused: %s', async (gain) => {
    const response = await playOf(`gain=${encodeURIComponent(gain)}`);
    expect([response.status, await response.text()]).toEqual([400, 'the gain must be a number of dB from -30 to 30\n']);
    expect(asked).toEqual([]);
  });
  it('is an error where nobody makes it, and never the file', async () => {
    workers.refusal = new Rejection('unavailable', 'nobody is there');
    expect((await playOf('gain=-6')).status).toBe(503);
  });
});

describe('getTranscodeStream', () => {
  const credentials = `auth=${token}&v=1.16.1&c=spec&f=json`;
  const decide = async (id = 'so-1', as = credentials, form = 'mp3'): Promise<string> => {
    const client = {
      name: 'x',
      platform: 'x',
      directPlayProfiles: [{ containers: ['mp3'] }],
      transcodingProfiles: [{ container: form, audioCodec: form, protocol: 'http' }],
    };
    const response = await get(`/rest/getTranscodeDecision?${as}&mediaId=${id}&mediaType=song`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(client),
    });
    const answer = (await response.json()) as { 'subsonic-response': { transcodeDecision: { transcodeParams: string } } };
    return answer['subsonic-response'].transcodeDecision.transcodeParams;
  };
  const stream = (params: string, id = 'so-1', more = ''): Promise<Response> =>
    get(`/rest/getTranscodeStream?${credentials}&mediaId=${id}&mediaType=song&transcodeParams=${params}${more}`);

  it('sends what was decided, from where it is wanted', async () => {
    const params = await decide();
    expect(params).toMatch(/^[\w.-]+$/);
    const response = await stream(params, 'so-1', '&offset=20');
    expect(response.status).toBe(200);
    expect((await bytesOf(response)).equals(made)).toBe(true);
    expect(targets()).toEqual([{ format: 'mp3', bitrateKbps: 128, offsetMs: 20_000 }]);
  });
  it('sends no more than the account may be sent by now', async () => {
    const [params, whole] = [await decide(), await decide('so-1', credentials, 'flac')];
    limits.maxBitrateBps = 64_000;
    await (await stream(params)).arrayBuffer();
    expect(targets()).toEqual([{ format: 'mp3', bitrateKbps: 64, offsetMs: 0 }]);
    expect((await stream(whole)).status).toBe(400);
    expect(asked).toHaveLength(1);
  });
  it('tells by its status what is wrong', async () => {
    const params = await decide();
    const other = await decide('so-2', `auth=${testAccounts.admin.token}&v=1.16.1&c=spec&f=json`);
    expect((await stream(`${params}0`)).status).toBe(400);
    expect((await stream('')).status).toBe(400);
    expect((await stream(params, 'so-2')).status).toBe(400);
    expect((await stream(other, 'so-2')).status).toBe(400);
    expect((await stream(params, 'so-999')).status).toBe(404);
    for (const offset of ['100', '99999999999', '-1', 'NaN', 'abc', '1e9'])
      expect([offset, (await stream(params, 'so-1', `&offset=${offset}`)).status]).toEqual([offset, 400]);
    expect((await get(`/rest/getTranscodeStream?v=1.16.1&c=x&f=json&mediaId=so-1&mediaType=song&transcodeParams=${params}`)).status).toBe(
      401,
    );
    const gone = await get(`/rest/getTranscodeStream?${credentials}&mediaId=so-3&mediaType=song&transcodeParams=${await decide('so-3')}`);
    expect(gone.status).toBe(404);
    workers.refusal = new Rejection('transcode.failed');
    const failed = await stream(params);
    expect(failed.status).toBe(500);
    expect(await failed.json()).toMatchObject({ 'subsonic-response': { status: 'failed' } });
    workers.refusal = new Rejection('unavailable');
    expect((await stream(params)).status).toBe(500);
    workers.refusal = new Rejection('transcode.busy');
    const busy = await stream(params);
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([429, '5']);
  });
});

describe('exact lengths', () => {
  it('are those of small and of no bodies', async () => {
    const { padOrTruncate } = await import('../../features/media/exact-length.js');
    expect((await buffer(padOrTruncate(Readable.from([Buffer.from('abc')], { objectMode: false }), 2))).toString()).toBe('ab');
    expect((await buffer(padOrTruncate(Readable.from([], { objectMode: false }), 200_000))).length).toBe(200_000);
  });
});
