import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { songId, songPlayed, userId } from '@continuo/contracts';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { Controller, Module } from '@nestjs/common';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { baseConfig } from '../config.js';
import { JetStreamEventStore } from '../event-store/adapters/jetstream-event-store.js';
import { ensureEventStreams } from '../event-store/streams.js';
import { startService } from '../host/start-service.js';
import { recordingLog } from '../../test/recording-log.js';
import { HandlesEvents, type RecordedOf } from './handlers.js';

/** The built program: child processes do not read TypeScript. */
const PROGRAM = join(import.meta.dirname, '../../test/processes/dist/listener.main.js');
const WAIT = { timeout: 40_000, interval: 20 };

class ServiceProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<unknown>;
  output = '';

  constructor(env: Record<string, string>) {
    this.#child = spawn(process.execPath, [PROGRAM], { env: { PATH: '/usr/bin:/bin', ...env }, stdio: 'pipe' });
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.ended = once(this.#child, 'exit').then(([code]: unknown[]) => code);
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Positions and attempts of the plays that this process has reported in a way. */
  reported(pattern: RegExp): string[] {
    return [...this.output.matchAll(pattern)].map(([, what]) => what ?? '');
  }
}

let nats: TestNats;
let postgres: TestPostgres;
let connection: NatsConnection;
let env: Record<string, string>;
const processes: ServiceProcess[] = [];
const run = (more: Record<string, string> = {}): ServiceProcess => {
  const service = new ServiceProcess({ ...env, ...more });
  processes.push(service);
  return service;
};
const DONE = /^play (\d+) done$/gm;

/** Appends plays of users of their own and answers their positions. */
const play = async (count: number): Promise<string[]> => {
  const store = new JetStreamEventStore(connection, await jetstreamManager(connection));
  const meta = { actor: 'system', correlationId: 'c', causationId: 'c', at: 1 };
  const positions: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const id = Math.floor(Math.random() * 1e9) + 1;
    const events = [songPlayed({ userId: userId.parse(id), songId: songId.parse(1), playedAtMs: 1, client: 'spec' })];
    const { position } = await store.append([{ context: 'playback', aggregate: 'plays', id, expectedPosition: 0, events }], meta);
    positions.push(String(position));
  }
  return positions;
};

beforeAll(async () => {
  [nats, postgres] = await Promise.all([testNats(), testPostgres()]);
  connection = await connect({ servers: nats.url });
  await ensureEventStreams(await jetstreamManager(connection), ['playback'], 1);
  env = { DATABASE_URL: postgres.url, NATS_URL: nats.url, CONTINUO_SECRET: 'x'.repeat(32), HEALTH_PORT: '0', DRAIN_TIMEOUT_MS: '1000' };
});
afterEach(async () => {
  for (const service of processes) service.signal('SIGKILL');
  await Promise.all(processes.splice(0).map(({ ended }) => ended));
});
afterAll(async () => {
  await connection.close();
  await Promise.all([nats.stop(), postgres.stop()]);
});

describe('a reactor in a process of its own', () => {
  it('loses no event to kill -9: another process takes over what was at work', async () => {
    const first = run();
    const positions = await play(2);
    await expect.poll(() => first.reported(/^play (\d+) attempt 1 begun$/gm).toSorted(), WAIT).toEqual(positions);
    first.signal('SIGKILL');
    await first.ended;
    const next = run({ QUICK: '1' });
    await expect.poll(() => next.reported(DONE).toSorted(), WAIT).toEqual(positions);
    expect(next.reported(/^play (\d+ attempt \d)/gm).toSorted()).toEqual(positions.map((position) => `${position} attempt 2`));
  });

  it('hands back what is at work on SIGTERM, and the attempt does not count', async () => {
    const first = run();
    const positions = await play(1);
    await expect.poll(() => first.output, WAIT).toContain('attempt 1 begun');
    first.signal('SIGTERM');
    await expect(first.ended).resolves.toBe(0);
    const next = run({ QUICK: '1' });
    await expect.poll(() => next.reported(DONE), WAIT).toEqual(positions);
    expect(next.output).toContain(`play ${positions[0]} attempt 1 begun`);
  });

  it('shares the events with its other replicas while one after the other is killed, and handles each', { timeout: 240_000 }, async () => {
    const replicas = [run({ QUICK: '1' }), run({ QUICK: '1' })];
    const busy = (replica: ServiceProcess | undefined) => expect.poll(() => replica?.reported(DONE).length, WAIT).toBeGreaterThan(20);
    // One that comes late might find nothing left to do.
    for (const replica of replicas) await expect.poll(() => replica.output, WAIT).toContain('service ready');
    const positions = await play(300);
    for (const replica of replicas) await busy(replica);
    replicas[0]?.signal('SIGKILL');
    replicas.push(run({ QUICK: '1' }));
    await expect.poll(() => replicas[2]?.output, WAIT).toContain('service ready');
    positions.push(...(await play(300)));
    await busy(replicas[2]);
    replicas[1]?.signal('SIGKILL');
    positions.push(...(await play(300)));
    const left = (): string[] => {
      const done = new Set(replicas.flatMap((replica) => replica.reported(DONE)));
      return positions.filter((position) => !done.has(position));
    };
    // What a test before this one has done and not confirmed may come once more.
    await expect.poll(left, WAIT).toEqual([]);
  });
});

describe('a service with reactors', () => {
  @Controller()
  class One {
    @HandlesEvents('playback', 'plays', [songPlayed])
    play({ data }: RecordedOf<typeof songPlayed>): Promise<void> {
      return data.songId > 0 ? Promise.resolve() : Promise.reject(new Error('no song'));
    }
  }
  @Controller()
  class Two {
    @HandlesEvents('library', 'plays', [songPlayed])
    play(): Promise<void> {
      return Promise.resolve();
    }
  }
  @Module({ controllers: [One, Two] })
  class TwiceModule {}

  it('refuses to start with two handlers of one name', async () => {
    const definition = {
      name: 'twice',
      config: baseConfig,
      contexts: [],
      module: TwiceModule,
    };
    await expect(startService(definition, env, { log: recordingLog().log })).rejects.toThrow(
      /react\.twice-plays has more than one handler/,
    );
  });

  it('refuses names that NATS cannot take, and reactors to nothing', () => {
    expect(() => HandlesEvents('playback', 'All Plays', [songPlayed])).toThrow(/cannot name a reactor/);
    expect(() => HandlesEvents('playback', 'plays', [])).toThrow(/names no event/);
  });
});
