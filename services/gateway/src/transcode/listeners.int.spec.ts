import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { connect as connectTo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { startPlayback } from '@continuo/contracts';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { seedFixtureLibrary } from '../../test/library/fixture-library.js';
import { makeTone } from '../../test/fakes/media-maker.js';
import { testReadModel, type TestReadModel } from '../../test/servers/read-model-database.js';
import { seedTestAccounts, startTestGateway, testAccounts, type TestGateway } from '../../test/servers/test-gateway.js';
import { ffmpegOf, startWorkerProcess, type WorkerProcess } from '../../test/fakes/transcoding-worker.js';
import { workerTranscodes, type WorkerTranscodes } from './worker-transcodes.adapter.js';

/** Workers are processes of their own here, and make minutes of sound. */
vi.setConfig({ testTimeout: 240_000 });
/** As WAV far more than all buffers on the way hold. */
const LONG = { id: 1, name: 'long.flac', seconds: 1200 } as const;
/** As WAV 35 MB, more than all buffers on the way hold. */
const SONG = { id: 2, name: 'song.flac', seconds: 200 } as const;
const WAV_BYTES = SONG.seconds * 176_400 + 44;

let home: string;
let nats: TestNats;
let postgres: TestPostgres;
let connection: NatsConnection;
let transcodes: WorkerTranscodes;
let model: TestReadModel;
let gateway: TestGateway;
let folders = 0;
const workers: WorkerProcess[] = [];
const leftOpen: (() => void)[] = [];

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'continuo-listeners-'));
  [nats, postgres] = await Promise.all([testNats(), testPostgres()]);
  connection = await connect({ servers: nats.url });
  transcodes = workerTranscodes(connection, pino({ level: 'silent' }));
  for (const { name, seconds } of [LONG, SONG]) await makeTone(home, name, seconds);
  model = await testReadModel();
  const song = ({ name, seconds }: typeof LONG | typeof SONG) => ({
    title: name,
    album: 'Album',
    artists: ['Artist'],
    folder: '',
    fileName: name,
    catalogId: 1,
    doc: { durationMs: seconds * 1000, bitrateBps: 400_000, lossless: true },
  });
  await seedFixtureLibrary(model.write, [song(LONG), song(SONG)]);
  await seedTestAccounts(model.write);
  await sql`update library.catalog set path = ${home}`.execute(model.write);
  const commands = new InMemoryCommandClient();
  commands.handle(startPlayback, async () => ({ result: { recorded: true }, positions: [] }));
  gateway = await startTestGateway(model.read, { commands, transcodes });
  await gateway.app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(async () => {
  for (const close of leftOpen.splice(0)) close();
  await Promise.all(workers.splice(0).map((worker) => worker.stop('SIGKILL')));
});
afterAll(async () => {
  await gateway.stop();
  await model.close();
  transcodes.close();
  await connection.close();
  await Promise.all([nats.stop(), postgres.stop()]);
  await rm(home, { recursive: true, force: true });
});

const start = async (settings: Record<string, string> = {}): Promise<WorkerProcess> => {
  const own = { CONTINUO_DATA: join(home, `data-${(folders += 1)}`), TRANSCODE_SLOTS: '2', TRANSCODE_GRACE_MS: '200', ...settings };
  const worker = await startWorkerProcess({ natsUrl: nats.url, postgresUrl: postgres.url, settings: own });
  workers.push(worker);
  await delay(50);
  return worker;
};

/** Reads a stream as a client does. */
class Listener {
  status = 0;
  headers: IncomingHttpHeaders = {};
  bytes = 0;
  /** The beginning of what it heard, as far as that tells an error from sound. */
  head = '';
  /** True when the answer came to its end; false when it broke off. */
  readonly over: Promise<boolean>;
  readonly answered: Promise<void>;
  #resume: () => void = () => undefined;

  /** @param pausesAt takes no more after so many bytes, until {@link resume} */
  constructor(url: string, pausesAt = Number.POSITIVE_INFINITY, headers: Record<string, string> = {}) {
    const { promise: over, resolve: isOver } = Promise.withResolvers<boolean>();
    const { promise: answered, resolve: isAnswered } = Promise.withResolvers<void>();
    [this.over, this.answered] = [over, answered];
    let wasPaused = false;
    const call = request(url, { agent: new Agent(), headers }, (answer) => {
      [this.status, this.headers] = [answer.statusCode ?? 0, answer.headers];
      this.#resume = () => answer.resume();
      answer.on('data', (piece: Buffer) => {
        if (this.bytes === 0) this.head = piece.toString('utf8', 0, 500);
        this.bytes += piece.length;
        if (this.bytes < pausesAt || wasPaused) return;
        wasPaused = true;
        answer.pause();
        isAnswered();
      });
      answer.on('error', () => undefined);
      answer.once('close', () => {
        isOver(answer.complete);
        isAnswered();
      });
      if (!Number.isFinite(pausesAt)) isAnswered();
    });
    call.on('error', () => isOver(false));
    call.end();
    leftOpen.push(() => call.destroy());
  }

  /** Why it hears nothing, by the envelope's code and words; undefined when it hears something. */
  get refusal(): string | undefined {
    return this.head.startsWith('{"subsonic-response"') ? (/"message":\s*"([^"]*)"/.exec(this.head)?.[1] ?? this.head) : undefined;
  }

  resume(): void {
    this.#resume();
  }
}

const address = (id: number, query: Record<string, string>): string => {
  const at = gateway.app.server.address();
  if (at === null || typeof at === 'string') throw new Error('the server does not listen');
  const params = { auth: testAccounts.listener.token, v: '1.16.1', c: 'spec', f: 'json', id: `so-${id}`, ...query };
  return `http://127.0.0.1:${at.port}/rest/stream?${new URLSearchParams(params).toString()}`;
};
const whole = async (id: number, query: Record<string, string>, headers?: Record<string, string>): Promise<Listener> => {
  const listener = new Listener(address(id, query), undefined, headers);
  expect(await listener.over).toBe(true);
  return listener;
};
const paused = async (id: number, query: Record<string, string>): Promise<Listener> => {
  const listener = new Listener(address(id, query), 100_000);
  await listener.answered;
  expect([listener.status, listener.refusal]).toEqual([200, undefined]);
  return listener;
};
const busyOne = async (): Promise<WorkerProcess> => {
  for (const worker of workers) if ((await ffmpegOf(worker.pid)).length > 0) return worker;
  throw new Error('no worker has anything to do');
};

describe('a listener whose worker is killed', () => {
  it('notices, and hears on from another one', async () => {
    await Promise.all([start(), start()]);
    const listener = await paused(LONG.id, { format: 'wav' });
    expect(listener.headers['transfer-encoding']).toBe('chunked');
    const victim = await busyOne();
    await victim.stop('SIGKILL');
    listener.resume();
    expect(await listener.over).toBe(false);
    const again = await whole(LONG.id, { format: 'mp3', maxBitRate: '64', timeOffset: '1190' });
    expect([again.refusal, again.bytes > 70_000]).toEqual([undefined, true]);
  });

  it('notices by fewer bytes than were announced, and gets nothing in their place', async () => {
    await start();
    const listener = await paused(LONG.id, { format: 'mp3', maxBitRate: '320', estimateContentLength: 'true' });
    await workers[0]?.stop('SIGKILL');
    listener.resume();
    expect(await listener.over).toBe(false);
    expect(listener.bytes).toBeLessThan(Number(listener.headers['content-length']));
  });

  it('goes on with the rest of a file, which another worker has as well', async () => {
    const shared = { TRANSCODE_CACHE: join(home, 'shared') };
    const first = await start(shared);
    await whole(SONG.id, { format: 'wav' });
    await vi.waitFor(async () => expect((await whole(SONG.id, { format: 'wav' }, { range: 'bytes=0-0' })).status).toBe(206), 20_000);
    const listener = await paused(SONG.id, { format: 'wav' });
    expect(listener.headers['content-length']).toBe(String(WAV_BYTES));
    await start(shared);
    await first.stop('SIGKILL');
    listener.resume();
    expect(await listener.over).toBe(false);
    const rest = await whole(SONG.id, { format: 'wav' }, { range: `bytes=${listener.bytes}-` });
    expect([rest.status, rest.bytes + listener.bytes]).toEqual([206, WAV_BYTES]);
  });

  it('is told when there is no other one', async () => {
    const worker = await start();
    await worker.stop('SIGKILL');
    expect((await whole(LONG.id, { format: 'wav' })).refusal).toBeTruthy();
    expect((await whole(LONG.id, {}, { range: 'bytes=0-99' })).status).toBe(206);
  });
});

describe('a listener whose worker is told to stop', () => {
  it('hears everything that is made within the time for it, while others are served elsewhere', async () => {
    // As long as a busy machine may take to make it.
    const patient = { DRAIN_TIMEOUT_MS: '120000' };
    await Promise.all([start(patient), start(patient)]);
    // The best Ogg Vorbis takes a processor some seconds.
    const listener = await paused(SONG.id, { format: 'ogg', maxBitRate: '320', timeOffset: '120' });
    const leaving = await busyOne();
    const gone = leaving.stop('SIGTERM');
    await delay(100);
    const other = await whole(SONG.id, { format: 'mp3', maxBitRate: '64', timeOffset: '190' });
    expect(other.refusal).toBeUndefined();
    listener.resume();
    expect(await listener.over).toBe(true);
    expect(listener.bytes).toBeGreaterThan((SONG.seconds - 120) * 32_000);
    await gone;
    expect(leaving.log()).not.toContain('did not end in order');
  });

  it('notices when its time is over', async () => {
    const worker = await start({ DRAIN_TIMEOUT_MS: '300' });
    const listener = await paused(LONG.id, { format: 'wav' });
    await worker.stop('SIGTERM');
    listener.resume();
    expect(await listener.over).toBe(false);
  });
});

/** A port whose machine takes no connection and says nothing, as behind a firewall. */
const silentPort = async (): Promise<{ port: number; close: () => void }> => {
  const program = `require('net').createServer().listen({port:0,host:'127.0.0.1',backlog:1},function(){console.log(this.address().port)})`;
  const child: ChildProcess = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  const port = Number(line.toString());
  child.kill('SIGSTOP');
  // They fill the queue of those who wait to be taken.
  const waiting: Socket[] = Array.from({ length: 4 }, () => connectTo(port, '127.0.0.1').on('error', () => undefined));
  await delay(200);
  const close = (): void => {
    for (const socket of waiting) socket.destroy();
    child.kill('SIGKILL');
  };
  return { port, close };
};

describe('a worker that answers over NATS and not over HTTP', () => {
  it.each([
    ['its port is closed', async () => ({ port: 9, close: () => undefined })],
    ['its machine cannot be reached', silentPort],
  ])('is passed over where there is another: %s', async (_, unreachable) => {
    const { port, close } = await unreachable();
    leftOpen.push(close);
    await start({ TRANSCODE_ADVERTISED_URL: `http://127.0.0.1:${port}` });
    const startedAt = performance.now();
    expect((await whole(SONG.id, { format: 'mp3', timeOffset: '180' })).refusal).toBeTruthy();
    expect(performance.now() - startedAt).toBeLessThan(28_000);
    await start();
    for (const from of ['181', '182', '183', '184']) {
      const before = performance.now();
      const heard = await whole(SONG.id, { format: 'mp3', maxBitRate: '64', timeOffset: from });
      expect([heard.refusal, performance.now() - before < 28_000]).toEqual([undefined, true]);
    }
  });

  it('is passed over when it hangs altogether', async () => {
    await Promise.all([start(), start()]);
    const hanging = workers[0]!;
    process.kill(hanging.pid, 'SIGSTOP');
    for (const from of ['185', '186', '187'])
      expect((await whole(SONG.id, { format: 'mp3', maxBitRate: '64', timeOffset: from })).refusal).toBeUndefined();
  });
});
