import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startService, type StartedService } from '@continuo/chassis';
import { cancelTranscodeBatch, startTranscodeBatch, type ReadModel, type TranscodeItem, type TranscodeProfile } from '@continuo/contracts';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TranscodingConfig } from '../config.js';
import { makeTone } from '../../test/media.js';
import { ffmpegChildren } from '../../test/test-transcoder.js';
import { transcodingService } from '../transcoding.service.js';

type Worker = StartedService<TranscodingConfig>;

const SONGS = 8;
const LONG = 50;
/** Long enough to be met under way, and made within a moment of a quiet machine. */
const MIDDLING = 51;
/** Transcodes here take seconds on an idle machine. */
const PATIENCE_MS = 300_000;
let nats: TestNats;
let postgres: TestPostgres;
let folder: string;
let first: Worker;
const context = { actor: 'user:1', correlationId: 'spec', causationId: 'spec' };
const profile = (bitrateKbps: number): TranscodeProfile => ({ format: 'mp3', bitrateKbps });
const songs = (...ids: readonly number[]): TranscodeItem[] => ids.map((id) => ({ type: 'song', id }));
const every = songs(...Array.from({ length: SONGS }, (_, n) => n + 1));

/** A worker with a cache of its own. */
const startTranscoder = (name: string, more: Record<string, string> = {}): Promise<Worker> =>
  startService(transcodingService, {
    DATABASE_URL: postgres.url,
    NATS_URL: nats.url,
    CONTINUO_SECRET: 'x'.repeat(32),
    LOG_LEVEL: 'silent',
    TRANSCODE_SLOTS: '1',
    TRANSCODE_CACHE: join(folder, name),
    ...more,
  });

const readModel = (): Kysely<ReadModel> => first.deps.db;

/** The two tables of the library that this service reads. */
const seedLibrary = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create schema if not exists library`.execute(db);
  await sql`create table library.catalog (id integer, path text)`.execute(db);
  await sql`create table library.song (id integer, catalog_id integer, doc text, size_bytes bigint, mtime_ms bigint, duration_ms bigint)`.execute(
    db,
  );
  await sql`insert into library.catalog values (1, ${folder})`.execute(db);
  const add = async (id: number, name: string, seconds: number): Promise<void> => {
    const { sizeBytes, modifiedAtMs, durationMs, path } = await makeTone(folder, name, seconds);
    await sql`insert into library.song values (${id}, 1, ${JSON.stringify({ path })}, ${sizeBytes}, ${Math.round(modifiedAtMs)}, ${durationMs})`.execute(
      db,
    );
  };
  for (let id = 1; id <= SONGS; id += 1) await add(id, `${id}.flac`, 20);
  await add(LONG, 'long.flac', 1800);
  await add(MIDDLING, 'middling.flac', 240);
  await writeFile(join(folder, 'broken.flac'), 'no sound');
  await sql`insert into library.song values (60, 1, ${JSON.stringify({ path: 'broken.flac' })}, 8, 0, 1000)`.execute(db);
};

beforeAll(async () => {
  [nats, postgres, folder] = await Promise.all([testNats(), testPostgres(), mkdtemp(join(tmpdir(), 'continuo-batch-'))]);
  first = await startTranscoder('first');
  await seedLibrary(first.deps.db);
}, PATIENCE_MS);
afterAll(async () => {
  await first.stop();
  await Promise.all([nats.stop(), postgres.stop(), rm(folder, { recursive: true, force: true })]);
});

const begin = async (items: readonly TranscodeItem[], bitrateKbps: number): Promise<string> => {
  const order = { title: 'spec', profile: profile(bitrateKbps), items: [...items] };
  return (await first.deps.commands.send(startTranscodeBatch, order, context)).result.batchId;
};
const batchOf = (id: string) => readModel().selectFrom('transcoding.batch').selectAll().where('id', '=', id).executeTakeFirst();
const itemsOf = (id: string) =>
  readModel().selectFrom('transcoding.batch_item').selectAll().where('batch_id', '=', id).orderBy('index').execute();
const until = (id: string, state: string) =>
  expect.poll(async () => (await batchOf(id))?.state, { timeout: PATIENCE_MS, interval: 50 }).toBe(state);
const filesIn = async (name: string): Promise<string[]> => {
  const entries = await readdir(join(folder, name), { recursive: true, withFileTypes: true });
  return entries
    .filter((one) => one.isFile())
    .map((one) => one.name)
    .filter((file) => /^[0-9a-f]{64}$/.test(file));
};

describe('transcodes made ahead', () => {
  it(
    'are made once each, by all workers, and found when they are wanted again',
    async () => {
      const second = await startTranscoder('second');
      const batch = await begin(every, 96);
      await until(batch, 'finished');
      expect(await batchOf(batch)).toMatchObject({ items: SONGS, made: SONGS, present: 0, failed: 0 });
      const [ours, theirs] = [await filesIn('first'), await filesIn('second')];
      expect(ours.filter((name) => theirs.includes(name))).toEqual([]);
      expect(ours.length + theirs.length).toBe(SONGS);
      expect(new Set((await itemsOf(batch)).map(({ worker_id }) => worker_id)).size).toBe(2);
      const again = await begin(every, 96);
      await until(again, 'finished');
      expect(await batchOf(again)).toMatchObject({ made: 0, present: SONGS });
      await second.stop();
    },
    PATIENCE_MS,
  );

  it(
    'say why there are none of some, and are still done with',
    async () => {
      const batch = await begin(songs(1, 60, 999), 80);
      await until(batch, 'finished');
      expect(await batchOf(batch)).toMatchObject({ made: 1, failed: 2 });
      expect((await itemsOf(batch)).map(({ outcome, reason }) => [outcome, reason])).toEqual([
        ['made', null],
        ['failed', expect.stringContaining('cannot be brought into this form')],
        ['failed', 'it is no longer in the library'],
      ]);
    },
    PATIENCE_MS,
  );

  it(
    'are given up when the batch is cancelled',
    async () => {
      const batch = await begin(songs(LONG), 64);
      await delay(500);
      await first.deps.commands.send(cancelTranscodeBatch, { batchId: batch }, context);
      await until(batch, 'cancelled');
      expect(await batchOf(batch)).toMatchObject({ made: 0, present: 0, failed: 0 });
      // The place is free again, long before the long one could have been made.
      const next = await begin(songs(3), 64);
      await until(next, 'finished');
    },
    PATIENCE_MS,
  );

  it(
    'are begun anew when the system ends their ffmpeg',
    async () => {
      const batch = await begin(songs(MIDDLING), 56);
      await expect.poll(async () => (await ffmpegChildren()).length, { timeout: PATIENCE_MS, interval: 20 }).toBe(1);
      for (const pid of await ffmpegChildren()) process.kill(pid, 'SIGKILL');
      await until(batch, 'finished');
      expect(await batchOf(batch)).toMatchObject({ made: 1, failed: 0 });
    },
    PATIENCE_MS,
  );

  it(
    'go on elsewhere when their worker stops',
    async () => {
      const leaving = await startTranscoder('leaving', { DRAIN_TIMEOUT_MS: '500' });
      const batch = await begin([...songs(MIDDLING), ...every], 72);
      await delay(700);
      await leaving.stop();
      await until(batch, 'finished');
      expect(await batchOf(batch)).toMatchObject({ made: SONGS + 1, failed: 0 });
    },
    PATIENCE_MS,
  );

  it(
    'are left to others by a worker without ffmpeg',
    async () => {
      const without = await startTranscoder('without', { FFMPEG_PATH: '/nowhere/ffmpeg' });
      const batch = await begin(every, 88);
      await until(batch, 'finished');
      expect(await batchOf(batch)).toMatchObject({ made: SONGS, failed: 0 });
      await without.stop();
    },
    PATIENCE_MS,
  );
});
