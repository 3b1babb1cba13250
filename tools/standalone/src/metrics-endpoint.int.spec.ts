import { createMetrics, type Readiness, type StartedService } from '@continuo/chassis';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { startMetricsEndpoint } from './metrics-endpoint.js';

const service = (readiness: Readiness): StartedService => ({ readiness: () => readiness }) as unknown as StartedService;
const well = service({ ready: true, parts: { nats: 'ok', readModel: 'ok' } });

describe('the metrics endpoint', () => {
  let stops: (() => Promise<unknown>)[] = [];
  const messages: string[] = [];
  const start = async (place: Parameters<typeof startMetricsEndpoint>[0], services: StartedService[] = [well]) => {
    const endpoint = await startMetricsEndpoint(place, services, createMetrics('spec'), (message) => messages.push(message));
    if (endpoint) stops.push(() => endpoint.stop());
    return endpoint;
  };
  const takePort = async (port: number): Promise<boolean> => {
    const server = createServer();
    const isTaken = await new Promise<boolean>((resolve) =>
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true)),
    );
    if (isTaken) stops.push(() => new Promise((resolve) => server.close(resolve)));
    return isTaken;
  };
  afterEach(async () => {
    for (const stop of stops) await stop();
    stops = [];
    messages.length = 0;
  });

  it('answers on the loopback address alone, with metrics and the parts of all services', async () => {
    const full = service({ ready: true, parts: { nats: 'the event log cannot be written', 'projection a': 'owner' } });
    const endpoint = await start({ port: 0 }, [full, well]);
    expect(endpoint?.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const parts = { nats: 'the event log cannot be written', 'projection a': 'owner', readModel: 'ok' };
    expect(await (await fetch(`${endpoint?.url}/health/ready`)).json()).toEqual({ status: 'ready', parts });
    expect(await (await fetch(`${endpoint?.url}/metrics`)).text()).toContain('continuo_command_seconds');
  });

  it('is not ready when one service is not', async () => {
    const endpoint = await start({ port: 0 }, [well, service({ ready: false, parts: {} })]);
    expect((await fetch(`${endpoint?.url}/health/ready`)).status).toBe(503);
  });

  it('reports that its usual port is taken, and lets the server start', async () => {
    // Taken by us, or by somebody else on this machine already.
    await takePort(9090);
    expect(await start({ port: 8080 })).toBeUndefined();
    expect(messages).toEqual([expect.stringContaining('METRICS_PORT')]);
  });

  it('rejects a chosen port that is taken', async () => {
    const first = await start({ port: 0 });
    await expect(start({ port: 0, metricsPort: first?.port })).rejects.toThrow('METRICS_HOST');
  });
});
