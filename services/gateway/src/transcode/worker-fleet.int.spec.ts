import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { transcodeTarget, type TranscodeSource, type TranscodeTarget } from '@continuo/contracts';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeTone } from '../../test/fakes/media-maker.js';
import { ffmpegOf, isThere, startWorkerProcess, type WorkerProcess, type WorkerSurroundings } from '../../test/fakes/transcoding-worker.js';
import { bytesOf, finishedOf } from '../../test/transcode/transcodes.contract.js';
import { workerTranscodes, type WorkerTranscodes } from './worker-transcodes.adapter.js';

let home: string;
let nats: TestNats;
let postgres: TestPostgres;
let connections: NatsConnection[];
/** Two gateways. */
let gateways: [WorkerTranscodes, WorkerTranscodes];
let song: TranscodeSource;
/** An hour: as WAV more than the pipes and buffers on the way hold. */
let long: TranscodeSource;
const workers: WorkerProcess[] = [];
let folders = 0;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'continuo-fleet-'));
  [nats, postgres] = await Promise.all([testNats(), testPostgres()]);
  connections = await Promise.all([connect({ servers: nats.url }), connect({ servers: nats.url })]);
  gateways = connections.map((one) => workerTranscodes(one, pino({ level: 'silent' }))) as [WorkerTranscodes, WorkerTranscodes];
  [song, long] = await Promise.all([makeTone(home, 'song.flac', 20), makeTone(home, 'long.flac', 3600)]);
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop('SIGKILL')));
});
afterAll(async () => {
  for (const gateway of gateways) gateway.close();
  await Promise.all(connections.map((one) => one.close()));
  await Promise.all([nats.stop(), postgres.stop()]);
  await rm(home, { recursive: true, force: true });
});

const start = async (settings: Record<string, string> = {}, more: Partial<WorkerSurroundings> = {}): Promise<WorkerProcess> => {
  const own = { CONTINUO_DATA: join(home, `data-${(folders += 1)}`), TRANSCODE_SLOTS: '2', TRANSCODE_GRACE_MS: '200', ...settings };
  const worker = await startWorkerProcess({ natsUrl: nats.url, postgresUrl: postgres.url, settings: own, ...more });
  workers.push(worker);
  // Gateways know how many answers to wait for once a worker has given a sign of life.
  await delay(50);
  return worker;
};
const target = (wanted: Partial<TranscodeTarget> = {}): TranscodeTarget => transcodeTarget.parse({ format: 'wav', ...wanted });
const growing = async (gateway: WorkerTranscodes, source: TranscodeSource, wanted: TranscodeTarget): Promise<Readable> => {
  const found = await gateway.open(source, wanted);
  if (found.state !== 'growing') throw new Error('it is finished already');
  return found.body;
};
const counts = async (): Promise<number[]> => Promise.all(workers.map(async ({ pid }) => (await ffmpegOf(pid)).length));
const noneRuns = (): Promise<void> =>
  vi.waitFor(async () => expect(Math.max(...(await counts()))).toBe(0), { timeout: 20_000, interval: 50 });
const refusal = (opening: Promise<unknown>): Promise<unknown> => opening.catch((error: unknown) => error);

describe('two workers and two gateways', () => {
  it('make the same request once', async () => {
    await Promise.all([start(), start()]);
    const together = async (offsetMs: number): Promise<number[]> => {
      const bodies = await Promise.all([0, 1, 2, 3].map((n) => growing(gateways[n % 2]!, long, target({ offsetMs }))));
      const made = await counts();
      for (const body of bodies) body.destroy();
      await noneRuns();
      return made.toSorted((a, b) => a - b);
    };
    const made = await together(0);
    // A worker that does not answer within 80 ms is passed over, as one that has just started may be on a busy machine: then once more.
    expect(made[0] === 0 ? made : await together(1)).toEqual([0, 1]);
  });

  it('spread what is different evenly, and say when to come back once all places are taken', async () => {
    await Promise.all([start(), start()]);
    const bodies: Readable[] = [];
    for (let n = 0; n < 4; n += 1) bodies.push(await growing(gateways[n % 2]!, long, target({ offsetMs: n })));
    expect(await counts()).toEqual([2, 2]);
    expect(await refusal(gateways[0].open(long, target({ offsetMs: 9 })))).toMatchObject({
      code: 'transcode.busy',
      subject: expect.stringMatching(/^[1-9]\d?$/),
    });
    // Who wants what is under way needs no place.
    bodies.push(await growing(gateways[1], long, target({ offsetMs: 0 })));
    expect(await counts()).toEqual([2, 2]);
    for (const body of bodies) body.destroy();
    await noneRuns();
    (await growing(gateways[0], long, target({ offsetMs: 9 }))).destroy();
    await noneRuns();
  });

  it('find what one of them has kept, also in a folder that both share', async () => {
    const shared = { TRANSCODE_CACHE: join(home, 'shared') };
    await Promise.all([start(shared), start()]);
    const first = await finishedOf(gateways[0], song, target({ format: 'mp3' }));
    for (const gateway of gateways)
      expect(await gateway.open(song, target({ format: 'mp3' }))).toMatchObject({ state: 'finished', etag: first.etag });
    const third = await start(shared);
    await Promise.all(workers.filter((one) => one !== third).map((one) => one.stop()));
    const found = await gateways[1].open(song, target({ format: 'mp3' }));
    expect(['finished', 'growing']).toContain(found.state);
    expect((await bytesOf(found)).length).toBe(first.sizeBytes);
  });
});

describe('a worker that dies', () => {
  it('takes its ffmpeg along; listeners notice, and begin again elsewhere', async () => {
    const [left, right] = [await start(), await start()];
    const body = await growing(gateways[0], long, target({ format: 'opus' }));
    const heard = buffer(body).catch((error: unknown) => error);
    const [ofLeft] = await ffmpegOf(left.pid);
    const [ofRight] = await ffmpegOf(right.pid);
    const [busy, idle, child] = ofLeft === undefined ? [right, left, ofRight!] : [left, right, ofLeft];
    await busy.stop('SIGKILL');
    expect(await heard).toBeInstanceOf(Error);
    await vi.waitFor(async () => expect(await isThere(child)).toBe(false), 20_000);
    const again = await growing(gateways[0], long, target({ format: 'opus' }));
    expect(await ffmpegOf(idle.pid)).toHaveLength(1);
    again.destroy();
    await vi.waitFor(async () => expect(await ffmpegOf(idle.pid)).toEqual([]), 20_000);
  });

  it('with everything that it had finished is replaced by one that has it as well', async () => {
    const shared = { TRANSCODE_CACHE: join(home, 'shared-2') };
    const first = await start(shared);
    const finished = await finishedOf(gateways[0], song, target({ format: 'ogg' }));
    await start(shared);
    await first.stop('SIGKILL');
    expect((await buffer(await finished.open({ start: 5, end: 104 }))).length).toBe(100);
  });
});

describe('a worker that is to stop', () => {
  it('finishes what is under way for its listeners', async () => {
    const worker = await start();
    const body = await growing(gateways[0], song, target({ format: 'ogg' }));
    const [heard] = await Promise.all([buffer(body), worker.stop('SIGTERM')]);
    expect(heard.length).toBeGreaterThan(100_000);
    expect(worker.log()).not.toContain('did not end in order');
  });

  it('gives up what takes too long', async () => {
    const worker = await start({ DRAIN_TIMEOUT_MS: '300' });
    const heard = buffer(await growing(gateways[0], long, target())).catch((error: unknown) => error);
    const [child] = await ffmpegOf(worker.pid);
    await worker.stop('SIGTERM');
    expect(await heard).toBeInstanceOf(Error);
    expect(await isThere(child!)).toBe(false);
  });

  it('is not asked any more; without any the refusal is clear and quick', async () => {
    const worker = await start();
    await worker.stop('SIGTERM');
    const startedAt = performance.now();
    expect(await refusal(gateways[0].open(song, target()))).toMatchObject({ code: 'unavailable' });
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });
});

it('a full disk does not keep listeners from what they listen to', async () => {
  // 2000 units of 512 bytes: about a third of the song.
  await start({}, { fileSizeLimit: 2000 });
  const bodies = await Promise.all(gateways.map((gateway) => growing(gateway, song, target())));
  const heard = await Promise.all(bodies.map((body) => buffer(body)));
  expect(heard.map(({ length }) => length)).toEqual([3_528_044, 3_528_044]);
  expect(heard[0]!.equals(heard[1]!)).toBe(true);
  expect((await gateways[0].open(song, target())).state).toBe('growing');
  expect(workers[0]?.log()).toContain('transcode does not fit on disk');
});
