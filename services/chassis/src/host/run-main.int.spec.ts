import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { scanCatalog } from '@continuo/contracts';
import { freePort, testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { listDeadLetters } from '../jobs/dead-letters.js';
import { JetStreamJobQueue } from '../jobs/jetstream-job-queue.js';

/** The built program: child processes do not read TypeScript. */
const PROGRAM = join(import.meta.dirname, '../../test/processes/dist/scanner.main.js');
const WAIT = { timeout: 15_000, interval: 20 };

class ServiceProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<number | null>;
  output = '';

  constructor(env: Record<string, string>) {
    this.#child = spawn(process.execPath, [PROGRAM], { env: { PATH: '/usr/bin:/bin', ...env }, stdio: 'pipe' });
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.ended = once(this.#child, 'exit').then(([code]) => code as number | null);
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }
}

describe("a service's own process", () => {
  let nats: TestNats;
  let postgres: TestPostgres;
  let connection: NatsConnection;
  const processes: ServiceProcess[] = [];
  const settings = (): Record<string, string> => ({
    DATABASE_URL: postgres.url,
    NATS_URL: nats.url,
    CONTINUO_SECRET: 'x'.repeat(32),
    HEALTH_PORT: '0',
    DRAIN_TIMEOUT_MS: '1000',
  });
  const run = (env: Record<string, string> = {}): ServiceProcess => {
    const service = new ServiceProcess({ ...settings(), ...env });
    processes.push(service);
    return service;
  };
  const ready = (service: ServiceProcess) => expect.poll(() => service.output, WAIT).toContain('service ready');
  const enqueue = (catalogId: number): Promise<void> =>
    new JetStreamJobQueue(jetstream(connection)).enqueue(
      scanCatalog,
      `scan-${Date.now()}`,
      { scanId: 'scan-1', catalogId },
      { actor: 'system', correlationId: 'c', causationId: 'c' },
    );
  const left = async (): Promise<number> => (await (await jetstreamManager(connection)).streams.info('JOBS_INGEST')).state.messages;

  beforeAll(async () => {
    [nats, postgres] = await Promise.all([testNats(), testPostgres()]);
    connection = await connect({ servers: nats.url });
  });
  afterEach(async () => {
    for (const service of processes) service.signal('SIGKILL');
    await Promise.all(processes.splice(0).map(({ ended }) => ended));
  });
  afterAll(async () => {
    await connection.close();
    await Promise.all([nats.stop(), postgres.stop()]);
  });

  it('tells its health from the first moment, and drains on SIGTERM: hands its job back and exits with 0', async () => {
    const port = await freePort();
    const service = run({ HEALTH_PORT: String(port), HEALTH_HOST: '127.0.0.1' });
    await expect
      .poll(
        () =>
          fetch(`http://127.0.0.1:${port}/health/ready`).then(
            (answer) => answer.status,
            () => 0,
          ),
        WAIT,
      )
      .toBe(200);
    expect((await fetch(`http://127.0.0.1:${port}/health/live`)).status).toBe(200);
    await enqueue(1);
    await expect.poll(() => service.output, WAIT).toContain('scan 1 attempt 1');
    service.signal('SIGTERM');
    await expect(service.ended).resolves.toBe(0);
    expect(service.output).toContain('job handed back');
    expect(await left()).toBe(1);
    const next = run({ QUICK: '1' });
    await expect.poll(() => next.output, WAIT).toContain('scan 1 attempt 1');
    await expect.poll(left, WAIT).toBe(0);
  });

  it('loses no job to kill -9: another process takes it over', async () => {
    const service = run();
    await ready(service);
    await enqueue(1);
    await expect.poll(() => service.output, WAIT).toContain('scan 1 attempt 1');
    service.signal('SIGKILL');
    await service.ended;
    const next = run({ QUICK: '1' });
    await expect.poll(() => next.output, WAIT).toContain('scan 1 attempt 2');
    await expect.poll(left, WAIT).toBe(0);
  });

  it('exits with 1 and a line in the log when nobody handles an error, and the poisonous job ends as a dead letter', async () => {
    const letters = async (): Promise<string[]> => {
      const reasons: string[] = [];
      for await (const { reason } of listDeadLetters(connection)) reasons.push(reason);
      return reasons;
    };
    await enqueue(2);
    let attempt = 0;
    while (attempt < 5) {
      const service = run();
      await expect(service.ended).resolves.toBe(1);
      expect(service.output).toContain('nobody handles this');
      // The server may have sent a delivery to a process that was just killed; it counts although nobody saw it.
      const [, seen] = /scan 2 attempt (\d)/.exec(service.output) ?? [];
      expect(Number(seen)).toBeGreaterThan(attempt);
      attempt = Number(seen);
    }
    run();
    await expect.poll(letters, WAIT).toEqual(['given up after 5 attempts that did not end']);
  });

  it('names the settings at fault and exits with 1', async () => {
    const service = run({ CONTINUO_SECRET: 'short' });
    await expect(service.ended).resolves.toBe(1);
    expect(service.output).toContain('CONTINUO_SECRET');
    expect(service.output).not.toContain('short"');
  });
});
