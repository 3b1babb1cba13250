import { setTimeout as delay } from 'node:timers/promises';
import { defineCommand, defineJob, Rejection, type CommandMessage } from '@continuo/contracts';
import { testNats, testPostgres, type TestNats, type TestPostgres } from '@continuo/local-servers';
import { Controller, Inject, Module, type DynamicModule } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { baseConfig, type Environment } from '../config.js';
import type { JobDelivery } from '../jobs/job-queue.js';
import type { ServiceDefinition, ServiceDependencies } from '../service.js';
import { recordingLog } from '../../test/recording-log.js';
import { HandlesCommand, HandlesJob, type Handled } from '../transport/handlers.js';
import { startService, type StartedService, type StartOverrides } from './start-service.js';
import { SERVICE_DEPENDENCIES } from './tokens.js';

const echo = defineCommand('transcode', 'echo', z.object({ text: z.string() }), z.object({ text: z.string(), by: z.string() }));
const fail = defineCommand('transcode', 'fail', z.object({ how: z.enum(['refuse', 'break']) }), z.object({}));
const chore = defineJob('transcode', 'chore', z.object({ n: z.int() }));
const declared = { commands: [echo.subject, fail.subject], jobs: [chore.subject] };
const context = { actor: 'user:1', correlationId: 'corr-1', causationId: 'cause-1' };

@Controller()
class EchoController {
  static readonly chores: { n: number; attempt: number; by: string; aborted: boolean }[] = [];

  constructor(@Inject(SERVICE_DEPENDENCIES) private readonly deps: ServiceDependencies) {}

  @HandlesCommand(echo)
  echo({ data }: CommandMessage<{ text: string }>): Promise<Handled<{ text: string; by: string }>> {
    return Promise.resolve({ result: { text: data.text, by: this.deps.config.LOG_LEVEL }, positions: [] });
  }

  @HandlesCommand(fail)
  fail({ data }: CommandMessage<{ how: string }>): Promise<Handled<Record<string, never>>> {
    if (data.how === 'refuse') throw new Rejection('conflict', 'no', 'how');
    return Promise.reject(new Error('a secret detail'));
  }

  @HandlesJob(chore, { concurrency: 2 })
  chore(data: { n: number }, { attempt, actor, signal }: JobDelivery): Promise<void> {
    EchoController.chores.push({ n: data.n, attempt, by: actor, aborted: signal.aborted });
    return Promise.resolve();
  }
}

@Controller()
class SecondEchoController {
  @HandlesCommand(echo)
  echo({ data }: CommandMessage<{ text: string }>): Promise<Handled<{ text: string; by: string }>> {
    return Promise.resolve({ result: { text: data.text, by: 'second' }, positions: [] });
  }
}

@Module({})
class EchoModule {}

const moduleOf = (...controllers: NonNullable<DynamicModule['controllers']>): DynamicModule => ({ module: EchoModule, controllers });

const withProvider = (useFactory: () => object): DynamicModule => ({
  module: EchoModule,
  controllers: [EchoController],
  providers: [{ provide: 'work', useFactory }],
});

const definition = (changes: Partial<ServiceDefinition> = {}): ServiceDefinition => ({
  name: 'echo',
  config: baseConfig,
  contexts: ['transcode'],
  jobContexts: ['transcode'],
  schema: 'transcoding',
  migrations: [{ name: 'one', statements: ['create table thing (id int primary key)'] }],
  module: moduleOf(EchoController),
  ...changes,
});

let nats: TestNats;
let postgres: TestPostgres;
let env: Environment;
const started: StartedService[] = [];
const start = async (changes: Partial<ServiceDefinition> = {}, overrides: StartOverrides = {}): Promise<StartedService> => {
  const service = await startService(definition(changes), env, { log: recordingLog().log, declared, ...overrides });
  started.push(service);
  return service;
};

beforeAll(async () => {
  [nats, postgres] = await Promise.all([testNats(), testPostgres()]);
  env = { DATABASE_URL: postgres.url, NATS_URL: nats.url, CONTINUO_SECRET: 'x'.repeat(32), LOG_LEVEL: 'debug', DRAIN_TIMEOUT_MS: '500' };
});
afterAll(async () => {
  await nats.stop();
  await postgres.stop();
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((service) => service.stop()));
});

describe('a started service', () => {
  it('answers commands and works on jobs through Nest controllers with injected dependencies', async () => {
    const service = await start();
    const { deps } = service;
    await expect(deps.commands.send(echo, { text: 'hi' }, context)).resolves.toEqual({
      result: { text: 'hi', by: 'debug' },
      positions: [],
    });
    await deps.jobs.enqueue(chore, 'job-1', { n: 4 }, context);
    await expect.poll(() => EchoController.chores).toEqual([{ n: 4, attempt: 1, by: 'user:1', aborted: false }]);
    expect(service.readiness()).toEqual({ ready: true, parts: { nats: 'ok', database: 'ok' } });
  });

  it('passes rejections on as they are, also those thrown synchronously, and hides the rest', async () => {
    const { log, lines } = recordingLog();
    const { deps } = await start({}, { log });
    await expect(deps.commands.send(fail, { how: 'refuse' }, context)).rejects.toMatchObject({
      code: 'conflict',
      message: 'no',
      subject: 'how',
    });
    const failure = await deps.commands.send(fail, { how: 'break' }, context).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'internal', message: expect.not.stringContaining('secret detail') });
    expect(lines).toContainEqual(
      expect.objectContaining({
        msg: 'command failed',
        err: expect.objectContaining({ message: 'a secret detail', stack: expect.any(String) }),
      }),
    );
  });

  it('applies its migrations once and can start twice, as two replicas and in one process', async () => {
    const [one, two] = await Promise.all([start(), start()]);
    await Promise.all(Array.from({ length: 50 }, (_, n) => one.deps.commands.send(echo, { text: `${n}` }, context)));
    const counts = await Promise.all(
      [one, two].map(
        async ({ deps }) =>
          (await deps.metrics.commandSeconds.get()).values.find(({ metricName }) => metricName?.endsWith('_count'))?.value ?? 0,
      ),
    );
    expect(counts[0]! + counts[1]!).toBe(50);
    expect(Math.min(...counts)).toBeGreaterThan(5);
  });

  it('runs the hooks of its providers around its handlers, once, and leaves nothing open', async () => {
    const order: string[] = [];
    const other = await start(
      { name: 'caller', contexts: [], jobContexts: [], module: moduleOf() },
      { declared: { commands: [], jobs: [] } },
    );
    const ask = async (hook: string): Promise<void> => {
      const answer = other.deps.commands.send(echo, { text: hook }, context);
      order.push(
        `${hook}: ${await answer.then(
          () => 'answered',
          () => 'no answer',
        )}`,
      );
    };
    const work = {
      onApplicationBootstrap: () => ask('bootstrap'),
      onDrain: () => void order.push('drain'),
      beforeApplicationShutdown: () => ask('before shutdown'),
      onApplicationShutdown: () => ask('shutdown'),
    };
    const service = await start({ module: withProvider(() => work) });
    await Promise.all([service.stop(), service.stop()]);
    expect(order).toEqual(['bootstrap: answered', 'drain', 'before shutdown: answered', 'shutdown: no answer']);
    expect(service.readiness().ready).toBe(false);
    expect(service.deps.nats.isClosed()).toBe(true);
    await service.stop();
  });

  it('asks its providers for readiness and options of jobs', async () => {
    const state = { isReady: false };
    const jobOptions = vi.fn<() => Record<string, object>>(() => ({ [chore.subject]: { concurrency: 1 } }));
    const work = { readinessParts: () => ({ work: 'begun' }), isReady: () => state.isReady, jobOptions };
    const service = await start({ module: withProvider(() => work) });
    expect(service.readiness()).toMatchObject({ ready: false, parts: { nats: 'ok', work: 'begun' } });
    state.isReady = true;
    expect(service.readiness().ready).toBe(true);
    expect(jobOptions).toHaveBeenCalled();
  });

  it('logs a provider that fails to stop, and stops the rest', async () => {
    const { log, lines } = recordingLog();
    const service = await start(
      { module: withProvider(() => ({ beforeApplicationShutdown: () => Promise.reject(new Error('stuck')) })) },
      { log },
    );
    await service.stop();
    expect(lines).toContainEqual(expect.objectContaining({ level: 50, err: expect.objectContaining({ message: 'stuck' }) }));
    expect(service.deps.nats.isClosed()).toBe(true);
  });

  it('finishes the commands that it has taken before it ends', async () => {
    const begun = Promise.withResolvers<void>();
    const slow = defineCommand('transcode', 'slow', z.object({}), z.object({ done: z.boolean() }));
    @Controller()
    class SlowController {
      @HandlesCommand(slow)
      async slow(_: CommandMessage<object>): Promise<Handled<{ done: boolean }>> {
        begun.resolve();
        await delay(300);
        return { result: { done: true }, positions: [] };
      }
    }
    const service = await start({ module: moduleOf(SlowController) }, { declared: { commands: [slow.subject], jobs: [] } });
    const other = await start(
      { name: 'caller', contexts: [], jobContexts: [], module: moduleOf() },
      { declared: { commands: [], jobs: [] } },
    );
    const answer = other.deps.commands.send(slow, {}, context);
    await begun.promise;
    await service.stop();
    await expect(answer).resolves.toMatchObject({ result: { done: true } });
  });
});

describe('a service whose servers are gone', () => {
  it('still ends', async () => {
    const [ownNats, database] = await Promise.all([testNats(), postgres.createDatabase()]);
    const good = env;
    env = { ...good, NATS_URL: ownNats.url, DATABASE_URL: database.url };
    const { log, lines } = recordingLog();
    const service = await start({}, { log });
    env = good;
    await ownNats.kill();
    const startedAt = Date.now();
    await service.stop();
    expect(Date.now() - startedAt).toBeLessThan(10_000);
    expect(lines.filter(({ level }) => level === 50)).toEqual([]);
    await ownNats.stop();
  });
});

describe('a service that cannot start', () => {
  const faults: readonly [string, Partial<ServiceDefinition>, StartOverrides, RegExp][] = [
    [
      'has two handlers for one command',
      { module: moduleOf(EchoController, SecondEchoController) },
      {},
      /cmd\.transcode\.echo has more than one handler/,
    ],
    [
      'lacks a handler',
      {},
      { declared: { ...declared, commands: [...declared.commands, 'cmd.transcode.other'] } },
      /cmd\.transcode\.other has no handler/,
    ],
    [
      'answers for somebody else',
      {},
      { declared: { commands: [echo.subject, fail.subject], jobs: [] } },
      /jobs\.transcode\.chore has a handler but is not declared/,
    ],
    [
      'fails to begin its work in the background',
      { module: withProvider(() => ({ onApplicationBootstrap: () => Promise.reject(new Error('no port')) })) },
      {},
      /no port/,
    ],
    [
      'cannot build its module',
      {
        module: withProvider(() => {
          throw new Error('no such part');
        }),
      },
      {},
      /no such part/,
    ],
  ];
  it.each(faults)('says so: %s', async (_, changes, overrides, message) => {
    await expect(start(changes, overrides)).rejects.toThrow(message);
  });

  it('names the settings at fault', async () => {
    env = { ...env, CONTINUO_SECRET: 'short' };
    await expect(start()).rejects.toThrow(/CONTINUO_SECRET/);
    env = { ...env, CONTINUO_SECRET: 'x'.repeat(32) };
  });

  it('gives up on NATS and Postgres after its patience', async () => {
    const good = env;
    env = { ...good, NATS_URL: 'nats://127.0.0.1:1' };
    await expect(start({}, { patienceMs: 300 })).rejects.toThrow(/NATS cannot be used/);
    env = { ...good, DATABASE_URL: 'postgres://continuo@127.0.0.1:1/none' };
    await expect(start({}, { patienceMs: 300 })).rejects.toThrow(/Postgres cannot be used/);
    env = good;
  });
});
