import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { recordDownload, startPlayback } from '@continuo/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fakeTranscodes, type CapturedTranscode } from '../../../test/fakes/fake-transcodes.js';
import { insertEpisode, insertPodcast } from '../../../test/library/podcast-fixture.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { fixedAuth, seedTestAccounts, startTestGateway, testAccounts, type TestGateway } from '../../../test/servers/test-gateway.js';

const bytes = Buffer.alloc(60_000, 'an episode ');
const made = Buffer.alloc(20_000, 'converted ');
const { token } = testAccounts.listener;
/** An account that sees no catalog of podcasts. */
const blind = { id: 7, username: 'blind', access: 25, token: 'blind-token', catalogs: [99] } as const;
const [KEPT, ELSEWHERE, LOST, FILM, NONE] = [1, 2, 3, 4, 9];
let model: TestReadModel;
let gateway: TestGateway;
let closed: TestGateway;
let talks: string;
let asked: CapturedTranscode[] = [];
let told: Record<string, unknown>[] = [];

const kept = {
  state: 'completed',
  format: 'mp3',
  codec: 'MPEG 1 Layer 3',
  mime: 'audio/mpeg',
  size_bytes: bytes.length,
  duration_ms: 600_000,
  bitrate_bps: 192_000,
  bitrate_mode: 'cbr',
  lossless: false,
  sample_rate_hz: 44_100,
  channels: 2,
  bit_depth: 0,
  download_run: 1,
} as const;

const seed = async (): Promise<void> => {
  await sql`insert into library.catalog (id, name, type, gather_types, path, added_at_ms) values (1, 'talks', 'local', 'podcast', ${talks}, 0)`.execute(
    model.write,
  );
  await insertPodcast(model.write, { id: 1, catalog_id: 1, title: 'Garden Talk' });
  const place = { podcast_id: 1, catalog_id: 1 };
  await insertEpisode(model.write, { ...place, ...kept, id: KEPT, title: 'Roots', path: 'podcast-1/1.mp3' });
  await insertEpisode(model.write, {
    ...place,
    id: ELSEWHERE,
    title: 'Leaves',
    mime: 'audio/mpeg',
    duration_ms: 60_000,
    size_bytes: 960_000,
  });
  await insertEpisode(model.write, { ...place, ...kept, id: LOST, title: 'Bark', path: 'podcast-1/3.mp3' });
  await insertEpisode(model.write, {
    ...place,
    ...kept,
    id: FILM,
    title: 'Film',
    path: 'podcast-1/4.mp4',
    format: 'mp4',
    codec: 'aac',
    mime: 'video/mp4',
  });
};

beforeAll(async () => {
  talks = await mkdtemp(join(tmpdir(), 'gateway-episodes-'));
  await mkdir(join(talks, 'podcast-1'));
  for (const name of ['1.mp3', '4.mp4']) await writeFile(join(talks, 'podcast-1', name), bytes);
  model = await testReadModel();
  await seedTestAccounts(model.write);
  await seed();
  const commands = new InMemoryCommandClient();
  const note = (what: string, data: object): void => void told.push({ what, ...data });
  commands.handle(startPlayback, async ({ data }) => {
    note('play', data);
    return { result: { recorded: true }, positions: [] };
  });
  commands.handle(recordDownload, async ({ data }) => {
    note('download', data);
    return { result: { recorded: true }, positions: [] };
  });
  const transcodes = {
    prepare: async () => undefined,
    open: async (source: CapturedTranscode['source'], target: CapturedTranscode['target']) => {
      asked.push({ source, target });
      return fakeTranscodes({ state: 'finished', bytes: () => made }).open(source, target);
    },
  };
  const auth = fixedAuth([...Object.values(testAccounts), blind]);
  gateway = await startTestGateway(model.read, { commands, transcodes, auth });
  closed = await startTestGateway(model.read, { commands, transcodes, auth, settings: { PODCAST: false } });
});
afterAll(async () => {
  await Promise.all([gateway.stop(), closed.stop()]);
  await model.close();
  await rm(talks, { recursive: true, force: true });
});
beforeEach(() => {
  asked = [];
  told = [];
});

const inject = (url: string, headers: Record<string, string> = {}, at = gateway) => at.app.inject({ url, headers });
const play = (id: number, more = '', ssid: string = token): string =>
  `/play/index.php?ssid=${ssid}&type=podcast_episode&oid=${id}&uid=2${more}`;
const native = (action: string, id: number | string, more = '', auth: string = token): string =>
  `/server/json.server.php?action=${action}&type=podcast_episode&filter=${id}&auth=${auth}${more}`;
const compat = (operation: string, id: string, more = ''): string => `/rest/${operation}?f=json&v=1.16.1&c=spec&id=${id}${more}`;
const bearer = (ssid: string = token): Record<string, string> => ({ authorization: `Bearer ${ssid}` });
const publisher = (id: number): string => `https://feeds.example/${id}.mp3`;

describe('an episode whose file is here', () => {
  it.each([
    ['its address', play(KEPT), {}],
    ['stream', native('stream', KEPT), {}],
    ['stream by REST', `/rest/8/json/podcast-episodes/${KEPT}/stream?auth=${token}`, {}],
    ['the other API', compat('stream', `pe-${KEPT}`), bearer()],
  ])('is sent as it is by %s, and counted where that counts', async (_how, url, headers) => {
    const response = await inject(url, headers);
    expect([response.statusCode, response.headers['content-type'], response.rawPayload.equals(bytes)]).toEqual([200, 'audio/mpeg', true]);
    expect(response.headers['x-content-duration']).toBe('600');
    await expect.poll(() => told.length).toBeLessThanOrEqual(1);
    for (const one of told) expect(one).toMatchObject({ what: 'play', objectType: 'podcast_episode', objectId: KEPT, durationMs: 600_000 });
  });

  it('comes in part', async () => {
    const response = await inject(play(KEPT), { range: 'bytes=100-199' });
    expect([response.statusCode, response.headers['content-range'], response.rawPayload.length]).toEqual([206, 'bytes 100-199/60000', 100]);
  });

  it.each([
    ['its address', play(KEPT, '&action=download'), {}],
    ['download', native('download', KEPT), {}],
    ['the other API', compat('download', `pe-${KEPT}`), bearer()],
  ])('is kept under the name that people know by %s, and that is noted', async (_how, url, headers) => {
    const response = await inject(url, headers);
    expect([response.statusCode, response.headers['content-disposition']]).toEqual([
      200,
      expect.stringMatching(/^attachment; filename="Garden Talk - Roots\.mp3"/),
    ]);
    await expect.poll(() => told).toMatchObject([{ what: 'download', objectType: 'podcast_episode', objectId: KEPT }]);
  });

  it.each([
    ['its address', play(KEPT, '&format=opus&bitrate=48000'), {}, { format: 'opus', bitrateKbps: 48 }],
    ['stream', native('stream', KEPT, '&format=opus&bitrate=48000&offset=30'), {}, { format: 'opus', offsetMs: 30_000 }],
    ['the other API', compat('stream', `pe-${KEPT}`, '&maxBitRate=96'), bearer(), { bitrateKbps: 96 }],
  ])('is sent in another form by %s', async (_how, url, headers, target) => {
    const response = await inject(url, headers);
    expect([response.statusCode, response.rawPayload.equals(made)]).toEqual([200, true]);
    expect(asked).toEqual([
      { source: expect.objectContaining({ catalogPath: talks, path: 'podcast-1/1.mp3' }), target: expect.objectContaining(target) },
    ]);
  });

  it('to look at is sent with its picture, and as sound to those who ask for sound', async () => {
    const whole = await inject(compat('stream', `pe-${FILM}`, '&maxBitRate=64'), bearer());
    expect([whole.statusCode, whole.headers['content-type'], asked]).toEqual([200, 'video/mp4', []]);
    expect((await inject(compat('stream', `pe-${FILM}`, '&format=mp3'), bearer())).rawPayload.equals(made)).toBe(true);
  });
});

describe('an episode whose file is not here, or not any more', () => {
  it.each(
    [ELSEWHERE, LOST].flatMap((id) =>
      [play(id), native('stream', id), native('download', id), compat('stream', `pe-${id}`), compat('download', `pe-${id}`)].map(
        (url) => [url, id] as const,
      ),
    ),
  )('is heard where its publisher has it: %s', async (url, id) => {
    const response = await inject(url, url.startsWith('/rest') ? bearer() : {});
    expect([response.statusCode, response.headers.location]).toEqual([302, publisher(id)]);
    // The publisher is told nothing of who comes from where.
    expect([response.headers['referrer-policy'], response.headers['cache-control']]).toEqual(['no-referrer', 'private, no-store']);
    expect(response.body).not.toContain(token);
  });

  it('counts as one that is played', async () => {
    await inject(play(ELSEWHERE));
    await expect.poll(() => told).toMatchObject([{ what: 'play', objectType: 'podcast_episode', objectId: ELSEWHERE, durationMs: 60_000 }]);
  });
});

describe('what a client can play of an episode', () => {
  const decide = async (id: number, profiles: object): Promise<Record<string, unknown>> => {
    const url = `/rest/getTranscodeDecision?f=json&v=1.16.1&c=spec&mediaId=pe-${id}&mediaType=podcast`;
    const response = await gateway.app.inject({
      method: 'POST',
      url,
      headers: { ...bearer(), 'content-type': 'application/json' },
      payload: profiles,
    });
    return (JSON.parse(response.body) as { 'subsonic-response': Record<string, unknown> })['subsonic-response'];
  };
  const plays = (codec: string) => ({
    name: 'x',
    platform: 'y',
    directPlayProfiles: [{ containers: [codec], audioCodecs: [codec], protocols: ['http'] }],
    transcodingProfiles: [{ container: 'ogg', audioCodec: 'opus', protocol: 'http' }],
  });

  it('is the file as it is, or what is made of it', async () => {
    expect(await decide(KEPT, plays('mp3'))).toMatchObject({ transcodeDecision: { canDirectPlay: true } });
    const { transcodeDecision } = (await decide(KEPT, plays('flac'))) as {
      transcodeDecision: { canTranscode: boolean; transcodeParams: string };
    };
    expect(transcodeDecision).toMatchObject({ canDirectPlay: false, canTranscode: true });
    const url = `/rest/getTranscodeStream?v=1.16.1&c=spec&mediaId=pe-${KEPT}&mediaType=podcast&transcodeParams=${encodeURIComponent(transcodeDecision.transcodeParams)}`;
    expect((await inject(url, bearer())).rawPayload.equals(made)).toBe(true);
  });

  it('of one that is not here is nothing but what its publisher has', async () => {
    expect(await decide(ELSEWHERE, plays('mp3'))).toMatchObject({ transcodeDecision: { canDirectPlay: true } });
    const { transcodeDecision } = await decide(ELSEWHERE, plays('flac'));
    expect(transcodeDecision).toMatchObject({ canDirectPlay: false, canTranscode: false });
    expect(transcodeDecision).not.toHaveProperty('transcodeParams');
  });

  it('is nothing of one that is not there', async () => {
    expect(await decide(NONE, plays('mp3'))).toMatchObject({ error: { code: 70 } });
  });
});

describe('segments of an episode', () => {
  it('are made of the kept file', async () => {
    const list = await inject(compat('hls.m3u8', `pe-${KEPT}`), bearer(testAccounts.admin.token));
    expect([list.statusCode, list.body]).toEqual([200, expect.stringMatching(/^#EXTM3U/)]);
    const address = list.body.split('\n').find((line) => line !== '' && !line.startsWith('#')) ?? '';
    const { pathname, search } = new URL(address, 'http://localhost/rest/');
    const segment = await inject(pathname + search);
    expect([segment.statusCode, segment.rawPayload.equals(made)]).toEqual([200, true]);
    expect(asked[0]).toMatchObject({ source: { path: 'podcast-1/1.mp3' }, target: { format: 'ts', offsetMs: 0 } });
    await expect.poll(() => told).toMatchObject([{ what: 'play', objectType: 'podcast_episode', objectId: KEPT }]);
  });

  it.each([ELSEWHERE, FILM, NONE])('are none of one that is not here, has a picture, or is not there: %i', async (id) => {
    expect((await inject(compat('hls.m3u8', `pe-${id}`), bearer())).body).toContain('"code":70');
  });

  it('are none of a hidden one, nor where podcasts are switched off', async () => {
    expect((await inject(compat('hls.m3u8', `pe-${KEPT}`), bearer(blind.token))).body).toContain('"code":70');
    expect((await inject(compat('hls.m3u8', `pe-${KEPT}`), bearer(), closed)).body).toContain('"code":70');
  });
});

describe('nothing is sent', () => {
  it.each([
    ['of an episode that is not there', play(NONE), {}, 404],
    ['of a hidden one', play(KEPT, '', blind.token), {}, 404],
    ['of a hidden one that is elsewhere', play(ELSEWHERE, '', blind.token), {}, 404],
    ['of no number', play(0), {}, 400],
    ['to nobody', play(KEPT, '', 'nobody'), {}, 403],
    ['in a form that there is not', play(KEPT, '&format=tiff'), {}, 400],
    ['to a client of the other API, of one that is not there', compat('stream', `pe-${NONE}`), bearer(), 200],
    ['to a client of the other API, of a hidden one', compat('stream', `pe-${KEPT}`), bearer(blind.token), 200],
    ['to a client of the other API to keep, of a hidden one', compat('download', `pe-${ELSEWHERE}`), bearer(blind.token), 200],
  ])('%s', async (_what, url, headers, status) => {
    const response = await inject(url, headers);
    expect(response.statusCode).toBe(status);
    expect(response.headers.location).toBeUndefined();
    expect(response.body).toContain(status === 200 ? '"code":70' : '');
    expect(told).toEqual([]);
  });

  it.each([NONE, 'x', KEPT])('by the native API of what the caller does not see: %s', async (id) => {
    for (const action of ['stream', 'download']) {
      const response = await inject(native(action, id, '&version=8', blind.token));
      expect([response.headers.location, JSON.parse(response.body)]).toEqual([
        undefined,
        { error: expect.objectContaining({ errorCode: '4704' }) },
      ]);
    }
  });

  it('where podcasts are switched off', async () => {
    expect((await inject(play(KEPT), {}, closed)).statusCode).toBe(403);
    expect(JSON.parse((await inject(native('stream', KEPT), {}, closed)).body)).toMatchObject({ error: { errorCode: '4703' } });
    expect(JSON.parse((await inject(compat('stream', `pe-${KEPT}`), bearer(), closed)).body)).toMatchObject({
      'subsonic-response': { error: { code: 70 } },
    });
  });
});
