import { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { fixtureSongs } from '../../../test/library/fixture-songs.js';
import { insertEpisode, insertPodcast } from '../../../test/library/podcast-fixture.js';
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

const world = { catalogs: 'all' as 'all' | number[] };
const HOSTILE = 'Garden <script>alert(1)</script>';

let model: TestReadModel;
let gateway: TestGateway;
let switchedOff: TestGateway;
let shares: ShareWriter;
let nextShare = 100;

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
  await insertPodcast(model.write, { id: 1, catalog_id: 1, title: HOSTILE, author: 'The gardener' });
  await insertPodcast(model.write, { id: 2, catalog_id: 2, title: 'Elsewhere' });
  const place = { podcast_id: 1, catalog_id: 1, author: 'The gardener' };
  await insertEpisode(model.write, { id: 1, ...place, title: 'Roses', media_url: 'http://pub.example/1.mp3', published_at_ms: 1000 });
  await insertEpisode(model.write, { id: 2, ...place, title: 'Weeds', media_url: 'http://pub.example/2.mp3', published_at_ms: 2000 });
  await insertEpisode(model.write, { id: 3, podcast_id: 2, catalog_id: 2, title: 'Far', media_url: 'http://pub.example/3.mp3' });
  await seedTestAccounts(model.write);
  shares = new ShareWriter(model.write);
  const auth = fixedAuth();
  const parts = {
    commands: shares.answer(new InMemoryCommandClient()),
    now: () => TEST_NOW_MS,
    auth: {
      ...auth,
      account: async (id: Parameters<typeof auth.account>[0]) => {
        const account = await auth.account(id);
        return account && { ...account, catalogs: world.catalogs };
      },
    },
  };
  gateway = await startTestGateway(model.read, parts);
  switchedOff = await startTestGateway(model.read, { ...parts, settings: { PODCAST: false } });
});
afterAll(async () => {
  await gateway.stop();
  await switchedOff.stop();
  await model.close();
});

const get = (url: string, server = gateway) => server.app.inject({ url });
const addressOf = (id: number): string => `/share.php?id=${id}&secret=${fixtureSecret(id)}`;
const directly = (id: number, query: string): string => `/play/index.php?share_id=${id}&share_secret=${fixtureSecret(id)}&${query}`;
const linksIn = (html: string, use: string): string[] => [
  ...new Set([...html.matchAll(new RegExp(`"(share\\.php/${use}\\?token=[^"]+)"`, 'g'))].map(([, link = '']) => `/${link}`)),
];
const shared = async (row: Partial<Parameters<ShareWriter['add']>[0]> = {}): Promise<number> => {
  nextShare += 1;
  await shares.add({ id: nextShare, kind: 'podcast', object_ids: [1], ...row });
  return nextShare;
};
const sentTo = async (url: string) => {
  const { statusCode, headers } = await get(url);
  return [statusCode, headers.location, headers['referrer-policy']];
};
const asked = async (query: string, server = gateway): Promise<Record<string, unknown>> =>
  (
    await server.app.inject({
      url: `/server/json.server.php?version=8.0.0&${query}`,
      headers: { authorization: `Bearer ${testAccounts.admin.token}` },
    })
  ).json<Record<string, unknown>>();
const compat = async (operation: string, query = '', server = gateway) => {
  const url = `/rest/${operation}?v=1.16.1&c=spec&f=json${query}`;
  return (await server.app.inject({ url, headers: { authorization: `Bearer ${testAccounts.admin.token}` } })).json<{
    'subsonic-response': {
      status: string;
      error?: { code: number };
      shares?: { share: { id: string; entry?: { id: string; title: string }[] }[] };
    };
  }>()['subsonic-response'];
};

describe('a shared podcast', () => {
  it('is a page of its episodes, the newest first, heard where their publisher has them', async () => {
    const id = await shared();
    const { body, headers } = await get(addressOf(id));
    expect(body).toContain('<h1>Garden &lt;script&gt;alert(1)&lt;/script&gt;</h1>');
    expect(body).toContain('2 episodes');
    expect(body).toContain('<ol aria-label="Episodes">');
    expect(body.indexOf('Weeds')).toBeLessThan(body.indexOf('Roses'));
    expect(headers['content-security-policy']).toContain("media-src 'self' https: http:;");
    const [weeds = '', roses = ''] = linksIn(body, 'play');
    expect(await sentTo(weeds)).toEqual([302, 'http://pub.example/2.mp3', 'no-referrer']);
    expect(await sentTo(roses)).toEqual([302, 'http://pub.example/1.mp3', 'no-referrer']);
    expect(linksIn(body, 'download')).toEqual([]);
  });

  it('opens no other episode, and nothing else of that number', async () => {
    const whole = await shared();
    const one = await shared({ kind: 'podcast_episode', object_ids: [2] });
    expect((await sentTo(directly(whole, 'type=podcast_episode&oid=1')))[0]).toBe(302);
    expect((await sentTo(directly(one, 'type=podcast_episode&oid=2')))[0]).toBe(302);
    for (const query of ['type=podcast_episode&oid=3', 'type=podcast_episode&oid=x', 'type=song&oid=1', 'type=video&oid=1'])
      expect((await get(directly(whole, query))).statusCode).toBe(404);
    expect((await get(directly(one, 'type=podcast_episode&oid=1'))).statusCode).toBe(404);
    const song = await shared({ kind: 'song' });
    expect((await get(directly(song, 'type=podcast_episode&oid=1'))).statusCode).toBe(404);
  });

  it('is closed when its owner does not see it any more, where podcasts are switched off, and to uses that it does not allow', async () => {
    const id = await shared({ allow_stream: false, allow_download: true });
    const body = (await get(addressOf(id))).body;
    const [link = ''] = linksIn(body, 'download');
    expect([linksIn(body, 'play'), (await sentTo(link))[0]]).toEqual([[], 302]);
    expect((await get(link.replace('/download?', '/play?'))).statusCode).toBe(404);
    expect((await get(directly(id, 'type=podcast_episode&oid=1'))).statusCode).toBe(403);
    for (const url of [addressOf(id), link]) expect((await get(url, switchedOff)).statusCode).toBe(404);
    world.catalogs = [2];
    try {
      expect(linksIn((await get(addressOf(id))).body, 'download')).toEqual([]);
      expect((await get(link)).statusCode).toBe(404);
    } finally {
      world.catalogs = 'all';
    }
    await sql`update social.share set object_ids = '{99}', object_id = 99 where id = ${id}`.execute(model.write);
    expect((await get(link)).statusCode).toBe(404);
  });
});

describe('podcasts and episodes', () => {
  it('are shared through the native API', async () => {
    const made = await asked('action=share_create&type=podcast&filter=1');
    expect(made).toMatchObject({ name: HOSTILE, object_type: 'podcast', object_id: '1', owner: 'admin' });
    expect(await asked('action=share_create&type=podcast_episode&filter=2')).toMatchObject({
      name: 'Weeds',
      object_type: 'podcast_episode',
    });
    const listed = await asked('action=shares&cond=object_type,podcast');
    expect(listed.share).toContainEqual(expect.objectContaining({ id: made.id, name: HOSTILE }));
    expect(await asked('action=share_create&type=podcast&filter=99')).toMatchObject({ error: { errorCode: '4704' } });
    const off = await asked('action=share_create&type=podcast&filter=1', switchedOff);
    expect(off).toMatchObject({ error: { errorCode: '4703', errorMessage: 'Enable: podcast' } });
  });

  it('are shared through the compat API, and shown in its lists', async () => {
    const made = (await compat('createShare', '&id=po-1')).shares?.share[0];
    expect(made?.entry?.map(({ title }) => title)).toEqual(['Weeds', 'Roses']);
    const few = (await compat('createShare', '&id=pe-1&id=pe-2')).shares?.share[0];
    expect(few?.entry?.map(({ title }) => title)).toEqual(['Roses', 'Weeds']);
    const entries = async (server: TestGateway) =>
      (await compat('getShares', '', server)).shares?.share.find(({ id }) => id === made?.id)?.entry ?? [];
    expect([(await entries(gateway)).length, (await entries(switchedOff)).length]).toEqual([2, 0]);
    for (const ids of ['&id=pe-1&id=so-1', '&id=po-99'])
      expect(await compat('createShare', ids)).toMatchObject({ status: 'failed', error: { code: 70 } });
    expect(await compat('createShare', '&id=po-1', switchedOff)).toMatchObject({ error: { code: 70 } });
  });
});
