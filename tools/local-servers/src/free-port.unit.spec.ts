import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { freePort } from './free-port.js';

test('the same port is given once, and can be listened on', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, () => freePort()));
  expect(new Set(ports).size).toBe(ports.length);
  const server = createServer().listen(ports[0], '127.0.0.1');
  await once(server, 'listening');
  server.close();
});

test('an address that is not of this machine has none', async () => {
  await expect(freePort('192.0.2.1')).rejects.toThrow('no port of 192.0.2.1');
});
