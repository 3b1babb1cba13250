import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { addCatalog, subscribePodcast, syncPodcast, type CatalogId, type PodcastId } from '@continuo/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Journey } from './journey.js';

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
