import {
  addCatalog,
  catalogId,
  createPodcast,
  deletePodcast,
  deletePodcastEpisode,
  editPodcast,
  recordEpisodes,
  recordPodcastVisit,
  removeCatalog,
  type CatalogId,
  type EpisodeAbout,
  type PodcastAbout,
  type PodcastEpisodeId,
  type PodcastId,
} from '@continuo/contracts';
import { sql } from 'kysely';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunningLibrary } from '../testkit/running-library.js';

let library: RunningLibrary;
let { rows, send, verifyRebuild } = {} as RunningLibrary;
const folders: string[] = [];
let feeds = 0;

beforeAll(async () => {
  library = await RunningLibrary.start();
  ({ rows, send, verifyRebuild } = library);
});
afterAll(async () => {
  await library.stop();
  for (const folder of folders) await rm(folder, { recursive: true });
});

const about: PodcastAbout = {
  title: 'The Garden',
  description: 'Beds',
  language: 'en',
  copyright: '',
  generator: '',
  author: 'Ada',
  websiteUrl: 'https://shows.example/garden',
  imageUrl: null,
  builtAtMs: 1000,
};
const episode = (title: string, more: Partial<EpisodeAbout> = {}) => ({
  key: title,
  about: {
    title,
    description: '',
    author: '',
    category: '',
    websiteUrl: null,
    imageUrl: null,
    publishedAtMs: 5000,
    durationMs: 60_000,
    mediaUrl: `https://files.example/${title}.mp3`,
    mime: 'audio/mpeg',
    sizeBytes: 10,
    ...more,
  },
});
const catalog = async (): Promise<CatalogId> => {
  const path = await mkdtemp(join(tmpdir(), 'podcasts-'));
  folders.push(path);
  return catalogId.parse((await send(addCatalog, { name: 'talks', path, gatherTypes: 'podcast' })).result.catalogId);
};
const feed = (): string => `https://shows.example/${(feeds += 1)}.xml`;
const subscribe = async (place?: CatalogId, feedUrl = feed()): Promise<PodcastId> =>
  (await send(createPodcast, { catalogId: place ?? (await catalog()), feedUrl, about })).result.podcastId;
type Row = Record<string, unknown>;
const podcast = async (id: PodcastId): Promise<Row | undefined> =>
  (await rows(sql<Row>`select * from library.podcast where id = ${id}`))[0];
const episodes = (id: PodcastId): Promise<Row[]> =>
  rows(sql<Row>`select * from library.podcast_episode where podcast_id = ${id} order by id`);
const idOf = async (id: PodcastId, title: string): Promise<PodcastEpisodeId> =>
  (await episodes(id)).find((row) => row['title'] === title)?.['id'] as PodcastEpisodeId;
const totals = async (place: CatalogId): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await rows(sql<{ kind: string; total: number }>`select kind, total from library.podcast_counter where catalog_id = ${place}`)).map(
      (row) => [row.kind, row.total],
    ),
  );

describe('podcasts', () => {
  it('are subscribed to once per catalog', async () => {
    const [place, url] = [await catalog(), feed()];
    const id = await subscribe(place, url);
    expect(await podcast(id)).toMatchObject({
      catalog_id: place,
      feed_url: url,
      title: 'The Garden',
      title_sort: 'garden',
      episode_count: 0,
      synced_at_ms: null,
    });
    await expect(subscribe(place, url)).rejects.toMatchObject({ code: 'podcast.feed-taken' });
    const elsewhere = await subscribe(undefined, url);
    expect(elsewhere).not.toBe(id);
    await send(deletePodcast, { podcastId: id });
    await send(deletePodcast, { podcastId: id });
    expect(await podcast(id)).toBeUndefined();
    expect(await subscribe(place, url)).toBeGreaterThan(elsewhere);
  });

  it('gather episodes, change those of which the feed says something else, and forget none', async () => {
    const place = await catalog();
    const id = await subscribe(place);
    const first = await send(recordEpisodes, { podcastId: id, episodes: [episode('one'), episode('two', { publishedAtMs: null })] });
    expect(first.result).toEqual({ added: 2, changed: 0 });
    const [one, two] = await episodes(id);
    expect(one).toMatchObject({ title: 'one', state: 'skipped', published_at_ms: 5000, media_url: 'https://files.example/one.mp3' });
    expect(two?.['published_at_ms']).toBe(two?.['added_at_ms']);
    const again = {
      podcastId: id,
      episodes: [episode('two', { publishedAtMs: null }), episode('three'), episode('one', { description: 'New' })],
    };
    expect((await send(recordEpisodes, again)).result).toEqual({ added: 1, changed: 1 });
    expect((await send(recordEpisodes, again)).result).toEqual({ added: 0, changed: 0 });
    expect((await episodes(id)).map((row) => [row['id'] === one?.['id'], row['title'], row['description']])).toEqual([
      [true, 'one', 'New'],
      [false, 'two', ''],
      [false, 'three', ''],
    ]);
    expect([(await podcast(id))?.['episode_count'], await totals(place)]).toEqual([3, { podcast: 1, podcast_episode: 3 }]);
  });

  it('keep deleted episodes away', async () => {
    const place = await catalog();
    const id = await subscribe(place);
    await send(recordEpisodes, { podcastId: id, episodes: [episode('one'), episode('two')] });
    const gone = await idOf(id, 'one');
    await send(deletePodcastEpisode, { podcastId: id, episodeId: gone });
    await send(deletePodcastEpisode, { podcastId: id, episodeId: gone });
    expect((await send(recordEpisodes, { podcastId: id, episodes: [episode('one', { description: 'x' })] })).result).toEqual({
      added: 0,
      changed: 0,
    });
    expect((await episodes(id)).map((row) => row['title'])).toEqual(['two']);
    expect(await rows(sql<Row>`select * from library.deleted_podcast_episode where podcast_id = ${id}`)).toMatchObject([
      { episode_id: gone, title: 'one', path: '' },
    ]);
    expect(await totals(place)).toEqual({ podcast: 1, podcast_episode: 1, deleted_podcast_episode: 1 });
    const nobody = { podcastId: id, episodeId: 999_999 as PodcastEpisodeId };
    await expect(send(deletePodcastEpisode, nobody)).rejects.toMatchObject({ code: 'podcast-episode.not-found' });
  });

  it('stay as somebody edited them, whatever the feed says', async () => {
    const id = await subscribe();
    await send(editPodcast, { podcastId: id, about: { title: 'Mine' } });
    const memory = { etag: '"1"', lastModified: null };
    await send(recordPodcastVisit, { podcastId: id, about: { ...about, title: 'The Park', description: 'Trees' }, memory });
    const row = await podcast(id);
    expect(row).toMatchObject({ title: 'Mine', title_sort: 'mine', description: 'Trees', etag: '"1"', last_modified: null });
    expect(row?.['synced_at_ms']).toBeGreaterThan(0);
    await send(recordPodcastVisit, { podcastId: id, about: null, memory: null });
    expect(await podcast(id)).toMatchObject({ title: 'Mine', etag: '"1"', updated_at_ms: row?.['updated_at_ms'] });
  });

  it('move to another feed, which they then hold', async () => {
    const [place, former, next] = [await catalog(), feed(), feed()];
    const id = await subscribe(place, former);
    await send(recordPodcastVisit, { podcastId: id, about, memory: { etag: '"1"', lastModified: 'x' } });
    await send(editPodcast, { podcastId: id, feedUrl: next, about: {} });
    expect(await podcast(id)).toMatchObject({ feed_url: next, etag: null, last_modified: null });
    await expect(subscribe(place, next)).rejects.toMatchObject({ code: 'podcast.feed-taken' });
    const other = await subscribe(place, former);
    await expect(send(editPodcast, { podcastId: other, feedUrl: next, about: {} })).rejects.toMatchObject({ code: 'podcast.feed-taken' });
  });

  it('go with their catalog, and their episodes are remembered', async () => {
    const place = await catalog();
    const id = await subscribe(place);
    await send(recordEpisodes, { podcastId: id, episodes: [episode('one'), episode('two')] });
    await send(removeCatalog, { catalogId: place });
    expect([await podcast(id), await episodes(id)]).toEqual([undefined, []]);
    expect(await totals(place)).toEqual({ deleted_podcast_episode: 2 });
    await send(recordEpisodes, { podcastId: id, episodes: [episode('late')] });
    expect(await episodes(id)).toEqual([]);
  });

  it('are not made of nothing', async () => {
    const nobody = 999_999 as PodcastId;
    for (const attempt of [
      () => send(editPodcast, { podcastId: nobody, about: { title: 'x' } }),
      () => send(recordEpisodes, { podcastId: nobody, episodes: [episode('x')] }),
      () => send(recordPodcastVisit, { podcastId: nobody, about: null, memory: null }),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'podcast.not-found' });
    await expect(subscribe(undefined, 'file:///etc/passwd')).rejects.toMatchObject({ code: 'input.invalid' });
  });

  it('come out of a rebuild as they were, and keep their numbers when Postgres is lost', async () => {
    expect(await verifyRebuild('library-podcasts')).toEqual([]);
    const [before] = await rows(
      sql<{ max: number }>`select max(max_id)::int as max from library.podcast_counter where kind = 'podcast_episode'`,
    );
    await library.losePostgres();
    const id = await subscribe();
    await send(recordEpisodes, { podcastId: id, episodes: [episode('fresh')] });
    expect(await idOf(id, 'fresh')).toBeGreaterThan(before?.max ?? 0);
  });
});
