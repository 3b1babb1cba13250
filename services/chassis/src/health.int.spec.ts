import { afterEach, describe, expect, it } from 'vitest';
import { startHealthServer, type HealthServer, type Readiness } from './health.js';
import { createMetrics } from './metrics.js';

describe('the health endpoint', () => {
  let server: HealthServer;
  let state: Readiness;
  const start = async (): Promise<(path: string, method?: string) => Promise<Response>> => {
    state = { ready: false, parts: { nats: 'does not answer' } };
    server = await startHealthServer({ host: '127.0.0.1', port: 0, readiness: () => state, metrics: createMetrics('spec') });
    return (path, method = 'GET') => fetch(`http://127.0.0.1:${server.port}${path}`, { method });
  };
  afterEach(() => server.stop());

  it('is live while the process runs and ready when the parts are', async () => {
    const get = await start();
    expect((await get('/health/live')).status).toBe(200);
    const notReady = await get('/health/ready');
    expect([notReady.status, await notReady.json()]).toEqual([503, { status: 'not ready', parts: { nats: 'does not answer' } }]);
    state = { ready: true, parts: { nats: 'ok' } };
    expect((await get('/health/ready?x=1')).status).toBe(200);
    expect((await get('/health/ready', 'HEAD')).status).toBe(200);
  });

  it('prints the metrics', async () => {
    const get = await start();
    const answer = await get('/metrics');
    expect(answer.headers.get('content-type')).toContain('text/plain');
    expect(await answer.text()).toContain('continuo_command_seconds');
  });

  it('refuses the rest', async () => {
    const get = await start();
    expect((await get('/')).status).toBe(404);
    expect((await get('/health/live', 'POST')).status).toBe(405);
  });
});
