import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { events, manageClient, requestFailure, type ServerOptions } from './index.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let asked: IncomingMessage[];
let answers: Answer[];
let options: ServerOptions;

beforeEach(async () => {
  asked = [];
  answers = [];
  server = createServer((request, response) => {
    asked.push(request);
    (answers.shift() ?? answers.at(-1) ?? json(500, {}))(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  let token = 0;
  options = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, authorization: () => `Bearer ${(token += 1)}` };
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const json =
  (status: number, body: object, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

const empty = { items: [], nextCursor: null };
const busy = json(503, { type: 'x', detail: 'busy', correlationId: 'c' }, { 'retry-after': '0' });

describe('a client', () => {
  it('asks for authorization before each request and sends queries', async () => {
    answers = [json(200, empty), json(200, empty)];
    const client = manageClient(options);
    await client.GET('/catalogs', { params: { query: { limit: 2 } } });
    await client.GET('/catalogs');
    expect(asked.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ['/manage/v1/catalogs?limit=2', 'Bearer 1'],
      ['/manage/v1/catalogs', 'Bearer 2'],
    ]);
  });

  it('repeats what the server could not take, with the same idempotency key', async () => {
    answers = [busy, json(429, {}, { 'retry-after': '0' }), json(201, { id: 1 })];
    const { response } = await manageClient(options).POST('/catalogs', { body: { name: 'Music', path: '/music' } });
    expect(response.status).toBe(201);
    expect(new Set(asked.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(asked).toHaveLength(3);
  });

  it('repeats no change without a key after 503, nothing else than 429 and 503, and nothing for ever', async () => {
    answers = [busy];
    expect((await manageClient(options).PATCH('/catalogs/{id}', { params: { path: { id: 1 } }, body: {} })).response.status).toBe(503);
    answers = [json(500, {})];
    await manageClient(options).GET('/catalogs');
    expect(asked).toHaveLength(2);
    answers = [busy, busy, busy, busy, busy];
    const { error, response } = await manageClient(options).GET('/catalogs');
    expect(asked).toHaveLength(6);
    expect(requestFailure(error, response)).toBe('busy');
  });
});

describe('events', () => {
  const stream =
    (...texts: string[]): Answer =>
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const text of texts) response.write(text);
      response.end();
    };

  it('go on after the last one when a connection breaks, and end with the signal', async () => {
    answers = [
      stream('retry: 1\n\nid: a\nevent: play.recorded\nda', 'ta: {"song":1}\n\n'),
      (_request, response) => response.destroy(),
      stream('id: b\nevent: play.recorded\ndata: {"song":2}\n\n'),
    ];
    const over = new AbortController();
    const seen: unknown[] = [];
    for await (const event of events(options, { types: ['play.*'], signal: over.signal })) {
      seen.push(event);
      if (seen.length === 2) over.abort();
    }
    expect(seen).toEqual([
      { id: 'a', type: 'play.recorded', data: { song: 1 } },
      { id: 'b', type: 'play.recorded', data: { song: 2 } },
    ]);
    expect(asked.map(({ url, headers }) => [url, headers['last-event-id']])).toEqual([
      ['/events?types=play.*', undefined],
      ['/events?types=play.*', 'a'],
      ['/events?types=play.*', 'a'],
    ]);
  });

  it('fail for a caller whom the server refuses', async () => {
    answers = [(_request, response) => response.writeHead(401).end('Session Expired\n')];
    await expect(events(options).next()).rejects.toThrow('401 Session Expired');
  });
});
