import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { addCatalog, subscribePodcast, syncPodcast, type CatalogId, type PodcastId } from '@continuo/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administrator, Journey } from './journey.js';

/** One point of colour. */
const PICTURE = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
/** Stands for the internet. */
const OUTSIDE = '127.0.0.2';
let journey: Journey;
let server: Server;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let catalogId: CatalogId;
const context = () => ({ actor: 'system', correlationId: randomUUID(), causationId: randomUUID() });
const url = (path = '/feed'): string => `http://${OUTSIDE}:${(server.address() as AddressInfo).port}${path}`;
const item = (name: string): string =>
  `<item><title>${name}</title><guid>${name}</guid><enclosure url="${name}.mp3" type="audio/mpeg"/></item>`;
const feed = (...names: string[]): string => `<rss><channel><title>Garden & Talk</title>${names.map(item).join('')}</channel></rss>`;

beforeAll(async () => {
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, OUTSIDE, resolve));
  journey = await Journey.prepare();
  await journey.start({ OUTBOUND_ALLOWED_NETWORKS: OUTSIDE });
  const path = join(journey.folder, 'talks');
  await mkdir(path);
  const added = await journey.server.commands.send(addCatalog, { name: 'talks', path, gatherTypes: 'podcast' }, context());
  catalogId = added.result.catalogId;
  await shown(async () => (await journey.server.db.selectFrom('library.catalog').select('id').execute()).length === 1);
}, 120_000);
afterAll(async () => {
  await journey.end();
  server.closeAllConnections();
  server.close();
});

const shown = async (condition: () => Promise<boolean>): Promise<void> => {
  for (let tries = 0; tries < 200 && !(await condition()); tries += 1) await new Promise((resolve) => setTimeout(resolve, 50));
};
const subscribe = async (feedUrl: string): Promise<PodcastId> =>
  (await journey.server.commands.send(subscribePodcast, { catalogId, feedUrl }, context(), { timeoutMs: 20_000 })).result.podcastId;
const titles = async (id: PodcastId): Promise<string[]> => {
  const rows = await journey.server.db
    .selectFrom('library.podcast_episode')
    .select('title')
    .where('podcast_id', '=', id)
    .orderBy('id')
    .execute();
  return rows.map(({ title }) => title);
};

describe('a podcast', () => {
  it('is subscribed to, and visited again for what is new', async () => {
    answer = (_, response) => response.writeHead(200, { etag: '"1"' }).end(feed('two', 'one'));
    const id = await subscribe(url());
    await shown(async () => (await titles(id)).length === 2);
    expect(await titles(id)).toEqual(['one', 'two']);
    answer = ({ headers }, response) =>
      headers['if-none-match'] === '"1"'
        ? response.writeHead(200, { etag: '"2"' }).end(feed('three', 'two', 'one'))
        : response.writeHead(500).end();
    await shown(async () => (await journey.server.db.selectFrom('library.podcast').select('etag').executeTakeFirst())?.etag === '"1"');
    const again = await journey.server.commands.send(syncPodcast, { podcastId: id }, context(), { timeoutMs: 20_000 });
    expect(again.result).toEqual({ added: 1, changed: 0 });
    await shown(async () => (await titles(id)).length === 3);
    expect(await titles(id)).toEqual(['one', 'two', 'three']);
  });

  it('is not made of what is no feed, is known, or lies in the house', async () => {
    answer = (_, response) => response.end(feed('one'));
    await expect(subscribe(url())).rejects.toMatchObject({ code: 'podcast.feed-taken' });
    await expect(subscribe(journey.server.url)).rejects.toMatchObject({ code: 'podcast.feed-unusable' });
    answer = (_, response) => response.end('<html></html>');
    await expect(subscribe(url('/page'))).rejects.toMatchObject({ code: 'podcast.feed-unusable' });
    expect(await journey.server.db.selectFrom('library.podcast').select('id').execute()).toHaveLength(1);
  });
});

describe('a podcast, to clients', () => {
  const NATIVE = '/server/json.server.php';
  const native = <T>(action: string, query: Record<string, string> = {}): Promise<T> =>
    journey.json<T>(NATIVE, { action, version: '6.9.1', auth: administrator.apiKey, ...query });
  interface CompatChannel {
    readonly id: string;
    readonly title: string;
    readonly status: string;
    readonly errorMessage?: string;
    readonly coverArt?: string;
    readonly episode?: readonly { readonly id: string; readonly title: string; readonly streamId?: string; readonly status: string }[];
  }
  const ofCompat = (query: Record<string, string>): Record<string, string> => ({
    apiKey: administrator.apiKey,
    v: '1.16.1',
    c: 'e2e',
    f: 'json',
    ...query,
  });
  const compat = async <T>(operation: string, query: Record<string, string> = {}): Promise<T> =>
    (await journey.json<{ 'subsonic-response': T }>(`/rest/${operation}`, ofCompat(query)))['subsonic-response'];
  const channels = async (query: Record<string, string> = {}): Promise<readonly CompatChannel[]> =>
    (await compat<{ podcasts: { channel?: CompatChannel[] } }>('getPodcasts', query)).podcasts.channel ?? [];
  const withPicture = (...names: string[]): string =>
    feed(...names)
      .replace('Garden & Talk', 'Pond Talk')
      .replace('</title>', `</title><image><url>${url('/pond.png')}</url></image>`);
  const isPicture = async (response: Response): Promise<boolean> =>
    response.status === 200 && (response.headers.get('content-type') ?? '').startsWith('image/');

  let names: string[];
  beforeAll(() => {
    names = ['one'];
    answer = ({ url: path }, response) => {
      if (path === '/pond.png') return void response.writeHead(200, { 'content-type': 'image/png' }).end(PICTURE);
      if (path === '/pond') return void response.writeHead(200).end(withPicture(...names));
      response.writeHead(404).end();
    };
  });

  it('is made, shown with its picture, and visited again over the native API', async () => {
    const made = await native<{ id: string; name: string }>('podcast_create', { url: url('/pond'), catalog: String(catalogId) });
    expect(made.name).toBe('Pond Talk');
    await expect
      .poll(async () => await native<object>('podcast_episodes', { filter: made.id }), { timeout: 20_000 })
      .toMatchObject({ total_count: 1, podcast_episode: [{ title: 'one' }] });
    const art = () => journey.request(NATIVE, { action: 'get_art', type: 'podcast', id: made.id, auth: administrator.apiKey });
    await expect.poll(async () => isPicture(await art()), { timeout: 20_000 }).toBe(true);
    names = ['two', 'one'];
    expect(await native('update_podcast', { filter: made.id })).toHaveProperty('success');
    await expect
      .poll(async () => await native<object>('podcast_episodes', { filter: made.id }), { timeout: 20_000 })
      .toMatchObject({ total_count: 2 });
  });

  it('is shown, played, refreshed and given up over the compatibility API', async () => {
    const pond = (await channels()).find(({ title }) => title === 'Pond Talk');
    if (!pond?.episode) throw new Error('there is no channel with episodes');
    expect(pond.episode.map(({ title }) => title).toSorted()).toEqual(['one', 'two']);
    expect(await isPicture(await journey.request('/rest/getCoverArt', ofCompat({ id: pond.coverArt ?? '' })))).toBe(true);
    const [{ streamId = '' } = {}] = pond.episode;
    const played = await journey.request('/rest/stream', ofCompat({ id: streamId }), { redirect: 'manual' });
    expect([played.status, new URL(played.headers.get('location') ?? '').host]).toEqual([302, new URL(url()).host]);
    names = ['three', 'two', 'one'];
    expect(await compat('refreshPodcasts')).toMatchObject({ status: 'ok' });
    await expect.poll(async () => (await channels({ id: pond.id }))[0]?.episode?.length, { timeout: 20_000 }).toBe(3);
    const newest = await compat<{ newestPodcasts: { episode: { title: string }[] } }>('getNewestPodcasts', { count: '50' });
    expect(newest.newestPodcasts.episode.map(({ title }) => title)).toContain('three');
    // Its feed goes away, and comes back.
    const states = async () => (await channels({ id: pond.id })).map(({ status, errorMessage }) => [status, errorMessage]);
    const working = answer;
    answer = (_, response) => response.writeHead(410).end();
    expect(await compat('refreshPodcasts')).toMatchObject({ status: 'ok' });
    await expect.poll(states, { timeout: 20_000 }).toEqual([['error', 'the server of the feed answered 410']]);
    answer = working;
    expect(await compat('refreshPodcasts')).toMatchObject({ status: 'ok' });
    await expect.poll(states, { timeout: 20_000 }).toEqual([['completed', undefined]]);
    expect(await compat('deletePodcastChannel', { id: pond.id })).toMatchObject({ status: 'ok' });
    await expect.poll(async () => (await channels()).map(({ title }) => title), { timeout: 20_000 }).toEqual(['Garden & Talk']);
  });
});
