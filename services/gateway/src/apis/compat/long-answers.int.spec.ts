import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReadDatabase } from '../../reads/database/database.js';
import { HELD_AT_MOST } from '../../render/flow.js';
import { asking } from '../../../test/servers/compat-asking.js';
import { compatServer, queryOf, type CompatServer } from '../../../test/servers/compat-server.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { seedSyntheticLibrary } from '../../../test/library/synthetic-library.js';

/** More than an answer holds at once, in no whole number of batches. */
const SONGS = 3 * HELD_AT_MOST + 7;

let model: TestReadModel;
let server: CompatServer;
let folder: string;
const { ask } = asking(() => server);

const run = (statement: string) => sql.raw(statement).execute(model.write);

beforeAll(async () => {
  model = await testReadModel();
  await seedSyntheticLibrary(model.write as unknown as Kysely<unknown>, SONGS);
  await run(`insert into library.playlist (id, owner_id, name, name_sort, is_public, comment, collaborator_ids, created_at_ms, updated_at_ms, revision, member_count)
    values (1, 1, 'all', 'all', true, '', '{}', 1, 1, 1, ${SONGS})`);
  await run(`insert into library.playlist_member (playlist_id, entry, rank, object_kind, object_id, added_at_ms)
    select 1, id, ${SONGS} - id, 'song', id, 1 from library.song`);
  await run(
    `insert into social.user_flag (user_id, kind, object_id, flagged_at_ms) select 1, 'song', id, id from library.song on conflict do nothing`,
  );
  folder = await mkdtemp(join(tmpdir(), 'continuo-long-'));
  server = await compatServer(model.read, folder);
});
afterAll(async () => {
  await server.app.close();
  await model.close();
  await rm(folder, { recursive: true });
});

const backwards = Array.from({ length: SONGS }, (_, n) => `so-${SONGS - n}`);
const idsIn = (text: string): string[] => [...text.matchAll(/<entry id="(so-\d+)"/g)].map(([, id]) => id ?? '');

describe('an answer that is longer than what is held at once', () => {
  it('has everything in its order, in JSON, JSONP and XML', async () => {
    const json = await ask('getPlaylist', { id: 'pl-1' });
    expect(json.playlist.entry.map(({ id }: { id: string }) => id)).toEqual(backwards);
    const plain = await server.call('getPlaylist', { id: 'pl-1', f: 'json' });
    expect(plain.headers['content-length']).toBeUndefined();
    const padded = await server.call('getPlaylist', { id: 'pl-1', f: 'jsonp', callback: 'cb' });
    expect(padded.body).toBe(`cb(${plain.body});`);
    const xml = await server.call('getPlaylist', { id: 'pl-1', f: 'xml' });
    expect(idsIn(xml.body)).toEqual(backwards);
    expect(xml.body).toMatch(/<\/playlist><\/subsonic-response>$/);
  });

  it('writes each thing as a short answer does', async () => {
    const { playlist } = await ask('getPlaylist', { id: 'pl-1' });
    const { song } = await ask('getSong', { id: 'so-2500' });
    expect(playlist.entry.find(({ id }: { id: string }) => id === 'so-2500')).toEqual(song);
  });

  it.each([
    ['getStarred2', {}, 'starred2'],
    ['getStarred', {}, 'starred'],
    ['search3', { query: '', songCount: 10_000 }, 'searchResult3'],
    ['search2', { query: '', songCount: 10_000 }, 'searchResult2'],
  ])('%s has all songs', async (operation, params, name) => {
    const answer = await ask(operation, params);
    expect(new Set(answer[name].song.map(({ id }: { id: string }) => id)).size).toBe(SONGS);
  });

  it('is headers alone for HEAD', async () => {
    const query = queryOf({ u: 'ada', p: 'secret', v: '1.16.1', c: 'test', id: 'pl-1' });
    const { statusCode, body } = await server.app.inject({ method: 'HEAD', url: `/rest/getPlaylist?${query}` });
    expect([statusCode, body]).toEqual([200, '']);
  });
});

describe('a long answer of a read model that fails', () => {
  /** A read model whose statements about songs fail from the n-th on. */
  const failingFrom = (n: number): ReadDatabase => {
    let asked = 0;
    const breaks = (): void => {
      asked += 1;
      if (asked >= n) throw new Error('the read model broke');
    };
    return new Proxy(model.read, {
      get: (db, name) => {
        const value = Reflect.get(db, name) as unknown;
        if (name !== 'selectFrom' || typeof value !== 'function')
          return typeof value === 'function' ? (value as () => unknown).bind(db) : value;
        return (table: string) => {
          if (table === 'library.song as s') breaks();
          return (value as (from: string) => unknown).call(db, table);
        };
      },
    });
  };

  const listening = async (n: number): Promise<{ url: string; close: () => Promise<void> }> => {
    const failing = await compatServer(failingFrom(n), folder);
    const address = await failing.app.listen({ port: 0, host: '127.0.0.1' });
    const query = queryOf({ u: 'ada', p: 'secret', v: '1.16.1', c: 'test', f: 'json', id: 'pl-1' });
    return { url: `${address}/rest/getPlaylist?${query}`, close: () => failing.app.close() };
  };

  it('breaks off when it has begun, so that nobody takes it for the whole', async () => {
    const { url, close } = await listening(3);
    const answer = await fetch(url);
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow('terminated');
    await close();
  });

  it('is an envelope when nothing was sent', async () => {
    const { url, close } = await listening(1);
    const answer = (await (await fetch(url)).json()) as { 'subsonic-response': { status: string } };
    expect(answer['subsonic-response'].status).toBe('failed');
    await close();
  });
});

describe('long answers', () => {
  it('are refused when there is no place for them, with when to ask again, and go on when there is', async () => {
    const taken = await Promise.all([server.listSlots.acquire(), server.listSlots.acquire()]);
    const waiting = server.call('getPlaylist', { id: 'pl-1', f: 'json' });
    await expect.poll(() => server.listSlots.queued).toBe(1);
    const refused = await server.call('getPlaylist', { id: 'pl-1', f: 'json' });
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '5']);
    expect(refused.body).toContain('"status":"failed"');
    for (const giveBack of taken) giveBack();
    expect((await waiting).body).toContain('"status":"ok"');
    await expect.poll(() => [server.listSlots.used, server.listSlots.queued]).toEqual([0, 0]);
  });
});
