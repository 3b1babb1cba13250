import { execFile } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { PublicEvent } from '@continuo/contracts';
import { scanFolder } from '@continuo/standalone';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { generateFiles } from '@continuo/media-fixtures';
import { administrator, Journey } from './journey.js';

const program = fileURLToPath(new URL('../../standalone/bundle/continuo.js', import.meta.url));
/** Within this time everybody knows, ms. */
const SOON = { timeout: 10_000, interval: 20 };
const AT_ONCE = { timeout: 20_000, interval: 10 };
/** Of this machine, but not where the server listens, so that it can be allowed alone. */
const RECEIVER = '127.0.0.2';
const PASSWORD = 'a listener like any other';

let journey: Journey;
let receiver: Server;
const received: { headers: IncomingHttpHeaders; body: string; event: PublicEvent }[] = [];
const open: AbortController[] = [];

/** Runs the command line program as a person would. */
const cli = async (...args: string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, [program, '--data', join(journey.folder, 'data'), ...args]);
  return stdout.trim();
};
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const logIn = async (user: string, password: string): Promise<string> => {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const auth = sha256(timestamp + sha256(password));
  const answer = await journey.json<{ auth: string }>('/server/json.server.php', {
    action: 'handshake',
    user,
    timestamp,
    auth,
    version: '6.0.0',
  });
  return answer.auth;
};

interface Listening {
  readonly status: number;
  text: string;
  isOver: boolean;
}

/** Listens as a program would: what came is kept as text. */
const listen = async (query: Record<string, string>, headers: Record<string, string> = {}): Promise<Listening> => {
  const stop = new AbortController();
  open.push(stop);
  const response = await journey.request('/events', query, { headers, signal: stop.signal });
  const listening: Listening = { status: response.status, text: '', isOver: false };
  void (async () => {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body ?? []) listening.text += decoder.decode(chunk, { stream: true });
    } catch {
      // Closed at the end of the spec.
    }
    listening.isOver = true;
  })();
  await vi.waitFor(() => expect(listening.text + (listening.isOver ? 'over' : '')).not.toBe(''), SOON);
  return listening;
};
const eventsIn = ({ text }: Listening): PublicEvent[] =>
  [...text.matchAll(/^data: (\{"id".*)$/gm)].map(([, json]) => JSON.parse(json ?? '') as PublicEvent);
const call = (action: string, query: Record<string, string>, headers: Record<string, string>) =>
  journey.json<Record<string, unknown>>('/server/json.server.php', { action, version: '8.0.0', ...query }, { headers });
const asAdministrator = { authorization: `Bearer ${administrator.apiKey}` };

beforeAll(async () => {
  journey = await Journey.prepare();
  const folders = ['music', 'apart'].map((name) => join(journey.folder, name));
  for (const [seed, out] of folders.entries()) await generateFiles({ out, count: 4, formats: ['mp3'], seed: seed + 1, flat: true });
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      received.push({ headers: request.headers, body, event: JSON.parse(body) as PublicEvent });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, RECEIVER, resolve));
  await journey.start({ OUTBOUND_ALLOWED_NETWORKS: RECEIVER });
  for (const folder of folders) for await (const { done } of scanFolder(journey.server, folder)) if (done) break;
  await cli('user', 'add', 'ada', '--password', PASSWORD);
  await cli('catalog', 'group', 'add', 'Some', '1');
  await cli('user', 'group', 'ada', 'Some');
});
afterAll(async () => {
  for (const stop of open) stop.abort();
  receiver.closeAllConnections();
  receiver.close();
  await journey.end();
});

describe('telling others', () => {
  it('says the same to a webhook and to a listener, each what they may see', async () => {
    const { port } = receiver.address() as AddressInfo;
    const added = await cli('webhook', 'add', `http://${RECEIVER}:${port}/hook`, '--events', 'rating.*', 'playlist.*');
    const secret = /whsec_(\S+)/.exec(added)?.[1] ?? '';
    const [all, some] = [
      await listen({ types: 'rating.*,playlist.*' }, asAdministrator),
      await listen({ types: 'rating.*,playlist.*', auth: await logIn('ada', PASSWORD) }),
    ];
    expect([all.status, some.status]).toEqual([200, 200]);
    const songs = (await call('songs', { limit: 'none' }, asAdministrator)) as { song: { id: string; catalog: string }[] };
    const inCatalog = (catalog: string): string => songs.song.find((song) => song.catalog === catalog)?.id ?? '';
    for (const catalog of ['2', '1'])
      await call('rate', { type: 'song', filter: inCatalog(catalog), id: inCatalog(catalog), rating: '4' }, asAdministrator);
    await call('playlist_create', { name: 'for me', type: 'private' }, asAdministrator);
    await call('playlist_create', { name: 'for all', type: 'public' }, asAdministrator);
    await vi.waitFor(() => expect(eventsIn(all)).toHaveLength(4), SOON);
    await vi.waitFor(() => expect(received).toHaveLength(4), SOON);
    await vi.waitFor(() => expect(eventsIn(some)).toHaveLength(2), SOON);
    expect(eventsIn(some).map(({ object, data }) => data['name'] ?? object.id)).toEqual([inCatalog('1'), 'for all']);
    const byId = (events: readonly PublicEvent[]): PublicEvent[] => events.toSorted((a, b) => a.id.localeCompare(b.id));
    expect(byId(received.map(({ event }) => event))).toEqual(byId(eventsIn(all)));
    for (const { headers, body } of received) {
      const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
      expect(headers['webhook-signature']).toBe(
        `v1,${createHmac('sha256', Buffer.from(secret, 'base64')).update(signed).digest('base64')}`,
      );
    }
  });

  it('tells administrators of long work, which the audit trail names with whoever started it', async () => {
    const manage = <T>(path: string, body?: object, query: Record<string, string> = {}): Promise<T> => {
      const json = body ? { method: 'POST', body: JSON.stringify(body) } : {};
      const headers = { ...asAdministrator, ...(body ? { 'content-type': 'application/json' } : {}) };
      return journey.json(`/manage/v1${path}`, query, { ...json, headers });
    };
    const started = async (path: string, body: object): Promise<string> => (await manage<{ id: string }>(path, body)).id;
    const [all, some] = [await listen({ types: 'work.*' }, asAdministrator), await listen({ auth: await logIn('ada', PASSWORD) })];
    const index = await started('/search-indexes/postgres/rebuilds', {});
    // The tables of the service that keeps the record.
    const tables = await started('/projection-rebuilds', { projection: 'social-webhooks', mode: 'replace' });
    const work = (id: string): string[] =>
      eventsIn(all).flatMap(({ type, object }) => (object.id === id ? [`${type} ${object.type}`] : []));
    await vi.waitFor(() => expect(work(index)).toEqual(['work.started search_index_rebuild', 'work.finished search_index_rebuild']), SOON);
    await vi.waitFor(() => expect(work(tables)).toEqual(['work.started projection_rebuild', 'work.finished projection_rebuild']), SOON);
    expect(await manage(`/search-indexes/postgres/rebuilds/${index}`)).toMatchObject({ state: 'done', index: 'postgres' });
    expect(some.text).not.toContain('work.');
    const query = { objectType: 'operation', objectId: `search-index-rebuild.${index}` };
    const actor = { type: 'account', name: administrator.name };
    expect((await manage<{ items: unknown[] }>('/audit', undefined, query)).items).toMatchObject([
      { action: 'OperatorWorkFinished', actor },
      { action: 'OperatorWorkStarted', actor },
    ]);
  });

  it('tells what was missed, after a restart of the server too', async () => {
    const before = await listen({ types: 'playlist.made' }, asAdministrator);
    const id = /^id: (.*)$/m.exec(before.text)?.[1] ?? '';
    await call('playlist_create', { name: 'missed', type: 'private' }, asAdministrator);
    await vi.waitFor(() => expect(before.text).toContain('missed'), SOON);
    await journey.stop();
    await vi.waitFor(() => expect(before.isOver).toBe(true), SOON);
    expect(before.text).toContain('"reason":"this server stops; come again"');
    await journey.start({ OUTBOUND_ALLOWED_NETWORKS: RECEIVER });
    const after = await listen({ types: 'playlist.made', last_event_id: id }, asAdministrator);
    await vi.waitFor(() => expect(eventsIn(after).map(({ data }) => data['name'])).toEqual(['missed']), SOON);
    const count = received.length;
    await call('playlist_create', { name: 'heard again', type: 'private' }, asAdministrator);
    await vi.waitFor(() => expect(received.slice(count).some(({ body }) => body.includes('heard again'))).toBe(true), SOON);
  });

  it('ends at once with the session and the account', async () => {
    const token = await logIn('ada', PASSWORD);
    const [left, disabled] = [await listen({ auth: token }), await listen({ u: 'ada', p: PASSWORD, c: 'e2e', v: '1.16.1' })];
    expect([left.status, disabled.status]).toEqual([200, 200]);
    await call('goodbye', { auth: token }, {});
    await vi.waitFor(() => expect(left.isOver).toBe(true), AT_ONCE);
    expect(disabled.isOver).toBe(false);
    await cli('user', 'disable', 'ada');
    await vi.waitFor(() => expect(disabled.isOver).toBe(true), AT_ONCE);
    expect(disabled.text).toContain('event: end');
    expect((await listen({ auth: token })).status).toBe(401);
  });
});
