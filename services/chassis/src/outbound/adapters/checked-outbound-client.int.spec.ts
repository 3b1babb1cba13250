import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { OutboundError, type OutboundClient, type OutboundFlow, type OutboundRequest } from '../outbound-client.js';
import { parseRanges } from '../public-address.js';
import type { Resolve } from './resolve.js';
import { checkedOutboundClient } from './checked-outbound-client.js';

/** Stands for the internet: the one address that the operator allows. Every other of this machine stands for what must not be reached. */
const OUTSIDE = '127.0.0.2';
const INSIDE = '127.0.0.1';
const MIB = 1024 * 1024;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
let outside: Server;
let inside: Server;
/** Requests that reached what must not be reached. */
let leaks: string[] = [];
const seen: { path: string; method: string; headers: IncomingMessage['headers']; body: string }[] = [];
const routes = new Map<string, Answer>();
const clients: OutboundClient[] = [];

const listen = (server: Server, host: string): Promise<void> => new Promise((resolve) => server.listen(0, host, resolve));
const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const out = (path: string): string => `http://${OUTSIDE}:${portOf(outside)}${path}`;

beforeAll(async () => {
  outside = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      seen.push({
        path: request.url ?? '',
        method: request.method ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      });
      (routes.get(request.url ?? '') ?? ((_, reply) => reply.writeHead(404).end('nothing')))(request, response);
    });
  });
  inside = createServer((request, response) => {
    leaks.push(request.url ?? '');
    response.end('the keys of the house');
  });
  await Promise.all([listen(outside, OUTSIDE), listen(inside, INSIDE)]);
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  routes.clear();
  seen.length = 0;
  leaks = [];
});
afterAll(() => {
  for (const server of [outside, inside]) {
    server.closeAllConnections();
    server.close();
  }
});

const open = (resolve?: Resolve): OutboundClient => {
  const client = checkedOutboundClient({ allowed: parseRanges([OUTSIDE]), ...(resolve ? { resolve } : {}) });
  clients.push(client);
  return client;
};
const faultOf = async (request: OutboundRequest, client = open()): Promise<string> => {
  try {
    await client.fetch(request);
    return 'answered';
  } catch (error) {
    if (error instanceof OutboundError) return error.fault;
    throw error;
  }
};
const answering = (...addresses: string[]): Resolve => {
  let calls = 0;
  return async () => {
    const address = addresses[Math.min(calls, addresses.length - 1)] as string;
    calls += 1;
    return [{ address, family: address.includes(':') ? 6 : 4 }];
  };
};

describe('what may be reached', () => {
  it('fetches from an allowed address, with method, headers and body', async () => {
    routes.set('/hook', (_, reply) => reply.writeHead(202, { 'x-kind': 'test' }).end('taken'));
    const { status, headers, body, url } = await open().fetch({
      url: out('/hook'),
      method: 'POST',
      headers: { 'x-me': '1' },
      body: '{"a":1}',
    });
    expect([status, headers['x-kind'], Buffer.from(body).toString(), url]).toEqual([202, 'test', 'taken', out('/hook')]);
    expect(seen).toMatchObject([{ method: 'POST', body: '{"a":1}', headers: { 'x-me': '1', 'user-agent': 'continuo' } }]);
  });

  it('refuses every spelling of an address of this machine, and names no address in the refusal', async () => {
    const port = portOf(inside);
    const spellings = [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '0',
      'localhost',
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[64:ff9b::7f00:1]',
      '127。0。0。1',
    ];
    for (const host of spellings) expect([host, await faultOf({ url: `http://${host}:${port}/` })]).toEqual([host, 'address-refused']);
    expect(leaks).toEqual([]);
    await expect(open().fetch({ url: `http://localhost:${port}/` })).rejects.toThrow(/^localhost does not lead to a public address, nor/);
  });

  it('refuses what is no plain address of the web', async () => {
    for (const url of [
      '',
      'no address',
      'file:///etc/passwd',
      'ftp://example.org/',
      'gopher://127.0.0.1:70/',
      `http://a:b@${OUTSIDE}/`,
      'http://example.org:25/',
    ])
      expect([url, await faultOf({ url })]).toEqual([url, 'address-form']);
  });
});

describe('names', () => {
  it('refuses one that leads inside, and says that one without an address has none', async () => {
    expect(await faultOf({ url: `http://rebind.test:${portOf(inside)}/` }, open(answering(INSIDE)))).toBe('address-refused');
    expect(
      await faultOf(
        { url: 'http://rebind.test/' },
        open(async () => []),
      ),
    ).toBe('unresolved');
    expect(await faultOf({ url: 'http://no-such-name.invalid/' })).toBe('unresolved');
    expect(leaks).toEqual([]);
  });

  it('goes to the address that it checked, whatever the name says a moment later (DNS rebinding)', async () => {
    routes.set('/', (_, reply) => reply.writeHead(200, { connection: 'close' }).end('outside'));
    // Both servers listen on the same port, so that only the address decides.
    const twin = createServer((request, response) => {
      leaks.push(request.url ?? '');
      response.end('the keys of the house');
    });
    await new Promise<void>((resolve) => twin.listen(portOf(outside), INSIDE, resolve));
    try {
      const client = open(answering(OUTSIDE, INSIDE));
      const url = `http://rebind.test:${portOf(outside)}/`;
      expect(Buffer.from((await client.fetch({ url })).body).toString()).toBe('outside');
      expect(await faultOf({ url }, client)).toBe('address-refused');
      expect(leaks).toEqual([]);
    } finally {
      twin.closeAllConnections();
      twin.close();
    }
  });

  it('takes the good address of a name that has a bad one, too', async () => {
    routes.set('/', (_, reply) => reply.end('outside'));
    const both: Resolve = async () => [INSIDE, OUTSIDE, '::1'].map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    expect(await faultOf({ url: `http://both.test:${portOf(outside)}/` }, open(both))).toBe('answered');
    expect(leaks).toEqual([]);
  });
});

describe('redirects', () => {
  const to =
    (location: string, status = 302): Answer =>
    (_, reply) =>
      reply.writeHead(status, { location }).end();

  it('checks where each one leads', async () => {
    const port = portOf(inside);
    const places = [`http://${INSIDE}:${port}/`, `http://[::ffff:127.0.0.1]:${port}/`, `http://localhost:${port}/`, `//0x7f.1:${port}/`];
    for (const place of places) {
      routes.set('/go', to('/further'));
      routes.set('/further', to(place));
      expect([place, await faultOf({ url: out('/go') })]).toEqual([place, 'address-refused']);
    }
    routes.set('/go', to('file:///etc/passwd'));
    expect(await faultOf({ url: out('/go') })).toBe('address-form');
    expect(leaks).toEqual([]);
  });

  it('follows so many and no more, and none where none are wanted', async () => {
    routes.set('/go', to('/go'));
    expect(await faultOf({ url: out('/go'), maxRedirects: 3 })).toBe('too-many-redirects');
    expect(seen).toHaveLength(4);
    expect((await open().fetch({ url: out('/go'), maxRedirects: 0 })).status).toBe(302);
  });

  it('sends a body on only where the status says so, and secrets to nobody else', async () => {
    const other = createServer((request, response) => response.end(JSON.stringify({ method: request.method, headers: request.headers })));
    await listen(other, OUTSIDE);
    try {
      const away = `http://${OUTSIDE}:${portOf(other)}/`;
      const post = {
        method: 'POST',
        headers: { authorization: 'secret', 'content-type': 'text/plain', 'x-kept': '1' },
        body: 'b',
      } as const;
      const answers: Record<string, unknown>[] = [];
      for (const status of [302, 303, 307]) {
        routes.set('/go', to(away, status));
        const { body } = await open().fetch({ url: out('/go'), ...post });
        answers.push(JSON.parse(Buffer.from(body).toString()) as Record<string, unknown>);
      }
      expect(answers.map(({ method }) => method)).toEqual(['GET', 'GET', 'POST']);
      for (const { headers } of answers) expect(headers).toMatchObject({ 'x-kept': '1' });
      for (const { headers } of answers) expect(headers).not.toHaveProperty('authorization');
    } finally {
      other.closeAllConnections();
      other.close();
    }
  });
});

describe('limits', () => {
  it('unpacks what is packed', async () => {
    const text = 'tone '.repeat(1000);
    const packers = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync };
    for (const [encoding, pack] of Object.entries(packers)) {
      routes.set('/', (_, reply) => reply.writeHead(200, { 'content-encoding': encoding }).end(pack(text)));
      expect(Buffer.from((await open().fetch({ url: out('/') })).body).toString()).toBe(text);
    }
    routes.set('/', (_, reply) => reply.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip'));
    expect(await faultOf({ url: out('/') })).toBe('malformed');
    routes.set('/', (_, reply) => reply.writeHead(200, { 'content-encoding': 'gzip, br, gzip' }).end('x'));
    expect(await faultOf({ url: out('/') })).toBe('malformed');
  });

  it('cuts off a body that is too large, also one that only becomes so when it is unpacked', async () => {
    routes.set('/plain', (_, reply) => reply.end(Buffer.alloc(2 * MIB)));
    expect(await faultOf({ url: out('/plain') })).toBe('too-large');
    expect(await faultOf({ url: out('/plain'), maxBytes: 2 * MIB })).toBe('answered');
    const bomb = { gzip: gzipSync(Buffer.alloc(200 * MIB)), br: brotliCompressSync(Buffer.alloc(50 * MIB)) };
    for (const [encoding, packed] of Object.entries(bomb)) {
      expect(packed.byteLength).toBeLessThan(MIB);
      routes.set('/bomb', (_, reply) => reply.writeHead(200, { 'content-encoding': encoding }).end(packed));
      const before = process.memoryUsage().rss;
      expect(await faultOf({ url: out('/bomb') })).toBe('too-large');
      expect(process.memoryUsage().rss - before).toBeLessThan(60 * MIB);
    }
    routes.set('/twice', (_, reply) => reply.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(gzipSync(bomb.gzip)));
    expect(await faultOf({ url: out('/twice') })).toBe('too-large');
  });

  it('gives up on who is slow with connection, head or body, at the time that was set for all of it', async () => {
    routes.set('/silent', () => undefined);
    routes.set('/drip', (_, reply) => {
      reply.writeHead(200);
      const timer = setInterval(() => reply.write('.'), 20);
      reply.on('close', () => clearInterval(timer));
    });
    const mute = createTcpServer();
    await new Promise<void>((resolve) => mute.listen(0, OUTSIDE, resolve));
    try {
      const tls = `https://${OUTSIDE}:${(mute.address() as AddressInfo).port}/`;
      for (const url of [out('/silent'), out('/drip'), tls]) {
        const startedAt = Date.now();
        expect([url, await faultOf({ url, timeoutMs: 300 })]).toEqual([url, 'timeout']);
        expect(Date.now() - startedAt).toBeLessThan(20_000);
      }
      expect(
        await faultOf(
          { url: 'http://slow.test/', timeoutMs: 200 },
          open(() => new Promise(() => undefined)),
        ),
      ).toBe('timeout');
    } finally {
      mute.close();
    }
  });

  it('refuses a head without end and what is no HTTP, and says when nobody is there', async () => {
    routes.set('/head', (_, reply) => reply.writeHead(200, { 'x-long': 'x'.repeat(60_000) }).end());
    expect(await faultOf({ url: out('/head') })).toBe('too-large');
    const odd = createTcpServer((socket) => socket.resume().end('SSH-2.0-none\r\n'));
    await new Promise<void>((resolve) => odd.listen(0, OUTSIDE, resolve));
    const { port } = odd.address() as AddressInfo;
    expect(await faultOf({ url: `http://${OUTSIDE}:${port}/` })).toBe('malformed');
    await new Promise((resolve) => odd.close(resolve));
    expect(await faultOf({ url: `http://${OUTSIDE}:${port}/` })).toBe('unreachable');
  });

  it('ends with whoever asked, for the reason that they give', async () => {
    routes.set('/silent', () => undefined);
    const stop = new AbortController();
    const answer = open().fetch({ url: out('/silent'), signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(answer).rejects.toThrow('enough');
  });

  it('lets a body flow, and closes it when nobody reads on', async () => {
    const closed = Promise.withResolvers<void>();
    routes.set('/flow', (_, reply) => {
      const timer = setInterval(() => reply.write('x'.repeat(1000)), 5);
      reply.on('close', () => {
        clearInterval(timer);
        closed.resolve();
      });
    });
    const { body } = await open().open({ url: out('/flow') });
    let bytes = 0;
    for await (const chunk of body) {
      bytes += chunk.byteLength;
      if (bytes > 5000) break;
    }
    await closed.promise;
    expect(bytes).toBeLessThan(100_000);
  });
  it.each([
    ['plain', {}, undefined],
    ['packed', { 'content-encoding': 'gzip' }, undefined],
    ['packed as nobody knows', { 'content-encoding': 'rolled' }, 'malformed'],
  ])('hangs up on a body of which nobody began to read, %s', async (_, headers, fault) => {
    const closed = Promise.withResolvers<void>();
    routes.set('/unread', (__, reply) => {
      reply.on('close', () => closed.resolve());
      reply.writeHead(200, headers).write('x'.repeat(1000));
    });
    const opened = await open()
      .open({ url: out('/unread') })
      .catch((error: unknown) => error);
    const ended = opened instanceof OutboundError ? opened.fault : await (opened as OutboundFlow).body.return();
    expect(ended).toEqual(fault ?? { done: true, value: undefined });
    await closed.promise;
  });
});
