import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startService, type StartedService } from '@continuo/chassis';
import {
  cancelSonicRun,
  findSimilarSounds,
  findSoundPath,
  songId,
  sonicStatus,
  startSonicRun,
  type ReadModel,
  type SonicMatch,
  type SonicRunTable,
} from '@continuo/contracts';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { SonicConfig } from './config.js';
import { RunTimer } from './run/run-timer.js';
import { sonicService } from './sonic.service.js';

type Service = StartedService<SonicConfig>;
const run = promisify(execFile);
const PATIENCE = { timeout: 150_000, interval: 50 };
vi.setConfig({ testTimeout: 240_000, hookTimeout: 300_000 });
const context = { actor: 'user:1', correlationId: 'spec', causationId: 'spec' };

let nats: TestNats;
let postgres: TestPostgres;
let folder: string;
let service: Service;

/** Two of each kind: by their sounds songs 1 and 2 belong together, 3 and 4, 5 and 6, 7 and 8. */
const sounds: Readonly<Record<number, string>> = {
  1: "aevalsrc='0.4*sin(2*PI*220*t)*(0.6+0.4*sin(2*PI*5*t))':s=22050:d=20",
  2: "aevalsrc='0.3*sin(2*PI*233*t)*(0.6+0.4*sin(2*PI*5.2*t))':s=22050:d=20",
  3: 'anoisesrc=c=pink:r=22050:d=20:seed=7:a=0.4',
  4: 'anoisesrc=c=pink:r=22050:d=20:seed=8:a=0.2',
  5: "aevalsrc='0.8*sin(2*PI*1500*t)*exp(-30*mod(t\\,0.5))':s=22050:d=20",
  6: "aevalsrc='0.7*sin(2*PI*1650*t)*exp(-28*mod(t\\,0.5))':s=22050:d=20",
  7: "aevalsrc='0.3*(sin(2*PI*110*t)+sin(2*PI*165*t)+sin(2*PI*220*t))*exp(-3*mod(t\\,0.25))':s=22050:d=20",
  8: "aevalsrc='0.3*(sin(2*PI*117*t)+sin(2*PI*175*t)+sin(2*PI*234*t))*exp(-3*mod(t\\,0.26))':s=22050:d=20",
};
const siblings: Readonly<Record<number, number>> = { 1: 2, 2: 1, 3: 4, 4: 3, 5: 6, 6: 5, 7: 8, 8: 7 };

const env = (more: Record<string, string> = {}): Record<string, string> => ({
  DATABASE_URL: postgres.url,
  NATS_URL: nats.url,
  CONTINUO_SECRET: 'x'.repeat(32),
  LOG_LEVEL: 'silent',
  PLUGINS: 'sonic',
  SONIC_SLOTS: '1',
  SONIC_LOOK_MINUTES: '0',
  ...more,
});
const readModel = (): Kysely<ReadModel> => service.deps.db;

/** The tables of other services that this one reads. */
const seedTables = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of [
    'create schema if not exists library',
    'create schema if not exists ingestion',
    'create table library.catalog (id integer, path text, enabled boolean)',
    `create table library.song (id bigint primary key, catalog_id bigint, title text, doc text, size_bytes bigint, mtime_ms bigint, duration_ms bigint,
      mbid text)`,
    'create table library.counter (kind text, catalog_id integer, total bigint, max_id bigint, version bigint)',
    `insert into library.counter values ('song', 0, 0, 0, 1)`,
    'create table ingestion.scan (id text, state text)',
  ])
    await sql.raw(statement).execute(db);
  await sql`insert into library.catalog values (1, ${folder}, true), (2, ${folder}, true)`.execute(db);
};

const addSong = async (id: number, name: string, catalogId = 1): Promise<void> => {
  const { size, mtimeMs } = await stat(join(folder, name));
  const doc = JSON.stringify({ path: name, mime: 'audio/flac', artists: [], album: { name: 'spec' } });
  await sql`
    insert into library.song values (${id}, ${catalogId}, ${name}, ${doc}, ${size}, ${Math.round(mtimeMs)}, 20000, null)
    on conflict (id) do update set size_bytes = excluded.size_bytes, mtime_ms = excluded.mtime_ms, doc = excluded.doc`.execute(
    service.deps.db,
  );
  await sql`update library.counter set version = version + 1, max_id = greatest(max_id, ${id})`.execute(service.deps.db);
};

const ffmpeg = (...args: readonly string[]) => run('ffmpeg', ['-nostdin', '-loglevel', 'error', '-y', ...args]);
const makeSound = (name: string, source: string, ...args: readonly string[]) =>
  ffmpeg('-f', 'lavfi', '-i', source, ...args, join(folder, name));

const runOf = (id: string): Promise<SonicRunTable | undefined> =>
  readModel().selectFrom('sonic.run').selectAll().where('id', '=', id).executeTakeFirst();
const begin = async (request: { catalogId?: number; again?: boolean } = {}): Promise<string> =>
  (await service.deps.commands.send(startSonicRun, request, context)).result.runId;
const finished = async (id: string): Promise<SonicRunTable> => {
  await vi.waitFor(async () => expect((await runOf(id))?.state).toBe('finished'), PATIENCE);
  return (await runOf(id)) as SonicRunTable;
};
/** As many songs are in memory as can be compared. */
const inMemory = (count: number) =>
  vi.waitFor(async () => expect((await service.deps.commands.send(sonicStatus, {}, context)).result.songs).toBe(count), PATIENCE);

const similar = async (id: number, catalogs: 'all' | number[] = 'all', count = 3): Promise<SonicMatch[] | undefined> => {
  const { result } = await service.deps.commands.send(findSimilarSounds, { songId: songId.parse(id), catalogs, count }, context);
  return result.isKnown ? result.matches : undefined;
};
const path = async (from: number, to: number, count: number, catalogs: 'all' | number[] = 'all') => {
  const request = { fromSongId: songId.parse(from), toSongId: songId.parse(to), catalogs, count };
  return (await service.deps.commands.send(findSoundPath, request, context)).result;
};

beforeAll(async () => {
  [nats, postgres, folder] = await Promise.all([testNats(), testPostgres(), mkdtemp(join(tmpdir(), 'continuo-sonic-'))]);
  service = await startService(sonicService, env());
  await seedTables(service.deps.db);
  for (const [id, source] of Object.entries(sounds)) {
    await makeSound(`${id}.flac`, source);
    await addSong(Number(id), `${id}.flac`, Number(id) > 6 ? 2 : 1);
  }
  await finished(await begin());
  await inMemory(8);
});
afterAll(async () => {
  await service.stop();
  await Promise.all([nats.stop(), postgres.stop(), rm(folder, { recursive: true, force: true })]);
});

describe('what songs sound like', () => {
  it.each(Object.entries(siblings))('song %s is nearest to the one of its kind', async (id, sibling) => {
    const found = (await similar(Number(id), 'all', 7)) ?? [];
    expect(found[0]?.songId).toBe(sibling);
    expect(found).toHaveLength(7);
    const similarities = found.map(({ similarity }) => similarity);
    expect(similarities).toEqual(similarities.toSorted((a, b) => b - a));
    expect(similarities.every((value) => value > 0 && value <= 1)).toBe(true);
  });

  it("is answered from the caller's catalogs only", async () => {
    expect((await similar(5, [1], 10))?.map((one) => one.songId).toSorted()).toEqual([1, 2, 3, 4, 6]);
    expect(await similar(7, [1])).toBeUndefined();
    expect(await similar(5, [])).toBeUndefined();
    expect((await path(1, 7, 5, [1])).isKnown).toBe(false);
    const within = (await path(1, 3, 6, [1])).matches.map((one) => one.songId);
    expect(within.filter((id) => id > 6)).toEqual([]);
  });

  it('finds a path from one song to another', async () => {
    const { isKnown, matches } = await path(1, 3, 6);
    expect(isKnown).toBe(true);
    expect(matches).toHaveLength(6);
    expect([matches[0], matches.at(-1)?.songId]).toEqual([{ songId: 1, similarity: 1 }, 3]);
    expect(new Set(matches.map((one) => one.songId)).size).toBe(6);
    expect((await path(1, 1, 6)).matches).toEqual([{ songId: 1, similarity: 1 }]);
    expect((await path(1, 3, 100)).matches).toHaveLength(8);
    expect((await path(1, 3, 2)).matches.map((one) => one.songId)).toEqual([1, 3]);
    expect((await path(1, 999, 5)).isKnown).toBe(false);
  });

  it('is not analysed twice: neither an unchanged file, nor another one of the same sound', async () => {
    expect(await finished(await begin())).toMatchObject({ known: 8, analysed: 0, reused: 0, failed: 0 });
    await ffmpeg('-i', join(folder, '1.flac'), '-c', 'copy', '-metadata', 'title=Another', join(folder, 'copy.flac'));
    await addSong(20, 'copy.flac');
    expect(await finished(await begin())).toMatchObject({ known: 8, analysed: 0, reused: 1 });
    await inMemory(9);
    expect((await similar(1))?.[0]).toEqual({ songId: 20, similarity: 1 });
    expect(await finished(await begin({ again: true, catalogId: 2 }))).toMatchObject({ analysed: 2, known: 0 });
  });

  it('follows songs that change, move and go', async () => {
    await makeSound('9.flac', sounds[1] ?? '');
    await addSong(30, '9.flac');
    await finished(await begin());
    await expect.poll(async () => (await similar(30))?.slice(0, 2).map((one) => one.songId), PATIENCE).toEqual([1, 20]);
    await makeSound('9.flac', 'anoisesrc=c=pink:r=22050:d=21:seed=9:a=0.4');
    await addSong(30, '9.flac');
    expect(await finished(await begin())).toMatchObject({ analysed: 1 });
    await expect.poll(async () => [3, 4].includes((await similar(30))?.[0]?.songId ?? 0), PATIENCE).toBe(true);
    await sql`update library.song set catalog_id = 2 where id = 30`.execute(service.deps.db);
    expect((await similar(3, [1], 10))?.map((one) => one.songId)).not.toContain(30);
    await sql`delete from library.song where id in (20, 30)`.execute(service.deps.db);
    expect((await similar(3, 'all', 20))?.map((one) => one.songId)).not.toContain(30);
    expect(await similar(30)).toBeUndefined();
    expect((await similar(1, 'all', 1))?.map((one) => one.songId)).toEqual([2]);
  });

  it('records a file without sound as failed and does not retry it', async () => {
    await writeFile(join(folder, 'broken.flac'), 'no sound at all');
    await makeSound('silent.flac', 'anullsrc=r=22050:d=20', '-t', '20');
    await addSong(40, 'broken.flac');
    await addSong(41, 'silent.flac');
    expect(await finished(await begin())).toMatchObject({ failed: 2, known: 8 });
    const rows = await readModel()
      .selectFrom('sonic.song')
      .select(['song_id', 'vector', 'reason'])
      .where('song_id', '>=', 40)
      .orderBy('song_id')
      .execute();
    expect(rows).toEqual([
      { song_id: 40, vector: null, reason: expect.any(String) },
      { song_id: 41, vector: null, reason: 'there is not enough to hear in it' },
    ]);
    expect(await finished(await begin())).toMatchObject({ failed: 0, known: 10 });
    expect(await similar(40)).toBeUndefined();
    await sql`delete from library.song where id >= 40`.execute(service.deps.db);
  });
});

describe('runs', () => {
  it('keep known results when they are cancelled', async () => {
    await makeSound('long.flac', "aevalsrc='random(0)*sin(2*PI*300*t)':s=22050:d=100");
    for (let id = 50; id < 56; id += 1) {
      await ffmpeg('-ss', String(id - 49), '-i', join(folder, 'long.flac'), join(folder, `${id}.flac`));
      await addSong(id, `${id}.flac`);
    }
    const id = await begin();
    await vi.waitFor(async () => expect((await runOf(id))?.state).toBe('running'), PATIENCE);
    expect(await begin()).toBe(id);
    await service.deps.commands.send(cancelSonicRun, { runId: id }, context);
    await expect.poll(async () => (await runOf(id))?.state, PATIENCE).toBe('cancelled');
    const again = await finished(await begin());
    expect(again.analysed + again.known + again.reused).toBe(14);
    await sql`delete from library.song where id >= 50`.execute(service.deps.db);
  });

  it('continue on another worker when theirs stops', async () => {
    const id = await begin({ again: true });
    const other = await startService(sonicService, env());
    await service.stop();
    service = other;
    const { analysed, known, failed } = await finished(id);
    const { rows } = await sql<{ songs: number }>`select count(*)::int as songs from library.song`.execute(service.deps.db);
    expect([analysed + known, failed]).toEqual([rows[0]?.songs, 0]);
  });
});

describe('the clock', () => {
  const analyser = (model: string) => ({ name: 'spec', title: 'Spec', model, dimensions: 1, analyse: async () => undefined });
  const clockBy = (model: string): RunTimer =>
    new RunTimer({ ...service.deps, db: readModel(), analyser: analyser(model), pauseMs: 60_000 });
  const runsBy = (model: string) => readModel().selectFrom('sonic.run').select(['id', 'state']).where('model', '=', model).execute();

  it('starts a run for new songs, and no other before the library changes', async () => {
    const clock = clockBy('spec-1');
    await sql`insert into ingestion.scan values ('s', 'running')`.execute(service.deps.db);
    await clock.look();
    await sql`delete from ingestion.scan`.execute(service.deps.db);
    expect(await runsBy('spec-1')).toEqual([]);
    await clock.look();
    await vi.waitFor(async () => expect(await runsBy('spec-1')).toHaveLength(1), PATIENCE);
    const id = (await runsBy('spec-1'))[0]?.id ?? '';
    await service.deps.commands.send(cancelSonicRun, { runId: id }, context);
    await vi.waitFor(async () => expect((await runOf(id))?.state).toBe('cancelled'), PATIENCE);
    await clock.look();
    await sql`update library.counter set version = version + 1`.execute(service.deps.db);
    await clock.look();
    await vi.waitFor(async () => expect(await runsBy('spec-1')).toHaveLength(2), PATIENCE);
  });

  it('abandons runs of a replaced model', async () => {
    await clockBy('spec-2').look();
    await vi.waitFor(async () => expect((await runsBy('spec-2')).map(({ state }) => state)).toEqual(['running']), PATIENCE);
    await clockBy('spec-3').look();
    await vi.waitFor(async () => expect((await runsBy('spec-2')).map(({ state }) => state)).toEqual(['cancelled']), PATIENCE);
    await vi.waitFor(async () => expect(await runsBy('spec-3')).toHaveLength(1), PATIENCE);
    expect(await finished(await begin())).toMatchObject({ failed: 0 });
    await vi.waitFor(async () => expect((await runsBy('spec-3')).map(({ state }) => state)).toEqual(['cancelled']), PATIENCE);
  });
});

describe('without a plug-in', () => {
  it('every query is rejected', async () => {
    const [otherNats, otherPostgres] = await Promise.all([testNats(), testPostgres()]);
    const bare = await startService(sonicService, { ...env(), NATS_URL: otherNats.url, DATABASE_URL: otherPostgres.url, PLUGINS: '' });
    try {
      const { result } = await bare.deps.commands.send(sonicStatus, {}, context);
      expect(result).toEqual({ plugin: null, problem: 'PLUGINS names no plug-in', songs: 0 });
      const asking = bare.deps.commands.send(findSimilarSounds, { songId: songId.parse(1), catalogs: 'all', count: 3 }, context);
      await expect(asking).rejects.toMatchObject({ code: 'feature.disabled' });
      await expect(bare.deps.commands.send(startSonicRun, {}, context)).rejects.toMatchObject({ code: 'feature.disabled' });
    } finally {
      await bare.stop();
      await Promise.all([otherNats.stop(), otherPostgres.stop()]);
    }
  });
});
