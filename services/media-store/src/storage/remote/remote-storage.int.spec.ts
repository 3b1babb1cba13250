import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkedOutboundClient, type OutboundClient, parseRanges } from '@continuo/chassis';
import { type FaultyProxy, startFaultyProxy } from '@continuo/chassis/testkit';
import { NativeApi } from './native-api.js';
import { pathOfSong, RemoteStorage } from './remote-storage.js';
import { RemoteRequests } from './remote-requests.js';
import { SubsonicApi } from './subsonic-api.js';

const SIZE = 1_000_000;
const file = randomBytes(SIZE);
const path = pathOfSong({ id: 'so-1', suffix: 'mp3' });
let server: Server;
let proxy: FaultyProxy;
let outbound: OutboundClient;
let seen: string[];
let mayDownload: boolean;
let givesRanges: boolean;
let tellsSize: boolean;
let session: string;

const json = (response: ServerResponse, body: object): void =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const sendFile = ({ headers }: IncomingMessage, response: ServerResponse): void => {
  const [, start, end] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
  if (start === undefined || !givesRanges)
    return void response.writeHead(200, { 'content-type': 'audio/mpeg', 'content-length': SIZE }).end(file);
  const last = end ? Math.min(Number(end), SIZE - 1) : SIZE - 1;
  const range = { 'content-range': `bytes ${start}-${last}/${SIZE}`, 'content-length': last - Number(start) + 1 };
  response.writeHead(206, { 'content-type': 'audio/mpeg', ...range }).end(file.subarray(Number(start), last + 1));
};

/** Both APIs, as far as a storage asks them, of a server with one song. */
const answer = (request: IncomingMessage, response: ServerResponse): void => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
  const operation = /^\/rest\/(\w+)\.view$/.exec(pathname)?.[1];
  const action = operation ?? searchParams.get('action') ?? '';
  seen.push(action);
  const isKnown = (searchParams.get('id') ?? searchParams.get('filter')) === 'so-1';
  if (operation) {
    const subsonic = (more: object) => json(response, { 'subsonic-response': { status: 'ok', ...more } });
    const failed = (code: number) => json(response, { 'subsonic-response': { status: 'failed', error: { code, message: 'no' } } });
    if (operation === 'getSong')
      return isKnown ? subsonic({ song: { id: 'so-1', title: 'A', suffix: 'mp3', ...(tellsSize ? { size: SIZE } : {}) } }) : failed(70);
    if (operation === 'download' && !mayDownload) return failed(50);
    if (operation === 'download' || operation === 'stream') return isKnown ? sendFile(request, response) : failed(70);
    return subsonic({});
  }
  if (action === 'handshake') return json(response, { auth: session });
  if (searchParams.get('auth') !== session) return json(response, { error: { errorCode: '4701', errorMessage: 'Session Expired' } });
  if (!isKnown) return json(response, { error: { errorCode: '4704', errorMessage: 'Not Found' } });
  if (action === 'song') return json(response, { id: 'so-1', title: 'A', filename: '/x/a.mp3', size: SIZE });
  return sendFile(request, response);
};

beforeAll(async () => {
  server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy = await startFaultyProxy(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  outbound = checkedOutboundClient({ allowed: parseRanges(['127.0.0.1']) });
});
afterAll(async () => {
  await outbound.close();
  await proxy.close();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  proxy.reset();
  seen = [];
  [mayDownload, givesRanges, tellsSize, session] = [true, true, true, 'one'];
});

const credentials = { name: 'ada', secret: 'secret' };
const quick = { patience: { pausesMs: [5, 10, 20] }, stallMs: 300 };
const storageOf = (Api: typeof SubsonicApi | typeof NativeApi): RemoteStorage =>
  new RemoteStorage(new Api(new RemoteRequests(outbound, proxy.url, 'instance'), credentials), quick);

describe.each([
  ['the Subsonic API', SubsonicApi],
  ['the native API', NativeApi],
])('a song of another server, by %s', (_, Api) => {
  it('is read as a whole and in part, also where the connection is cut or stands still', async () => {
    const storage = storageOf(Api);
    expect(await storage.stat(path)).toMatchObject({ sizeBytes: SIZE });
    expect((await buffer((await storage.read(path)).body)).equals(file)).toBe(true);
    const part = await storage.read(path, { start: 10, end: 99_999 });
    expect([part.start, part.end, part.sizeBytes]).toEqual([10, 99_999, SIZE]);
    expect((await buffer(part.body)).equals(file.subarray(10, 100_000))).toBe(true);
    let faults = 0;
    proxy.fault = () => ((faults += 1) <= 2 ? { cutAfterBytes: 300_000 } : faults === 3 ? { stallAfterBytes: 100_000 } : undefined);
    expect((await buffer((await storage.read(path)).body)).equals(file)).toBe(true);
  }, 20_000);

  it('is told apart: gone, or away', async () => {
    const storage = storageOf(Api);
    const gone = pathOfSong({ id: 'so-2', suffix: 'mp3' });
    await expect(storage.stat(gone)).rejects.toMatchObject({ code: 'media.not-found' });
    await expect(storage.read(gone)).rejects.toMatchObject({ code: 'media.not-found' });
    expect(await storage.isThere(gone)).toBe(false);
    for (const odd of ['x.mp3', '../../etc/passwd', 'zz/so-1.mp3', '00/%.mp3', '00/a/b.mp3', ''])
      await expect(storage.stat(odd)).rejects.toMatchObject({ code: 'media.not-found' });
    for (const status of [401, 403, 500, 503]) {
      proxy.fault = () => ({ status });
      await expect(storage.read(path)).rejects.toMatchObject({ code: 'unavailable' });
      expect(await storage.isThere(path)).toBe(true);
    }
  }, 20_000);

  it('is no mixture when the server gives no parts, or another file', async () => {
    const storage = storageOf(Api);
    givesRanges = false;
    await expect(storage.read(path, { start: 500 })).rejects.toMatchObject({ code: 'unavailable' });
    expect((await buffer((await storage.read(path)).body)).equals(file)).toBe(true);
    proxy.fault = () => ({ cutAfterBytes: 1000 });
    await expect(storage.read(path).then(({ body }) => buffer(body))).rejects.toThrow(/parts|asked/);
  });
});

describe('another server', () => {
  it('may let an account listen that it does not let download', async () => {
    mayDownload = false;
    const storage = storageOf(SubsonicApi);
    expect((await buffer((await storage.read(path)).body)).equals(file)).toBe(true);
    await storage.read(path, { start: 0, end: 0 }).then(({ body }) => body.destroy());
    expect(seen).toEqual(['download', 'stream', 'stream']);
    expect(proxy.requests.at(-1)?.url).toContain('format=raw');
  });

  it('is asked for the size of a file that it does not tell', async () => {
    tellsSize = false;
    expect(await storageOf(SubsonicApi).stat(path)).toMatchObject({ sizeBytes: SIZE });
  });

  it('is logged in to again when the session has ended', async () => {
    const storage = storageOf(NativeApi);
    await storage.stat(path);
    session = 'two';
    expect(await storage.stat(path)).toMatchObject({ sizeBytes: SIZE });
    expect(seen).toEqual(['handshake', 'song', 'song', 'handshake', 'song']);
  });

  it('is never told the password, and always who asks', async () => {
    for (const storage of [storageOf(SubsonicApi), storageOf(NativeApi)]) await storage.stat(path);
    for (const { url, headers } of proxy.requests) {
      expect(url).not.toContain(credentials.secret);
      expect(headers['x-continuo-instance']).toBe('instance');
    }
  });
});
