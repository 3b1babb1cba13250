import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TRANSCODE_ASK_SUBJECT, transcodeTarget, transcodeWorkerSubject, type TranscodeSource } from '@continuo/contracts';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { someOf } from '@continuo/local-servers/test-form';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTone, probe } from '../../test/fakes/media-maker.js';
import { startWorkerProcess, type WorkerProcess } from '../../test/fakes/transcoding-worker.js';
import { bytesOf, finishedOf, transcodesContract } from '../../test/transcode/transcodes.contract.js';
import { workerTranscodes, type WorkerTranscodes } from './worker-transcodes.adapter.js';

let home: string;
let nats: TestNats;
let postgres: TestPostgres;
let connection: NatsConnection;
let worker: WorkerProcess;
let transcodes: WorkerTranscodes;
let source: TranscodeSource;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'continuo-transcodes-'));
  [nats, postgres] = await Promise.all([testNats(), testPostgres()]);
  connection = await connect({ servers: nats.url });
  source = await makeTone(home, 'tone.flac', 12);
  const settings = { CONTINUO_DATA: join(home, 'data'), LOG_LEVEL: 'debug' };
  worker = await startWorkerProcess({ natsUrl: nats.url, postgresUrl: postgres.url, settings });
  transcodes = workerTranscodes(connection, pino({ level: 'silent' }));
});
afterAll(async () => {
  transcodes.close();
  await worker.stop();
  await connection.close();
  await Promise.all([nats.stop(), postgres.stop()]);
  await rm(home, { recursive: true, force: true });
});

transcodesContract('a worker', () => ({ transcodes, source, lost: { ...source, path: 'lost.flac' } }));

it('a worker that takes no connection is not tried again at once', async () => {
  let tried = 0;
  const answering = (subject: string, answer: () => object) =>
    connection.subscribe(subject, { callback: (_, message) => void message.respond(JSON.stringify(answer())) });
  const fake = [
    answering(TRANSCODE_ASK_SUBJECT, () => ({ state: 'free', workerId: 'unreachable', freeSlots: 99 })),
    answering(transcodeWorkerSubject('unreachable'), () => {
      tried += 1;
      return { ok: true, ticket: { state: 'growing', url: 'http://127.0.0.1:9/bytes', mime: 'audio/mpeg' } };
    }),
  ];
  for (const offsetMs of [1, 2, 3])
    expect((await bytesOf(await transcodes.open(source, transcodeTarget.parse({ format: 'mp3', offsetMs })))).length).toBeGreaterThan(100);
  expect(tried).toBe(1);
  for (const subscription of fake) subscription.unsubscribe();
});

describe('a worker', () => {
  it.each(
    someOf(
      [
        ['mp3', 'mp3', 44_100],
        ['opus', 'opus', 48_000],
        ['ogg', 'vorbis', 44_100],
        ['aac', 'aac', 44_100],
        ['m4a', 'aac', 44_100],
        ['flac', 'flac', 44_100],
        ['wav', 'pcm_s16le', 44_100],
        ['webm', 'opus', 48_000],
        ['ts', 'aac', 48_000],
      ] as const,
      3,
    ),
  )('makes %s, whole and from an offset on', async (format, codec, sampleRateHz) => {
    for (const [offsetMs, durationMs] of [
      [0, 12_000],
      [4500, 7500],
    ] as const) {
      const finished = await finishedOf(transcodes, source, transcodeTarget.parse({ format, offsetMs }));
      const path = join(home, `made-${offsetMs}.${format}`);
      await writeFile(path, await bytesOf(finished));
      const found = await probe(path);
      expect(found).toMatchObject({ codec, sampleRateHz, channels: 2 });
      expect(Math.abs(found.durationMs - durationMs)).toBeLessThan(200);
    }
  });
});
