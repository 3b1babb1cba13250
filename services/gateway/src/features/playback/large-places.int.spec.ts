import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { savePlayQueue, type CommandMessage, type ReadModel } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { compatServer, queryOf, type CompatServer } from '../../../test/servers/compat-server.js';
import { FIRST_BOOKMARKED_MS, insertPlayQueue } from '../../../test/library/places-fixture.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { seedTestAccounts, startTestGateway, testAccounts, type TestGateway } from '../../../test/servers/test-gateway.js';
import { seedSyntheticLibrary } from '../../../test/library/synthetic-library.js';

/*
 * Ten thousand of each: all of it in a handful of statements, in a time that nobody minds. The limits are some ten times what it takes on an idle machine, since the machine
 * of a test is not.
 */

const SONGS = 20_000;
const MANY = 10_000;
const AT_MOST_MS = 30_000;

let model: TestReadModel;
let gateway: TestGateway;
let server: CompatServer;
let artFolder: string;

const seedBookmarks = (db: Kysely<ReadModel>): Promise<unknown> =>
  sql`insert into playback.bookmark
    (id, user_id, object_type, object_id, slot, label, position_ms, created_at_ms, changed_at_ms)
  select n, case when n % 2 = 0 then 1 else 2 end, 'song', n / 2 + 1, '', 'label ' || n, n, ${FIRST_BOOKMARKED_MS}::bigint + n, ${FIRST_BOOKMARKED_MS}::bigint + n
  from generate_series(1, ${2 * MANY}::int) n`.execute(db);

beforeAll(async () => {
  model = await testReadModel();
  await seedSyntheticLibrary(model.write as unknown as Kysely<unknown>, SONGS);
  await seedTestAccounts(model.write);
  await seedBookmarks(model.write);
  await sql`analyze`.execute(model.write);
  const ids = Array.from({ length: MANY }, (_, n) => 1 + ((n * 7919) % SONGS));
  await insertPlayQueue(model.write, [{ objectType: 'song', ids }], { current_index: MANY - 1 });
  gateway = await startTestGateway(model.read, {});
  artFolder = await mkdtemp(join(tmpdir(), 'continuo-art-'));
  server = await compatServer(model.read, artFolder);
}, 120_000);
afterAll(async () => {
  await server.app.close();
  await gateway.stop();
  await model.close();
  await rm(artFolder, { recursive: true });
});

const native = async (query: string): Promise<Record<string, unknown>> => {
  const url = `/server/json.server.php?version=8.0.0&${query}`;
  const { body } = await gateway.app.inject({ url, headers: { authorization: `Bearer ${testAccounts.admin.token}` } });
  return JSON.parse(body) as Record<string, unknown>;
};
const compat = async (operation: string, params: Record<string, string> = {}): Promise<Record<string, unknown>> =>
  (JSON.parse((await server.call(operation, { f: 'json', ...params })).body) as Record<string, Record<string, unknown>>)[
    'subsonic-response'
  ] ?? {};

/** Answer of a call; the second one must be within the time limit. */
const swift = async <T>(call: () => Promise<T>): Promise<T> => {
  await call();
  const startMs = performance.now();
  const answer = await call();
  const tookMs = performance.now() - startMs;
  expect(tookMs).toBeLessThan(AT_MOST_MS);
  return answer;
};

describe('ten thousand bookmarks', () => {
  it('are shown in pages', async () => {
    const page = (await swift(() => native('action=bookmarks&limit=100&offset=5000&include=1'))) as {
      total_count: number;
      bookmark: { song: unknown[] }[];
    };
    expect([page.total_count, page.bookmark.length]).toEqual([MANY, 100]);
    expect(page.bookmark.every(({ song }) => song.length === 1)).toBe(true);
  });
  it('are shown all at once', async () => {
    const all = (await swift(() => native('action=bookmarks&limit=none'))) as { bookmark: unknown[] };
    expect(all.bookmark).toHaveLength(MANY);
    const { bookmarks } = (await swift(() => compat('getBookmarks'))) as { bookmarks: { bookmark: unknown[] } };
    expect(bookmarks.bookmark).toHaveLength(MANY);
  });
  it('do not hold up a song', async () => {
    expect(await swift(() => compat('getSong', { id: 'so-5000' }))).toMatchObject({ song: { bookmarkPosition: 9998 } });
  });
});

describe('long lists of the compatibility API', () => {
  it.each(['getBookmarks', 'getPlayQueue', 'getPlayQueueByIndex'])('%s is sent while it is read', async (operation) => {
    const { headers } = await server.call(operation, { f: 'json' });
    expect(headers['content-length']).toBeUndefined();
  });
});

describe('ten thousand songs in a queue', () => {
  it('are shown', async () => {
    const { playQueue } = (await swift(() => compat('getPlayQueue'))) as {
      playQueue: { entry: unknown[]; current: string };
    };
    expect(playQueue.entry).toHaveLength(MANY);
  });
  it('are saved from a form', async () => {
    const saved: CommandMessage<z.output<typeof savePlayQueue.schema>>[] = [];
    server.commands.handle(savePlayQueue, async (message) => {
      saved.push(message);
      return { result: {}, positions: [] };
    });
    const id = Array.from({ length: MANY / 2 }, (_, n) => `so-${n + 1}`);
    const payload = queryOf({ u: 'ada', p: 'secret', v: '1.16.1', c: 'test', f: 'json', id, currentIndex: MANY / 2 - 1 });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    await swift(() => server.app.inject({ method: 'POST', url: '/rest/savePlayQueueByIndex', payload, headers }));
    expect(saved.at(-1)?.data).toMatchObject({ currentIndex: MANY / 2 - 1, runs: [{ objectType: 'song', ids: { length: MANY / 2 } }] });
  });
});
