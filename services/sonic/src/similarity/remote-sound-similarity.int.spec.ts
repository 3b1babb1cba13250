import { startService, type StartedService } from '@continuo/chassis';
import { findSimilarSounds, findSoundPath, songId, sonicStatus, startSonicRun } from '@continuo/contracts';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { FakeService } from '@continuo/plugins/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SonicConfig } from '../config.js';
import { sonicService } from '../sonic.service.js';

/*
 * A library whose sounds are compared by an AudioMuse-AI server, for which a stand-in answers as that server does: `GET /api/similar_tracks` with an array of tracks and their
 * distances, `GET /api/find_path` with a path of tracks and their vectors.
 */

let nats: TestNats;
let postgres: TestPostgres;
let elsewhere: FakeService;
let service: StartedService<SonicConfig>;
const context = { actor: 'user:1', correlationId: 'spec', causationId: 'spec' };

beforeAll(async () => {
  [nats, postgres, elsewhere] = await Promise.all([testNats(), testPostgres(), FakeService.start()]);
  service = await startService(sonicService, {
    DATABASE_URL: postgres.url,
    NATS_URL: nats.url,
    CONTINUO_SECRET: 'x'.repeat(32),
    LOG_LEVEL: 'silent',
    PLUGINS: 'audiomuse',
    PLUGIN_SETTINGS: JSON.stringify({ audiomuse: { url: elsewhere.url, token: 'let-me-in' } }),
    OUTBOUND_ALLOWED_NETWORKS: '127.0.0.0/8',
  });
  const { db } = service.deps;
  await sql`create schema if not exists library`.execute(db);
  await sql`create table library.song (id bigint primary key, catalog_id bigint, title text, mbid text, duration_ms bigint, doc text)`.execute(
    db,
  );
  const doc = JSON.stringify({ artists: [{ id: 1, name: 'Somebody' }], album: { id: 1, name: 'An album' } });
  for (let id = 1; id <= 9; id += 1)
    await sql`insert into library.song values (${id}, ${id > 6 ? 2 : 1}, ${`Song ${id}`}, null, 1000, ${doc})`.execute(db);
}, 120_000);
afterAll(async () => {
  await service.stop();
  await Promise.all([nats.stop(), postgres.stop(), elsewhere.stop()]);
});

/** Addresses are kept for a while: each spec asks about a song of its own. */
beforeEach(() => {
  elsewhere.asked.length = 0;
  elsewhere.answer = () => ({ status: 404, json: { error: 'not found' } });
});

const similar = async (id: number, catalogs: 'all' | number[] = 'all', count = 5) =>
  (await service.deps.commands.send(findSimilarSounds, { songId: songId.parse(id), catalogs, count }, context)).result;
const path = async (from: number, to: number, count = 5, catalogs: 'all' | number[] = 'all') =>
  (
    await service.deps.commands.send(
      findSoundPath,
      { fromSongId: songId.parse(from), toSongId: songId.parse(to), count, catalogs },
      context,
    )
  ).result;

describe('a remote back end', () => {
  it('is available, and analyses nothing locally', async () => {
    const { result } = await service.deps.commands.send(sonicStatus, {}, context);
    expect(result).toEqual({ plugin: { name: 'audiomuse', title: 'AudioMuse-AI', model: null }, problem: null, songs: 0 });
    await expect(service.deps.commands.send(startSonicRun, {}, context)).rejects.toMatchObject({ code: 'feature.disabled' });
  });

  it('is queried by song id, and its distances become similarities', async () => {
    elsewhere.answer = () => ({
      json: [
        { item_id: 'so-1', title: 'itself', distance: 0 },
        { item_id: 'so-2', title: 'near', author: 'Somebody', distance: 0.25 },
        { item_id: 'so-777', title: 'gone', distance: 0.3 },
        { item_id: 'foreign-3', title: 'of another server', distance: 0.3 },
        { item_id: 'so-7', title: 'far', distance: 1 },
        { item_id: 'so-2', title: 'twice', distance: 2 },
      ],
    });
    const { isKnown, matches } = await similar(1);
    expect(isKnown).toBe(true);
    expect(matches.map((one) => one.songId)).toEqual([2, 7]);
    expect(matches.map((one) => one.similarity).every((value) => value > 0 && value < 1)).toBe(true);
    const [asked] = elsewhere.asked;
    expect([asked?.path, asked?.query.get('item_id'), asked?.headers.authorization]).toEqual([
      '/api/similar_tracks',
      'so-1',
      'Bearer let-me-in',
    ]);
  });

  it('hides songs that the caller may not see', async () => {
    elsewhere.answer = () => ({ json: [3, 8, 4, 9].map((id) => ({ item_id: `so-${id}`, distance: id / 10 })) });
    expect((await similar(2, [1])).matches.map((one) => one.songId)).toEqual([3, 4]);
    elsewhere.asked.length = 0;
    expect((await similar(8, [1])).isKnown).toBe(false);
    expect((await path(2, 8, 5, [1])).isKnown).toBe(false);
    expect(elsewhere.asked).toEqual([]);
  });

  it('leads from one song to another, compared by the vectors that it shows', async () => {
    elsewhere.answer = () => ({
      json: {
        path: [
          { item_id: 'so-3', embedding_vector: [1, 0] },
          { item_id: 'so-5', embedding_vector: [1, 1] },
          { item_id: 'so-8', embedding_vector: [0.5, 1] },
          { item_id: 'so-4', embedding_vector: [0, 1] },
        ],
        total_distance: 1,
      },
    });
    const all = await path(3, 4);
    expect(all.matches.map((one) => one.songId)).toEqual([3, 5, 8, 4]);
    expect(all.matches[0]?.similarity).toBe(1);
    const similarities = all.matches.map((one) => one.similarity);
    expect(similarities).toEqual(similarities.toSorted((a, b) => b - a));
    expect((await path(3, 4, 5, [1])).matches.map((one) => one.songId)).toEqual([3, 5, 4]);
    expect((await path(3, 3)).matches).toEqual([{ songId: 3, similarity: 1 }]);
  });

  it('returns nothing for a song that it has not analysed', async () => {
    expect(await similar(4)).toEqual({ isKnown: false, matches: [] });
    expect(await path(5, 6)).toEqual({ isKnown: false, matches: [] });
  });

  it('is unavailable when it fails or answers invalid data', async () => {
    elsewhere.answer = () => ({ status: 500, json: { error: 'broken' } });
    await expect(similar(5)).rejects.toMatchObject({ code: 'unavailable' });
    elsewhere.answer = () => ({ text: 'no json' });
    await expect(similar(6)).rejects.toMatchObject({ code: 'unavailable' });
    elsewhere.answer = () => ({ json: { strange: true } });
    expect((await similar(7)).matches).toEqual([]);
  });
});
