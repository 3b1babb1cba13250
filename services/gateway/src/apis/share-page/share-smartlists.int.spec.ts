import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InMemoryCommandClient } from '@continuo/chassis/testkit';
import type { SmartlistRule } from '@continuo/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { fixtureSecret, ShareWriter } from '../../../test/library/share-writer.js';
import { insertSmartlist } from '../../../test/library/smartlist-fixture.js';
import {
  fixedAuth,
  seedTestAccounts,
  startTestGateway,
  TEST_NOW_MS,
  testAccounts,
  type TestGateway,
} from '../../../test/servers/test-gateway.js';

const world = { nowMs: TEST_NOW_MS, catalogs: 'all' as 'all' | number[], access: 100 as 25 | 100 };
const every: readonly SmartlistRule[] = [['title', 'contain', 'Song', null]];

let model: TestReadModel;
let gateway: TestGateway;
let shares: ShareWriter;
let music = '';
let nextShare = 100;

const song = (title: string, catalogId = 1) => ({
  title,
  album: `Of ${catalogId}`,
  artists: ['Mira Vale'],
  folder: `Of ${catalogId}`,
  fileName: `${title}.flac`,
  catalogId,
});

beforeAll(async () => {
  music = await mkdtemp(join(tmpdir(), 'gateway-shared-smartlists-'));
  model = await testReadModel();
  await seedFixtureLibrary(model.write, [song('Song 1'), song('Song 2'), song('Other 3'), song('Song 4', 2)]);
  await sql`update library.catalog set path = ${music}`.execute(model.write);
  for (const [folder, title] of [
    ['Of 1', 'Song 1'],
    ['Of 1', 'Song 2'],
    ['Of 1', 'Other 3'],
    ['Of 2', 'Song 4'],
  ] as const) {
    await mkdir(join(music, folder), { recursive: true });
    await writeFile(join(music, folder, `${title}.flac`), title);
  }
  await seedTestAccounts(model.write);
  shares = new ShareWriter(model.write);
  const auth = fixedAuth();
  gateway = await startTestGateway(model.read, {
    commands: shares.answer(new InMemoryCommandClient()),
    now: () => world.nowMs,
    auth: {
      ...auth,
      account: async (id) => {
        const account = await auth.account(id);
        return account && { ...account, catalogs: world.catalogs, access: world.access };
      },
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  await model.close();
  await rm(music, { recursive: true, force: true });
});

const get = (url: string, range = '') => gateway.app.inject({ url, headers: range ? { range } : {} });
const addressOf = (id: number): string => `/share.php?id=${id}&secret=${fixtureSecret(id)}`;
const pageOf = async (id: number): Promise<string> => (await get(addressOf(id))).body;
const titlesIn = (html: string): (string | undefined)[] => [...html.matchAll(/data-title="([^"]+)"/g)].map(([, title]) => title);
const linksIn = (html: string): string[] =>
  [...html.matchAll(/href="(share\.php\/play\?token=[^"]+)"/g)].map(([, link = '']) => `/${link}`);
const statusesOf = async (links: readonly string[]): Promise<number[]> =>
  Promise.all(links.map(async (link) => (await get(link)).statusCode));
const shared = async (smartlist: number, row: Partial<Parameters<ShareWriter['add']>[0]> = {}): Promise<number> => {
  nextShare += 1;
  await shares.add({ id: nextShare, kind: 'search', object_ids: [smartlist], ...row });
  return nextShare;
};
const compat = async (operation: string, query = '') =>
  (
    await gateway.app.inject({
      url: `/rest/${operation}?v=1.16.1&c=spec&f=json${query}`,
      headers: { authorization: `Bearer ${testAccounts.admin.token}` },
    })
  ).json<{
    'subsonic-response': { error?: { code: number }; shares?: { share: { id: string; entry: { id: string }[] }[] } };
  }>()['subsonic-response'];

describe('a shared smartlist', () => {
  it('gives only what its sharer and the owner of its rules see at this moment', async () => {
    await insertSmartlist(model.write, { id: 70, name: 'Every song' }, every);
    const id = await shared(70);
    const html = await pageOf(id);
    expect(titlesIn(html)).toEqual(['Song 1', 'Song 2', 'Song 4']);
    expect(await statusesOf(linksIn(html))).toEqual([200, 200, 200]);
    world.catalogs = [1];
    try {
      expect(titlesIn(await pageOf(id))).toEqual(['Song 1', 'Song 2']);
      expect(await statusesOf(linksIn(html))).toEqual([200, 200, 404]);
    } finally {
      world.catalogs = 'all';
    }
  });

  it('is empty once somebody else keeps it private, and its songs are closed at once', async () => {
    await insertSmartlist(model.write, { id: 71, name: 'Theirs', owner_id: 2, is_public: true }, every);
    const id = await shared(71);
    world.access = 25;
    try {
      const html = await pageOf(id);
      expect(await statusesOf(linksIn(html))).toEqual([200, 200, 200]);
      await sql`update library.smartlist set is_public = false where id = 71`.execute(model.write);
      expect(titlesIn(await pageOf(id))).toEqual([]);
      expect(await pageOf(id)).not.toContain('Theirs');
      expect(await statusesOf(linksIn(html))).toEqual([404, 404, 404]);
    } finally {
      world.access = 100;
    }
  });

  it('follows its rules as they are changed, and ends with the share', async () => {
    await insertSmartlist(model.write, { id: 72, name: 'Changing' }, every);
    const id = await shared(72, { expires_at_ms: TEST_NOW_MS + 60_000 });
    const html = await pageOf(id);
    expect(await statusesOf(linksIn(html))).toEqual([200, 200, 200]);
    const rules = JSON.stringify([['title', 'contain', '2', null]]);
    await sql`update library.smartlist set rules = ${rules}, revision = revision + 1 where id = 72`.execute(model.write);
    expect(await statusesOf(linksIn(html))).toEqual([404, 200, 404]);
    world.nowMs += 60_000;
    expect([(await get(addressOf(id))).statusCode, ...(await statusesOf(linksIn(html)))]).toEqual([404, 404, 404, 404]);
    world.nowMs = TEST_NOW_MS;
  });

  it('looks up a song once for all range requests', async () => {
    await insertSmartlist(model.write, { id: 73, name: 'Parts' }, every);
    const [link = '', other = ''] = linksIn(await pageOf(await shared(73)));
    expect((await get(link, 'bytes=0-1')).statusCode).toBe(206);
    // Rules that give nothing, without the count of their changes: who asks them again notices.
    await sql`update library.smartlist set rules = '[["title", "equal", "nothing", null]]' where id = 73`.execute(model.write);
    expect((await get(link, 'bytes=2-3')).statusCode).toBe(206);
    expect((await get(other)).statusCode).toBe(404);
  });

  it('that fails to run is an empty page, and plays nothing', async () => {
    await insertSmartlist(model.write, { id: 74, name: 'Broken' }, [['title', 'regexp', '(((', null]]);
    const id = await shared(74);
    const answer = await get(addressOf(id));
    expect([answer.statusCode, titlesIn(answer.body)]).toEqual([200, []]);
    expect((await get(`/play/index.php?share_id=${id}&share_secret=${fixtureSecret(id)}&oid=1`)).statusCode).toBe(404);
  });

  it('is shared through the compat API, alone or with songs', async () => {
    await insertSmartlist(model.write, { id: 75, name: 'Over there' }, every);
    const entriesOf = async (ids: string) => (await compat('createShare', ids)).shares?.share[0]?.entry.map(({ id }) => id);
    expect(await entriesOf('&id=sp-75')).toEqual(['so-1', 'so-2', 'so-4']);
    expect(await entriesOf('&id=so-3&id=sp-75')).toEqual(['so-3', 'so-1', 'so-2', 'so-4']);
    expect((await compat('createShare', '&id=sp-999')).error?.code).toBe(70);
    const { share = [] } = (await compat('getShares')).shares ?? {};
    expect(share.some(({ entry }) => entry.length === 3)).toBe(true);
  });
});
