import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeKeepAliveWhileDraining } from './close-keep-alive-while-draining.js';
import { createServer } from './server.js';

let app: FastifyInstance;
let draining: boolean;
let answerNow: () => void;
let asked: PromiseWithResolvers<void>;
let agent: Agent;

beforeEach(async () => {
  draining = false;
  asked = Promise.withResolvers();
  agent = new Agent({ keepAlive: true, maxSockets: 1 });
  app = createServer({ log: pino({ level: 'silent' }), trustedProxies: [], bodyLimitBytes: 1024, requestTimeoutMs: 1000 });
  closeKeepAliveWhileDraining(app, () => draining);
  app.get('/quick', (_request, reply) => reply.send('here'));
  app.get('/slow', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    answerNow = resolve;
    asked.resolve();
    await promise;
    return 'late';
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(async () => {
  agent.destroy();
  await app.close();
});

const ask = async (path: string): Promise<{ status: number | undefined; connection: string | undefined; body: string }> => {
  const { port } = app.server.address() as AddressInfo;
  const request = get({ host: '127.0.0.1', port, path, agent });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let body = '';
  for await (const part of response) body += String(part);
  return { status: response.statusCode, connection: response.headers.connection, body };
};

describe('a gateway that drains', () => {
  it('answers with Connection: close', async () => {
    expect((await ask('/quick')).connection).toBe('keep-alive');
    draining = true;
    expect(await ask('/quick')).toEqual({ status: 200, connection: 'close', body: 'here' });
  });

  it('finishes open requests before it stops, and refuses none that still arrive on an open connection', async () => {
    const slow = ask('/slow');
    await asked.promise;
    draining = true;
    const closing = app.close();
    answerNow();
    expect(await slow).toEqual({ status: 200, connection: 'close', body: 'late' });
    await closing;
  });
});
