import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Rejection } from '@continuo/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { fakeTranscodes, type FakeTranscodes } from '../../../test/fakes/fake-transcodes.js';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { fixtureSongs } from '../../../test/library/fixture-songs.js';
import { seedFixtureVideos } from '../../../test/library/fixture-videos.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { fixedAuth, seedTestAccounts, startTestGateway, testAccounts, type TestGateway } from '../../../test/servers/test-gateway.js';

const words = '1\n00:00:01,000 --> 00:00:02,000\nGrüße & Küsse\n';
let model: TestReadModel;
let gateway: TestGateway;
let hidden: TestGateway;
let switchedOff: TestGateway;
let base = '';
let folder = '';
let transcodes: FakeTranscodes;
const world = { refusal: undefined as Rejection | undefined };

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'gateway-captions-'));
  folder = join(base, 'films');
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
  await seedFixtureVideos(model.write);
  await sql`update library.catalog set path = ${folder}`.execute(model.write);
  await mkdir(join(folder, 'Clips'), { recursive: true });
  await writeFile(join(folder, 'The <Long> Film.mp4'), 'anything');
  await writeFile(join(folder, 'The <Long> Film.de.srt'), words, 'latin1');
  await writeFile(join(folder, 'The <Long> Film.odd.srt'), '#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1/x.ts\n');
  await writeFile(join(base, 'secret.srt'), words);
  await symlink(join(base, 'secret.srt'), join(folder, 'The <Long> Film.out.srt'));
  await writeFile(join(folder, 'Clips/clip.ogv'), 'anything');
  await seedTestAccounts(model.write);
  transcodes = fakeTranscodes({
    refusal: () => world.refusal,
    bytes: () => Buffer.from('1\n00:00:03,000 --> 00:00:04,000\n<font color="red">From the file</font>\n'),
  });
  gateway = await startTestGateway(model.read, { transcodes });
  hidden = await startTestGateway(model.read, { transcodes, auth: fixedAuth([{ ...testAccounts.listener, catalogs: [99] }]) });
  switchedOff = await startTestGateway(model.read, { transcodes, settings: { ALLOW_VIDEO: false } });
});
afterAll(async () => {
  for (const one of [gateway, hidden, switchedOff]) await one.stop();
  await model.close();
  await rm(base, { recursive: true, force: true });
});

const call = (operation: string, query: string, server = gateway) =>
  server.app.inject({
    url: `/rest/${operation}?v=1.16.1&c=spec&f=json&${query}`,
    headers: { authorization: `Bearer ${testAccounts.listener.token}` },
  });
interface Listed {
  readonly captions?: readonly { readonly id: string; readonly name?: string }[];
}
const listed = async (id: string): Promise<Listed['captions']> => {
  const answer = (await call('getVideoInfo', `id=${id}`)).json<{ 'subsonic-response': { videoInfo: Listed } }>();
  return answer['subsonic-response'].videoInfo.captions;
};
const errorOf = async (query: string, server = gateway): Promise<number | undefined> =>
  (await call('getCaptions', query, server)).json<{ 'subsonic-response': { error?: { code: number } } }>()['subsonic-response'].error?.code;

describe('captions of a video', () => {
  it('are those beside its file and in it', async () => {
    expect(await listed('vi-1')).toEqual([
      { id: expect.stringMatching(/^vi-1-f[0-9a-f]{8}$/), name: 'The <Long> Film.de.srt' },
      { id: expect.stringMatching(/^vi-1-f[0-9a-f]{8}$/), name: 'The <Long> Film.odd.srt' },
      { id: expect.stringMatching(/^vi-1-f[0-9a-f]{8}$/), name: 'The <Long> Film.out.srt' },
      { id: 'vi-1-s0', name: 'eng' },
    ]);
    expect(await listed('vi-2')).toBeUndefined();
  });
  it('are sent by their ids, or the first by that of the video, in both forms', async () => {
    const [beside] = (await listed('vi-1')) ?? [];
    for (const id of ['vi-1', beside?.id ?? '']) {
      const srt = await call('getCaptions', `id=${id}`);
      expect([srt.statusCode, srt.headers['content-type'], srt.body]).toEqual([200, 'application/x-subrip; charset=utf-8', words]);
    }
    const vtt = await call('getCaptions', 'id=vi-1&format=vtt');
    expect([vtt.headers['content-type'], vtt.body]).toEqual([
      'text/vtt; charset=utf-8',
      'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nGrüße &amp; Küsse\n',
    ]);
  });
  it('are taken out of the file of the video by the workers', async () => {
    const inside = await call('getCaptions', 'id=vi-1-s0&format=vtt');
    expect(inside.body).toBe('WEBVTT\n\n00:00:03.000 --> 00:00:04.000\nFrom the file\n');
    expect(transcodes.requests.at(-1)).toMatchObject({
      source: { path: 'The <Long> Film.mp4' },
      target: { format: 'srt', captionTrack: 0 },
    });
  });
  it('wait for a free place, and not for ever', async () => {
    world.refusal = new Rejection('transcode.busy', undefined, '7');
    setTimeout(() => Object.assign(world, { refusal: undefined }), 300);
    expect((await call('getCaptions', 'id=vi-1-s0')).statusCode).toBe(200);
    world.refusal = new Rejection('transcode.busy', undefined, '7');
    vi.useFakeTimers({ toFake: ['performance'] });
    const passing = setInterval(() => vi.advanceTimersByTime(5000), 20);
    const busy = await call('getCaptions', 'id=vi-1-s0');
    clearInterval(passing);
    vi.useRealTimers();
    world.refusal = undefined;
    expect([busy.statusCode, busy.headers['retry-after']]).toEqual([429, '7']);
  });
  it('are drawn into the picture, those in the file and those beside it', async () => {
    const drawn = async (subtitle: string) => {
      const { token } = testAccounts.listener;
      const answer = await gateway.app.inject({ url: `/play/index.php?type=video&oid=1&ssid=${token}&subtitle=${subtitle}` });
      return [answer.statusCode, answer.statusCode === 200 ? transcodes.requests.at(-1)?.target : undefined];
    };
    const [beside] = (await listed('vi-1')) ?? [];
    const file = { captionFile: { path: 'The <Long> Film.de.srt', encoding: 'windows-1252' } };
    for (const word of ['eng', '0', 's0']) expect(await drawn(word)).toEqual([200, expect.objectContaining({ captionTrack: 0 })]);
    for (const word of ['de', 'DE', beside?.id.slice('vi-1-'.length) ?? ''])
      expect(await drawn(word)).toEqual([200, expect.objectContaining(file)]);
    expect(await drawn('out')).toEqual([404, undefined]);
    for (const word of ['fr', 'odd', '1', '../../secret', 's1']) expect([word, await drawn(word)]).toEqual([word, [400, undefined]]);
  });
  it('are refused in the envelope', async () => {
    expect(await errorOf('')).toBe(10);
    expect(await errorOf('id=vi-1&format=ass')).toBe(10);
    for (const id of ['vi-2', 'vi-99', 'so-1', 'vi-1-s1', 'vi-1-f00000000', 'vi-1-s0-s0', '../vi-1', 'vi-1-f../../x'])
      expect([id, await errorOf(`id=${encodeURIComponent(id)}`)]).toEqual([id, 70]);
  });
  it('never lead out of the catalog', async () => {
    const out = (await listed('vi-1'))?.[2]?.id ?? '';
    expect(await errorOf(`id=${out}`)).toBe(70);
  });
  it('are not there for who may not see the video, nor where videos are switched off', async () => {
    expect(await errorOf('id=vi-1', hidden)).toBe(70);
    expect(await errorOf('id=vi-1-s0', hidden)).toBe(70);
    expect(await errorOf('id=vi-1', switchedOff)).toBe(70);
  });
});
