import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { fixtureSongs } from '../../../test/library/fixture-songs.js';
import { seedFixtureVideos } from '../../../test/library/fixture-videos.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { fixtureSecret, ShareWriter } from '../../../test/library/share-writer.js';
import {
  fixedAuth,
  seedTestAccounts,
  startTestGateway,
  TEST_NOW_MS,
  testAccounts,
  type TestGateway,
} from '../../../test/servers/test-gateway.js';

const bytes = Buffer.from(Array.from({ length: 5_000 }, (_, index) => index % 251));
const world = { nowMs: TEST_NOW_MS, catalogs: 'all' as 'all' | number[] };

let model: TestReadModel;
let gateway: TestGateway;
let switchedOff: TestGateway;
let shares: ShareWriter;
let folder = '';
let nextShare = 100;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-shared-videos-'));
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
  await seedFixtureVideos(model.write);
  await sql`update library.catalog set path = ${folder}`.execute(model.write);
  await mkdir(join(folder, 'Clips'));
  await writeFile(join(folder, 'The <Long> Film.mp4'), bytes);
  await writeFile(join(folder, 'Clips/clip.ogv'), bytes);
  await seedTestAccounts(model.write);
  shares = new ShareWriter(model.write);
  const auth = fixedAuth();
  const parts = {
    commands: shares.answer(new InMemoryCommandClient()),
    now: () => world.nowMs,
    auth: {
      ...auth,
      account: async (id: Parameters<typeof auth.account>[0]) => {
        const account = await auth.account(id);
        return account && { ...account, catalogs: world.catalogs };
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

const get = (url: string, { range = '', server = gateway }: { range?: string; server?: TestGateway } = {}) =>
  server.app.inject({ url, headers: range ? { range } : {} });
const addressOf = (id: number): string => `/share.php?id=${id}&secret=${fixtureSecret(id)}`;
const pageOf = async (id: number): Promise<string> => (await get(addressOf(id))).body;
const directly = (id: number, query: string): string => `/play/index.php?share_id=${id}&share_secret=${fixtureSecret(id)}&${query}`;
const linksIn = (html: string, use: string): string[] => [
  ...new Set([...html.matchAll(new RegExp(`"(share\\.php/${use}\\?token=[^"]+)"`, 'g'))].map(([, link = '']) => `/${link}`)),
];
const shared = async (row: Partial<Parameters<ShareWriter['add']>[0]> = {}): Promise<number> => {
  nextShare += 1;
  await shares.add({ id: nextShare, kind: 'video', object_ids: [1], ...row });
  return nextShare;
};
const asked = async (query: string, token: string = testAccounts.admin.token, server = gateway): Promise<Record<string, unknown>> =>
  (await server.app.inject({ url: `/server/json.server.php?version=8.0.0&${query}`, headers: { authorization: `Bearer ${token}` } })).json<
    Record<string, unknown>
  >();
const compat = async (operation: string, query = '', server = gateway) => {
  const url = `/rest/${operation}?v=1.16.1&c=spec&f=json${query}`;
  return (await server.app.inject({ url, headers: { authorization: `Bearer ${testAccounts.admin.token}` } })).json<{
    'subsonic-response': {
      status: string;
      error?: { code: number };
      shares?: { share: { id: string; entry: { id: string; isVideo: boolean }[] }[] };
    };
  }>()['subsonic-response'];
};

describe('a shared video', () => {
  it('is shown in a player, with ranges of its original file', async () => {
    const id = await shared();
    const answer = await get(addressOf(id));
    expect(answer.body).toContain('<h1>The &lt;Long&gt; Film &amp; more</h1>');
    expect(answer.body).toContain('1 video &middot; 1:30:00');
    expect(answer.body).toMatch(/<video controls [^>]*controlslist="nodownload" src="share\.php\/play\?token=[^"]+"><\/video>/);
    expect(answer.body).not.toContain('<audio');
    expect(answer.headers['content-security-policy']).toContain("media-src 'self'");
    const [link = ''] = linksIn(answer.body, 'play');
    const whole = await get(link);
    expect([whole.statusCode, whole.headers['content-type'], whole.rawPayload.equals(bytes)]).toEqual([200, 'video/mp4', true]);
    const part = await get(link, { range: 'bytes=100-199' });
    expect([part.statusCode, part.rawPayload.equals(bytes.subarray(100, 200))]).toEqual([206, true]);
    expect(linksIn(answer.body, 'download')).toEqual([]);
  });

  it('can be downloaded while the share allows it', async () => {
    const id = await shared({ allow_download: true, allow_stream: false });
    const html = await pageOf(id);
    expect(html).not.toContain('<video');
    const [link = ''] = linksIn(html, 'download');
    expect((await get(link)).headers['content-disposition']).toMatch(/^attachment/);
    expect((await get(link.replace('/download?', '/play?'))).statusCode).toBe(404);
    expect((await get(directly(id, 'type=video&oid=1&action=download'))).statusCode).toBe(200);
    expect((await get(directly(id, 'type=video&oid=1'))).statusCode).toBe(403);
    await sql`update social.share set allow_download = false where id = ${id}`.execute(model.write);
    expect((await get(link)).statusCode).toBe(404);
  });

  it('opens no other video, and no song of its number', async () => {
    const id = await shared();
    expect((await get(directly(id, 'type=video&oid=1'))).statusCode).toBe(200);
    for (const query of ['type=video&oid=2', 'type=video&oid=x', 'type=song&oid=1', 'oid=1', 'type=podcast_episode&oid=1'])
      expect((await get(directly(id, query))).statusCode).toBe(404);
    const song = await shared({ kind: 'song' });
    expect((await get(directly(song, 'type=video&oid=1'))).statusCode).toBe(404);
  });

  it('is closed when its owner does not see it any more, when it is gone, and when the share is over', async () => {
    const id = await shared({ object_ids: [2, 1], expires_at_ms: TEST_NOW_MS + 60_000 });
    const [clip = '', film = ''] = linksIn(await pageOf(id), 'play');
    expect([(await get(clip)).statusCode, (await get(film)).statusCode]).toEqual([200, 200]);
    world.catalogs = [1];
    try {
      const html = await pageOf(id);
      expect(html).not.toContain('clip');
      expect(linksIn(html, 'play')).toHaveLength(1);
      expect([(await get(clip)).statusCode, (await get(film)).statusCode]).toEqual([404, 200]);
    } finally {
      world.catalogs = 'all';
    }
    world.nowMs += 60_000;
    expect([(await get(addressOf(id))).statusCode, (await get(film)).statusCode]).toEqual([404, 404]);
    world.nowMs = TEST_NOW_MS;
    const gone = await shared({ object_ids: [99] });
    expect(linksIn(await pageOf(gone), 'play')).toEqual([]);
    expect((await get(directly(gone, 'type=video&oid=99'))).statusCode).toBe(404);
  });

  it('is not found when videos are off', async () => {
    const id = await shared();
    const [link = ''] = linksIn(await pageOf(id), 'play');
    for (const url of [addressOf(id), link, directly(id, 'type=video&oid=1')])
      expect((await get(url, { server: switchedOff })).statusCode).toBe(404);
    expect((await get(link)).statusCode).toBe(200);
  });
});

describe('videos', () => {
  it('are shared by who sees them, through the native API', async () => {
    const made = await asked('action=share_create&type=video&filter=1');
    expect(made).toMatchObject({ name: 'The <Long> Film & more', object_type: 'video', object_id: '1', owner: 'admin' });
    expect(await pageOf(Number(made.id))).toContain('<video');
    const listed = await asked('action=shares&cond=object_type,video');
    expect(listed.share).toContainEqual(expect.objectContaining({ id: made.id, name: 'The <Long> Film & more' }));
    expect(await asked('action=share_create&type=video&filter=99')).toMatchObject({ error: { errorCode: '4704' } });
    const off = await asked('action=share_create&type=video&filter=1', testAccounts.admin.token, switchedOff);
    expect(off).toMatchObject({ error: { errorCode: '4703', errorMessage: 'Enable: video' } });
    const other = await startTestGateway(model.read, { auth: fixedAuth([{ ...testAccounts.listener, catalogs: [1] }]) });
    const tried = await asked('action=share_create&type=video&filter=2', testAccounts.listener.token, other);
    expect(tried).toMatchObject({ error: { errorCode: '4704' } });
    await other.stop();
  });

  it('are shared by themselves through the compat API, and shown in its lists', async () => {
    const made = (await compat('createShare', '&id=vi-2&id=vi-1')).shares?.share[0];
    expect(made?.entry.map(({ id, isVideo }) => [id, isVideo])).toEqual([
      ['vi-2', true],
      ['vi-1', true],
    ]);
    expect((await compat('getShares')).shares?.share.find(({ id }) => id === made?.id)?.entry).toHaveLength(2);
    expect((await compat('getShares', '', switchedOff)).shares?.share.find(({ id }) => id === made?.id)?.entry ?? []).toEqual([]);
    for (const ids of ['&id=vi-1&id=so-1', '&id=vi-99'])
      expect(await compat('createShare', ids)).toMatchObject({ status: 'failed', error: { code: 70 } });
    expect(await compat('createShare', '&id=vi-1', switchedOff)).toMatchObject({ error: { code: 70 } });
  });
});
