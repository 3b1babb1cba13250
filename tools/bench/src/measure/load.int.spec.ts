import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startLoadGenerator, type LoadGenerator } from './load.js';

let server: Server;
let url: string;
let load: LoadGenerator;
const asked: string[] = [];
let [open, mostOpen] = [0, 0];

beforeAll(async () => {
  server = createServer((request, answer) => {
    asked.push(request.url ?? '');
    answer.statusCode = request.url === '/broken' ? 500 : 200;
    answer.end('0123456789');
  }).listen(0, '127.0.0.1');
  server.on('connection', (socket) => {
    mostOpen = Math.max(mostOpen, (open += 1));
    socket.once('close', () => (open -= 1));
  });
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  load = startLoadGenerator();
});
afterAll(() => {
  load.stop();
  server.close();
});

describe('load generator', () => {
  it('makes the requests in turn over kept-alive connections', async () => {
    const result = await load.run({ url, paths: ['/a', '/b'], connections: 2, durationMs: 0, atLeast: 10 });
    expect(result).toMatchObject({ bytesEach: 10 });
    expect(result.count).toBe(10);
    expect(result.p50).toBeGreaterThan(0);
    expect(result.perSecond).toBeGreaterThan(0);
    expect(asked.toSorted()).toEqual([...Array(5).fill('/a'), ...Array(5).fill('/b')]);
    expect(mostOpen).toBe(2);
  });

  it('fails with an answer that is no success', async () => {
    await expect(load.run({ url, paths: ['/broken'], connections: 1, durationMs: 0, atLeast: 1 })).rejects.toThrow('answered 500');
  });
});
