import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InMemoryCommandClient, LocalArtStore } from '@continuo/chassis';
import { visitShare, type AccessLevel, type SmartlistRule } from '@continuo/contracts';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedFixtureLibrary } from '../testkit/fixture-library.js';
import { insertPlaylist } from '../testkit/playlist-fixture.js';
import { insertSmartlist } from '../testkit/smartlist-fixture.js';
import { testReadModel, type TestReadModel } from '../testkit/read-model-database.js';
import { fixtureSecret, ShareWriter } from '../testkit/share-writer.js';
import { fixedAuth, seedTestAccounts, startTestGateway, TEST_NOW_MS, testAccounts, type TestGateway } from '../testkit/test-gateway.js';

const HOSTILE = `<script>alert(1)</script>"'><img src=x onerror=alert(2)>`;
const bytes = Buffer.from(Array.from({ length: 50_000 }, (_, index) => index % 251));
/** What may be changed about the gateway while it runs. */
const world = { nowMs: TEST_NOW_MS, disabled: false, catalogs: 'all' as 'all' | number[], admits: true, access: 100 as AccessLevel };

let model: TestReadModel;
let gateway: TestGateway;
let shares: ShareWriter;
let music = '';
let visits = 0;
let nextAddress = 1;

const song = (fileName: string, title: string, album: string, catalogId = 1) => ({
  title,
  album,
  artists: ['Mira Vale'],
  folder: album,
  fileName,
  catalogId,
});

beforeAll(async () => {
  music = await mkdtemp(join(tmpdir(), 'gateway-shares-'));
  model = await testReadModel();
  await seedFixtureLibrary(model.write, [
    { ...song('1.flac', HOSTILE, 'Harbour'), track: 1 },
    { ...song('2.flac', 'Low Water', 'Harbour'), track: 2 },
    song('3.flac', 'Elsewhere', 'Another'),
    song('4.flac', 'Hidden', 'Secret', 2),
  ]);
  await sql`update library.catalog set path = ${music}`.execute(model.write);
  for (const [folder, name] of [
    ['Harbour', '1.flac'],
    ['Harbour', '2.flac'],
    ['Another', '3.flac'],
    ['Secret', '4.flac'],
  ] as const) {
    await mkdir(join(music, folder), { recursive: true });
    await writeFile(join(music, folder, name), bytes);
  }
  await seedTestAccounts(model.write);
  shares = new ShareWriter(model.write);
  const commands = shares.answer(new InMemoryCommandClient());
  const auth = fixedAuth();
  gateway = await startTestGateway(model.read, {
    commands: {
      send: async (command, data, context, options) => {
        if (command.subject === visitShare.subject) visits += 1;
        return commands.send(command, data, context, options);
      },
    },
    now: () => world.nowMs,
    auth: {
      ...auth,
      account: async (id) => {
        const account = await auth.account(id);
        return account && { ...account, disabled: world.disabled, catalogs: world.catalogs, access: world.access };
      },
      admits: async () => world.admits,
    },
  });
  const picture = await sharp({ create: { width: 80, height: 80, channels: 3, background: 'navy' } })
    .jpeg()
    .toBuffer();
  const hash = await new LocalArtStore(join(gateway.dataFolder, 'art')).put(picture);
  await sql`insert into library.art values (${hash}, 'image/jpeg', ${picture.length}, null, null)`.execute(model.write);
  await sql`update library.album set art_hash = ${hash} where name = 'Harbour'`.execute(model.write);
});
afterAll(async () => {
  await gateway.stop();
  await model.close();
  await rm(music, { recursive: true, force: true });
});

const address = (): string => `10.0.0.${(nextAddress += 1)}`;
const get = (url: string, options: { from?: string; headers?: Record<string, string>; method?: 'GET' | 'HEAD' } = {}) =>
  gateway.app.inject({ url, method: options.method ?? 'GET', remoteAddress: options.from ?? address(), headers: options.headers ?? {} });
const pageOf = (id: number, options: Parameters<typeof get>[1] = {}) => get(`/share.php?id=${id}&secret=${fixtureSecret(id)}`, options);
const linksIn = (html: string, use: string): string[] =>
  [...html.matchAll(new RegExp(`"(share\\.php/${use}\\?token=[^"]+)"`, 'g'))].map((match) => `/${match[1] ?? ''}`);
const headersOf = ({ headers }: Awaited<ReturnType<typeof get>>): Record<string, unknown> => {
  const { 'content-security-policy': _csp, 'x-correlation-id': _id, date: _date, ...rest } = headers;
  return rest;
};
const normalized = (html: string): string => html.replaceAll(/nonce="[^"]+"/g, 'nonce=""');

let nextShare = 100;
const shared = async (row: Partial<Parameters<ShareWriter['add']>[0]> = {}): Promise<number> => {
  nextShare += 1;
  await shares.add({ id: nextShare, kind: 'album', object_ids: [1], ...row });
  return nextShare;
};

describe('the page of a share', () => {
  it('shows what is shared, and nothing of what people wrote becomes markup', async () => {
    const id = await shared({ allow_download: true, description: HOSTILE });
    const answer = await pageOf(id);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.body).toContain('<h1>Harbour</h1>');
    expect(answer.body).toContain('Low Water');
    expect(answer.body).toContain('&lt;script&gt;alert(1)');
    expect(answer.body).not.toContain('<script>alert');
    expect(answer.body).not.toContain('<img src=x');
    expect(answer.body.match(/<img /g)).toHaveLength(1);
    expect(linksIn(answer.body, 'play')).toHaveLength(3);
    expect(linksIn(answer.body, 'download')).toHaveLength(2);
    const named = await pageOf(await shared({ kind: 'song', object_ids: [1] }));
    expect(named.body).toContain('<title>&lt;script&gt;');
    expect(named.body).not.toContain('<script>alert');
  });

  it('runs its own script and style only, is framed by nobody, and its address goes nowhere', async () => {
    const [one, two] = [await pageOf(await shared()), await pageOf(await shared())];
    const policies = [one, two].map(({ headers }) => String(headers['content-security-policy']));
    const nonces = policies.map((policy) => /script-src 'nonce-([\w-]{24})'/.exec(policy)?.[1]);
    expect(new Set(nonces).size).toBe(2);
    for (const [index, { body, headers }] of [one, two].entries()) {
      const tags = [...body.matchAll(/<(?:script|style)\b[^>]*>/g)].map(([tag]) => tag);
      expect(tags).toEqual([`<style nonce="${nonces[index]}">`, `<script nonce="${nonces[index]}">`]);
      const markup = body.replaceAll(/"[^"]*"/g, '""').replaceAll(/<script[^]*?<\/script>/g, '');
      expect(markup).not.toMatch(/<[^>]*\s(?:on\w+|style)=/);
      expect(body).not.toMatch(/https?:\/\//);
      expect(policies[index]).toMatch(/^default-src 'none'; .*base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex, nofollow',
        'x-frame-options': 'DENY',
      });
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it('shows an artist, a disk and several songs as well', async () => {
    const artist = await pageOf(await shared({ kind: 'artist', object_ids: [1] }));
    expect(linksIn(artist.body, 'play')).toHaveLength(5);
    const disk = await pageOf(await shared({ kind: 'album_disk', object_ids: [257] }));
    expect(linksIn(disk.body, 'play')).toHaveLength(3);
    const songs = await pageOf(await shared({ kind: 'song', object_ids: [3, 2] }));
    expect([...songs.body.matchAll(/data-title="([^"]+)"/g)].map((match) => match[1])).toEqual(['Elsewhere', 'Low Water']);
  });

  it('answers HEAD without a body', async () => {
    const answer = await pageOf(await shared(), { method: 'HEAD' });
    expect([answer.statusCode, answer.body]).toEqual([200, '']);
  });
});

describe('a dead address', () => {
  it('is one and the same page, whatever is wrong', async () => {
    const alive = await shared();
    const secret = fixtureSecret(alive);
    const over = await shared({ expires_at_ms: TEST_NOW_MS });
    const usedUp = await shared({ max_visits: 2, visit_count: 2 });
    const orphan = await shared({ user_id: 77 });
    const urls = [
      '/share.php',
      `/share.php?id=${alive}`,
      `/share.php?id=${alive}&secret=`,
      `/share.php?id=${alive}&secret=${secret}x`,
      `/share.php?id=${alive}&secret=${secret.slice(1)}`,
      `/share.php?id=${alive + 1000}&secret=${secret}`,
      `/share.php?id=99999999999999&secret=${secret}`,
      `/share.php?id=1%27%20or%201=1&secret=${secret}`,
      `/share.php?id=${alive}%00&secret=${secret}`,
      `/share.php?id=${over}&secret=${fixtureSecret(over)}`,
      `/share.php?id=${usedUp}&secret=${fixtureSecret(usedUp)}`,
      `/share.php?id=${orphan}&secret=${fixtureSecret(orphan)}`,
      '/share.php/play',
      '/share.php/play?token=nonsense',
    ];
    const before = visits;
    const answers = await Promise.all(urls.map((url) => get(url)));
    const [first] = answers;
    for (const answer of answers) {
      expect(answer.statusCode).toBe(404);
      expect(normalized(answer.body)).toBe(normalized(first?.body ?? ''));
      expect(headersOf(answer)).toEqual(headersOf(first as (typeof answers)[number]));
    }
    expect(visits).toBe(before);
  });

  it.each([
    ['its owner is disabled', { disabled: true }],
    ['the access list admits nobody from there', { admits: false }],
    ['it has expired meanwhile', { nowMs: TEST_NOW_MS + 60_000 }],
  ])('is what a share becomes when %s, and so do the songs of an open page', async (_what, change) => {
    const id = await shared({ expires_at_ms: TEST_NOW_MS + 60_000, allow_download: true });
    const { body } = await pageOf(id);
    const links = [...linksIn(body, 'play'), ...linksIn(body, 'download'), ...linksIn(body, 'art')];
    expect(links).toHaveLength(7);
    const old = { ...world };
    Object.assign(world, change);
    try {
      expect((await pageOf(id)).statusCode).toBe(404);
      for (const link of links) expect((await get(link)).statusCode).toBe(404);
      const direct = `/play/index.php?share_id=${id}&share_secret=${fixtureSecret(id)}&oid=1`;
      expect((await get(direct)).statusCode).toBe(404);
    } finally {
      Object.assign(world, old);
    }
    for (const link of links) expect((await get(link)).statusCode).toBe(200);
  });

  it('is what the switch makes of all', async () => {
    const off = await startTestGateway(model.read, { settings: { SHARE: false } });
    const id = await shared();
    expect((await off.app.inject(`/share.php?id=${id}&secret=${fixtureSecret(id)}`)).statusCode).toBe(404);
    await off.stop();
  });
});

describe('the songs of a share', () => {
  it('play with ranges by the tokens of its page', async () => {
    const { body } = await pageOf(await shared());
    const [link = ''] = linksIn(body, 'play');
    const whole = await get(link);
    expect([whole.statusCode, whole.rawPayload.equals(bytes)]).toEqual([200, true]);
    expect(whole.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'accept-ranges': 'bytes' });
    const part = await get(link, { headers: { range: 'bytes=100-199' } });
    expect([part.statusCode, part.rawPayload.equals(bytes.subarray(100, 200))]).toEqual([206, true]);
    const [art = ''] = linksIn(body, 'art');
    expect((await get(art)).headers['content-type']).toMatch(/^image\//);
  });

  it('do not when the token is for something else, too old, or when the share allows no such use any more', async () => {
    const id = await shared({ allow_download: true });
    const { body } = await pageOf(id);
    const [play = ''] = linksIn(body, 'play');
    const [download = ''] = linksIn(body, 'download');
    expect((await get(download)).headers['content-disposition']).toMatch(/^attachment/);
    expect((await get(play.replace('/play?', '/download?'))).statusCode).toBe(404);
    expect((await get(play.replace(/sp-(\d+)-1-/, 'sp-$1-3-'))).statusCode).toBe(404);
    await sql`update social.share set allow_download = false, allow_stream = false where id = ${id}`.execute(model.write);
    expect([(await get(play)).statusCode, (await get(download)).statusCode]).toEqual([404, 404]);
    await sql`update social.share set allow_stream = true where id = ${id}`.execute(model.write);
    expect((await get(play)).statusCode).toBe(200);
    world.nowMs += 9 * 3_600_000;
    expect((await get(play)).statusCode).toBe(404);
    world.nowMs = TEST_NOW_MS;
    await sql`delete from social.share where id = ${id}`.execute(model.write);
    expect((await get(play)).statusCode).toBe(404);
  });

  it('are not kept by anybody once their owner may not keep them', async () => {
    const id = await shared({ allow_download: true });
    const [download = ''] = linksIn((await pageOf(id)).body, 'download');
    world.access = 5;
    try {
      expect((await get(download)).statusCode).toBe(404);
      expect(linksIn((await pageOf(id)).body, 'download')).toEqual([]);
    } finally {
      world.access = 100;
    }
    expect((await get(download)).statusCode).toBe(200);
  });

  it('are those that the owner sees, of this share, and no others', async () => {
    const id = await shared({ kind: 'artist', object_ids: [1] });
    const direct = (oid: number | string, more = '') =>
      get(`/play/index.php?share_id=${id}&share_secret=${fixtureSecret(id)}&oid=${oid}${more}`);
    expect((await direct(4)).statusCode).toBe(200);
    world.catalogs = [1];
    try {
      const { body } = await pageOf(id);
      expect(body).not.toContain('Hidden');
      expect((await direct(4)).statusCode).toBe(404);
      expect((await direct(3)).statusCode).toBe(200);
    } finally {
      world.catalogs = 'all';
    }
    const album = await shared();
    const other = `/play/index.php?share_id=${album}&share_secret=${fixtureSecret(album)}&oid=3`;
    expect((await get(other)).statusCode).toBe(404);
    expect((await direct('x')).statusCode).toBe(404);
    expect((await direct(1, '&action=download')).statusCode).toBe(403);
    expect((await get(`/play/index.php?share_id=${id}&share_secret=wrong&oid=1`)).statusCode).toBe(404);
    expect((await get(`/play/share_id/${id}/share_secret/${fixtureSecret(id)}/oid/1`)).statusCode).toBe(200);
    expect((await get(`/play/index.php?share_id=${id}&share_secret=${fixtureSecret(id)}&oid=1&ssid=wrong`)).statusCode).toBe(403);
  });
});

describe('a visit', () => {
  it('is counted once, however many requests belong to it', async () => {
    const id = await shared({ max_visits: 2 });
    const count = async (): Promise<number> =>
      (await model.read.selectFrom('social.share').select('visit_count').where('id', '=', id).executeTakeFirstOrThrow()).visit_count;
    const from = address();
    const { body } = await pageOf(id, { from });
    for (const link of linksIn(body, 'play')) await get(link, { from, headers: { range: 'bytes=0-9' } });
    await pageOf(id, { from });
    expect(await count()).toBe(1);
    const direct = `/play/index.php?share_id=${id}&share_secret=${fixtureSecret(id)}&oid=1`;
    const other = address();
    for (const range of ['bytes=0-9', 'bytes=10-19', 'bytes=20-'])
      expect((await get(direct, { from: other, headers: { range } })).statusCode).toBe(206);
    expect(await count()).toBe(2);
    expect((await pageOf(id)).statusCode).toBe(404);
    expect((await pageOf(id, { from })).statusCode).toBe(200);
    expect((await get(linksIn(body, 'play')[0] ?? '', { from })).statusCode).toBe(200);
  });
});

describe('shares of others', () => {
  const call = (query: string, token: string) =>
    gateway.app.inject({ url: `/server/json.server.php?version=8.0.0&${query}`, headers: { authorization: `Bearer ${token}` } });

  it('are found, changed and ended by administrators alone', async () => {
    const id = await shared({ user_id: 1, description: 'theirs' });
    const { token } = testAccounts.listener;
    for (const query of [
      `action=share&filter=${id}`,
      `action=share_edit&filter=${id}&description=mine`,
      `action=share_delete&filter=${id}`,
    ]) {
      expect((await call(query, token)).json()).toMatchObject({ error: { errorCode: '4704', errorMessage: `Not Found: ${id}` } });
    }
    expect((await call('action=shares&limit=none', token)).body).not.toContain('theirs');
    const own = await shared({ user_id: 2, description: 'of the listener' });
    expect((await call(`action=share&filter=${own}`, token)).json()).toMatchObject({ description: 'of the listener', owner: 'listener' });
    const admin = testAccounts.admin.token;
    expect((await call(`action=share_edit&filter=${own}&description=changed&expires=0`, admin)).json()).toEqual({
      success: `share ${own} updated`,
    });
    expect((await call(`action=share&filter=${own}`, token)).json()).toMatchObject({ description: 'changed', expire_days: 0 });
    expect((await call(`action=share_delete&filter=${own}`, token)).json()).toEqual({ success: `share ${own} deleted` });
    expect((await call(`action=share&filter=${own}`, admin)).json()).toMatchObject({ error: { errorCode: '4704' } });
  });

  it('cannot be made of what one does not see, and are made with the usual end', async () => {
    const { token } = testAccounts.listener;
    const made = (await call('action=share_create&type=album&filter=1', token)).json<{ id: string; public_url: string }>();
    expect(made).toMatchObject({ name: 'Harbour', description: 'Harbour', owner: 'listener', allow_stream: true, allow_download: true });
    expect(new URL(made.public_url).pathname).toBe('/share.php');
    const hidden = await startTestGateway(model.read, {
      auth: fixedAuth([{ ...testAccounts.listener, catalogs: [1] }]),
      commands: shares.answer(new InMemoryCommandClient()),
    });
    const tried = await hidden.app.inject({
      url: '/server/json.server.php?version=8.0.0&action=share_create&type=song&filter=4',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(tried.json()).toMatchObject({ error: { errorCode: '4704' } });
    await hidden.stop();
  });
});

describe('a shared playlist', () => {
  const open = async (id: number) => (await pageOf(id)).body;

  it('shows its songs in their order, as often as they stand in it, and plays no others', async () => {
    await insertPlaylist(model.write, { id: 50, name: 'On the quay', owner_id: 1 }, [3, 2, 3, 4]);
    const id = await shared({ kind: 'playlist', object_ids: [50] });
    const html = await open(id);
    expect([...html.matchAll(/data-title="([^"]+)"/g)].map(([, title]) => title)).toEqual([
      'Elsewhere',
      'Low Water',
      'Elsewhere',
      'Hidden',
    ]);
    expect(html).toContain('On the quay');
    const [first = ''] = linksIn(html, 'play');
    expect((await get(first)).statusCode).toBe(200);
    await sql`delete from library.playlist_member where playlist_id = 50 and object_id = 3`.execute(model.write);
    expect((await get(first)).statusCode).toBe(404);
  });

  it('is empty once its owner keeps it from whoever shares it, and its songs are closed', async () => {
    await insertPlaylist(model.write, { id: 51, name: 'Theirs', owner_id: 2, is_public: true }, [2]);
    const id = await shared({ kind: 'playlist', object_ids: [51] });
    world.access = 25;
    const [link = ''] = linksIn(await open(id), 'play');
    expect((await get(link)).statusCode).toBe(200);
    await sql`update library.playlist set is_public = false where id = 51`.execute(model.write);
    expect(await open(id)).not.toContain('Theirs');
    expect(linksIn(await open(id), 'play')).toEqual([]);
    expect((await get(link)).statusCode).toBe(404);
    world.access = 100;
  });
});

describe('a shared smartlist', () => {
  const rules = (word: string): SmartlistRule[] => [['title', 'contain', word, null]];
  const titles = (html: string) => [...html.matchAll(/data-title="([^"]+)"/g)].map(([, title]) => title);
  const asked = async (query: string, token: string) =>
    (
      await gateway.app.inject({
        url: `/server/json.server.php?version=8.0.0&action=share_create&${query}`,
        headers: { authorization: `Bearer ${token}` },
      })
    ).json<Record<string, unknown>>();

  it('shows what its rules give now, and plays no other song', async () => {
    await insertSmartlist(model.write, { id: 60, name: 'About water' }, rules('Water'));
    const id = await shared({ kind: 'search', object_ids: [60] });
    const html = (await pageOf(id)).body;
    expect(titles(html)).toEqual(['Low Water']);
    expect(html).toContain('About water');
    const [link = ''] = linksIn(html, 'play');
    expect((await get(link)).statusCode).toBe(200);
    const play = (oid: number) => get(`/play/index.php?type=song&oid=${oid}&share_id=${id}&share_secret=${fixtureSecret(id)}`);
    expect((await play(2)).statusCode).toBe(200);
    expect((await play(3)).statusCode).toBe(404);
    await sql`delete from library.smartlist where id = 60`.execute(model.write);
    expect(titles((await pageOf(id)).body)).toEqual([]);
    expect((await get(link)).statusCode).toBe(404);
  });

  it('that draws its songs goes on playing what was shown before', async () => {
    await insertSmartlist(model.write, { id: 61, name: 'One of them', is_random: true, song_limit: 1 }, rules('e'));
    const id = await shared({ kind: 'search', object_ids: [61] });
    const html = (await pageOf(id)).body;
    expect(titles(html)).toHaveLength(1);
    const [link = ''] = linksIn(html, 'play');
    for (let time = 0; time < 5; time += 1) expect((await get(link)).statusCode).toBe(200);
  });

  it('is shared by whoever may open it, under each of its names', async () => {
    await insertSmartlist(model.write, { id: 62, name: 'Mine' }, rules('Low'));
    for (const query of ['type=search&filter=62', 'type=smartlist&filter=smart_62', 'type=playlist&filter=smart_62'])
      expect(await asked(query, testAccounts.admin.token)).toMatchObject({ name: 'Mine', object_type: 'search', object_id: '62' });
    expect(await asked('type=search&filter=62', testAccounts.listener.token)).toMatchObject({ error: { errorCode: '4704' } });
  });
});
