import { setTimeout as delay } from 'node:timers/promises';
import { testNats, type TestNats } from '@continuo/local-servers';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NewerEvent } from '../event-store/catalogue.js';
import { createMetrics } from '../metrics.js';
import { noTelemetry } from '../telemetry/tracing.js';
import { recordingLog } from '../../test/recording-log.js';
import { CommandEndpoint, type CommandHandler, type EndpointDependencies } from '../transport/command-endpoint.js';
import { NotYetReady } from '../transport/not-yet-ready.js';
import { commandClientContract, context, greet } from '../../test/commands/command-client.contract.js';
import { NatsCommandClient } from './nats-command-client.js';

let server: TestNats;
beforeAll(async () => {
  server = await testNats();
});
afterAll(() => server.stop());

const hello = { result: { greeting: 'hello' }, positions: [] };
const toolsOn = (nats: NatsConnection): EndpointDependencies => ({
  nats,
  log: recordingLog().log,
  metrics: createMetrics('spec'),
  tracer: noTelemetry.tracer,
});

commandClientContract('NatsCommandClient', async () => {
  const nats = await connect({ servers: server.url });
  const endpoints: CommandEndpoint[] = [];
  return {
    client: new NatsCommandClient(nats, { absenceMs: 100 }),
    answer: async (definition, handler) => {
      const endpoint = new CommandEndpoint(toolsOn(nats), definition, handler);
      endpoint.start();
      endpoints.push(endpoint);
      await nats.flush();
    },
    stop: async () => {
      await Promise.all(endpoints.map((endpoint) => endpoint.drain(1000)));
      await nats.close();
    },
  };
});

describe('commands over NATS', () => {
  const connections: NatsConnection[] = [];
  const endpoints: CommandEndpoint[] = [];
  let nats: NatsConnection;
  let tools: EndpointDependencies;

  const join = async (): Promise<NatsConnection> => {
    const connection = await connect({ servers: server.url, reconnectTimeWait: 50, maxReconnectAttempts: -1 });
    connections.push(connection);
    return connection;
  };
  const answer = async (handler: CommandHandler, on: NatsConnection = nats, maxInFlight?: number): Promise<CommandEndpoint> => {
    const endpoint = new CommandEndpoint(toolsOn(on), greet, handler, maxInFlight);
    endpoint.start();
    endpoints.push(endpoint);
    await on.flush();
    return endpoint;
  };
  beforeEach(async () => {
    nats = await join();
    tools = toolsOn(nats);
  });
  afterEach(async () => {
    await Promise.all(endpoints.splice(0).map((endpoint) => endpoint.drain(1000)));
    await Promise.all(connections.splice(0).map((connection) => connection.close()));
  });

  it('are answered by a replica of the newer release when the other one does not know what the log holds', async () => {
    const [older, newer] = [await join(), await join()];
    const asked: string[] = [];
    await answer(({ id }) => {
      asked.push(id);
      return Promise.reject(new NewerEvent('Greeted', 2, 1));
    }, older);
    const client = new NatsCommandClient(nats);
    const early = client.send(greet, { name: 'ada' }, context);
    // The older one is asked alone at first: the newer one is only about to come.
    for (let turn = 0; asked.length === 0 && turn < 200; turn += 1) await delay(10);
    await answer(() => Promise.resolve(hello), newer);
    expect((await early).result).toMatchObject(hello.result);
    expect(new Set(asked).size).toBe(1);
    for (let turn = 0; turn < 10; turn += 1)
      expect((await client.send(greet, { name: 'ada' }, context)).result).toMatchObject(hello.result);
  });

  it('are answered by a replica that is ready while another one has just started', async () => {
    const [fresh, ready] = [await join(), await join()];
    await answer(() => Promise.reject(new NotYetReady('still reading')), fresh);
    await answer(() => Promise.resolve(hello), ready);
    const client = new NatsCommandClient(nats);
    for (let turn = 0; turn < 20; turn += 1)
      expect((await client.send(greet, { name: 'ada' }, context)).result).toMatchObject(hello.result);
  });

  it('say why nobody took them when no replica was ready in time', async () => {
    await answer(() => Promise.reject(new NotYetReady('still reading')));
    const sent = new NatsCommandClient(nats, { timeoutMs: 300 }).send(greet, { name: 'ada' }, context);
    await expect(sent).rejects.toMatchObject({ code: 'unavailable', message: 'still reading' });
  });

  it('that are refused for a reason that only a newer release knows may be sent again later', async () => {
    nats.subscribe(greet.subject, {
      callback: (_, message) => void message.respond('{"ok":false,"code":"mood.wrong","message":"not today"}'),
    });
    await nats.flush();
    await expect(new NatsCommandClient(nats).send(greet, { name: 'ada' }, context)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'not today',
    });
  });

  it('waits for a service that starts a moment later', async () => {
    const sent = new NatsCommandClient(nats).send(greet, { name: 'ada' }, context);
    await delay(300);
    await answer(() => Promise.resolve(hello), await join());
    await expect(sent).resolves.toMatchObject({ result: { greeting: 'hello' } });
  });

  it('retries with the same id when a replica goes silent, within the total time', async () => {
    const ids: string[] = [];
    await answer(
      ({ id }) => {
        ids.push(id);
        return ids.length === 1 ? new Promise(() => undefined) : Promise.resolve(hello);
      },
      await join(),
    );
    endpoints.pop(); // The first answer never comes: draining would wait for it.
    await answer(({ id }) => {
      ids.push(id);
      return ids.length === 1 ? delay(600, hello) : Promise.resolve(hello);
    });
    const client = new NatsCommandClient(nats, { timeoutMs: 2000 });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, (_, n) => client.send(greet, { name: `n${n}` }, context, { commandId: `cmd-${n}` })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(5);
    expect(new Set(ids).size).toBe(6);
  });

  it('joins a retry to the run that is still under way', async () => {
    let runs = 0;
    await answer(async () => {
      runs += 1;
      return delay(500, hello);
    });
    const client = new NatsCommandClient(nats, { timeoutMs: 1000 });
    await expect(client.send(greet, { name: 'ada' }, context)).resolves.toMatchObject({ result: { greeting: 'hello' } });
    expect(runs).toBe(1);
  });

  it('gives up as "unavailable" when the total time has passed', async () => {
    await answer(() => delay(4000, hello));
    const startedAt = Date.now();
    const failure = new NatsCommandClient(nats).send(greet, { name: 'ada' }, context, { timeoutMs: 400 });
    await expect(failure).rejects.toMatchObject({ code: 'unavailable' });
    expect(Date.now() - startedAt).toBeLessThan(3900);
  });

  it('shares the load over two replicas and answers each command once', async () => {
    const counts = [0, 0];
    for (const index of [0, 1]) {
      await answer(
        () => {
          counts[index] = (counts[index] ?? 0) + 1;
          return Promise.resolve(hello);
        },
        await join(),
      );
    }
    const client = new NatsCommandClient(nats);
    await Promise.all(Array.from({ length: 200 }, () => client.send(greet, { name: 'ada' }, context)));
    expect((counts[0] ?? 0) + (counts[1] ?? 0)).toBe(200);
    expect(Math.min(...counts)).toBeGreaterThan(20);
  });

  it('answers what it has taken while draining, and hands new commands to the other replica', async () => {
    const [first, second] = [await join(), await join()];
    const begun = Promise.withResolvers<void>();
    const draining = await answer(() => {
      begun.resolve();
      return delay(200, { result: { greeting: 'first' }, positions: [] });
    }, first);
    const client = new NatsCommandClient(nats);
    const taken = client.send(greet, { name: 'ada' }, context);
    await begun.promise;
    await answer(() => Promise.resolve({ result: { greeting: 'second' }, positions: [] }), second);
    const drained = draining.drain(1000);
    await expect(taken).resolves.toMatchObject({ result: { greeting: 'first' } });
    await drained;
    await expect(client.send(greet, { name: 'ada' }, context)).resolves.toMatchObject({ result: { greeting: 'second' } });
  });

  it('refuses more commands at once than it may take', async () => {
    await answer(() => delay(300, hello), nats, 2);
    const client = new NatsCommandClient(nats);
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => client.send(greet, { name: 'ada' }, context)));
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(outcomes.find((outcome) => outcome.status === 'rejected')?.reason).toMatchObject({ code: 'unavailable' });
  });

  it('answers rubbish instead of leaving the caller to wait', async () => {
    await answer(() => Promise.resolve(hello));
    for (const payload of ['', 'not json', '{}', JSON.stringify({ id: 'with blank ', at: 1 })]) {
      const reply = await nats.request(greet.subject, payload, { timeout: 20_000 });
      expect(reply.json()).toMatchObject({ ok: false, code: 'input.invalid' });
    }
  });

  it('refuses a command above the size of a message, and an answer above it', async () => {
    await answer(() => Promise.resolve({ result: { greeting: 'x'.repeat(9 * 1024 * 1024) }, positions: [] }));
    const client = new NatsCommandClient(nats);
    await expect(client.send(greet, { name: 'x'.repeat(9 * 1024 * 1024) }, context)).rejects.toMatchObject({ code: 'input.too-large' });
    await expect(client.send(greet, { name: 'ada' }, context)).rejects.toMatchObject({ code: 'internal' });
  });

  it('survives a crash of the server', async () => {
    await answer(() => Promise.resolve(hello), await join());
    const client = new NatsCommandClient(nats);
    await client.send(greet, { name: 'ada' }, context);
    await server.crashAndRestart();
    await expect(client.send(greet, { name: 'ada' }, context)).resolves.toMatchObject({ result: { greeting: 'hello' } });
  });

  it('repeats a command at once when the connection comes back, and runs it anew', async () => {
    const runs: string[] = [];
    await answer(
      ({ id }) => {
        runs.push(id);
        // The first run waits for something that went down with the server.
        return runs.length === 1 ? new Promise(() => undefined) : Promise.resolve(hello);
      },
      await join(),
    );
    endpoints.pop();
    const sent = new NatsCommandClient(nats, { timeoutMs: 10_000 }).send(greet, { name: 'ada' }, context);
    await expect.poll(() => runs).toHaveLength(1);
    await server.crashAndRestart();
    const startedAt = Date.now();
    await expect(sent).resolves.toMatchObject({ result: { greeting: 'hello' } });
    expect(Date.now() - startedAt).toBeLessThan(9000);
    expect(new Set(runs).size).toBe(1);
  });

  it('waits for a service that finds the server again later than the client, however long the server was gone', async () => {
    const slow = await connect({ servers: server.url, reconnectTimeWait: 1000, reconnectJitter: 0, maxReconnectAttempts: -1 });
    connections.push(slow);
    await answer(() => Promise.resolve(hello), slow);
    const client = new NatsCommandClient(nats, { timeoutMs: 10_000, absenceMs: 1800 });
    await server.kill();
    const sent = client.send(greet, { name: 'ada' }, context);
    await delay(2000);
    await server.restart();
    await expect(sent).resolves.toMatchObject({ result: { greeting: 'hello' } });
  });

  it('counts commands by outcome and logs failures with the correlation id, the stack in the log only', async () => {
    const { log, lines } = recordingLog();
    const endpoint = new CommandEndpoint({ ...tools, log }, greet, () => Promise.reject(new Error('boom')));
    endpoint.start();
    endpoints.push(endpoint);
    await nats.flush();
    const failure = await new NatsCommandClient(nats).send(greet, { name: 'ada' }, context).catch((error: unknown) => error);
    expect((failure as Error).message).toContain('corr-1');
    expect(lines).toContainEqual(
      expect.objectContaining({
        correlationId: 'corr-1',
        actor: 'user:7',
        msg: 'command failed',
        err: expect.objectContaining({ message: 'boom' }),
      }),
    );
    const seconds = await tools.metrics.commandSeconds.get();
    expect(seconds.values).toContainEqual(
      expect.objectContaining({
        metricName: 'continuo_command_seconds_count',
        value: 1,
        labels: { subject: greet.subject, outcome: 'internal' },
      }),
    );
  });
});
