import {
  addCatalog,
  beginEpisodeDownload,
  catalogId,
  createPodcast,
  deletePodcast,
  deletePodcastEpisode,
  editPodcast,
  failEpisodeDownload,
  recordEpisodeFile,
  recordEpisodes,
  recordPodcastFault,
  recordPodcastVisit,
  removeCatalog,
  removeEpisodeFiles,
  requestEpisodeDownloads,
  type CatalogId,
  type EpisodeAbout,
  type EpisodeFile,
  type PodcastAbout,
  type PodcastEpisodeId,
  type PodcastId,
} from '@continuo/contracts';
import { sql } from 'kysely';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunningLibrary } from '../../test/running-library.js';

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

const fileOf = (id: PodcastId, name = 'a'): EpisodeFile => ({
  path: `podcast-${id}/${name}.mp3`,
  sizeBytes: 4000,
  durationMs: 61_500,
  format: 'mp3',
  codec: 'MPEG 1 Layer 3',
  mime: 'audio/mpeg',
  bitrateBps: 128_000,
  bitrateMode: 'cbr',
  lossless: false,
  sampleRateHz: 44_100,
  channels: 2,
  bitDepth: 0,
});

describe('a feed that cannot be read', () => {
  const fault = async (id: PodcastId): Promise<unknown> => (await podcast(id))?.['feed_error'];
  const fail = (podcastId: PodcastId, reason: string) => send(recordPodcastFault, { podcastId, reason });

  it('says why until it can be read, and loses nothing', async () => {
    const id = await subscribe();
    await send(recordEpisodes, { podcastId: id, episodes: [episode('one')] });
    expect(await fault(id)).toBeNull();
    expect((await fail(id, 'the server of the feed answered 410')).positions).toHaveLength(1);
    expect(await fault(id)).toBe('the server of the feed answered 410');
    // The same again is no news.
    const end = await library.logEnd();
    await fail(id, 'the server of the feed answered 410');
    expect(await library.logEnd()).toBe(end);
    await fail(id, 'no such host');
    expect([await fault(id), (await episodes(id)).length]).toEqual(['no such host', 1]);
    await send(recordPodcastVisit, { podcastId: id, about: null, memory: null });
    expect(await fault(id)).toBeNull();
    await fail(id, 'no such host');
    expect(await verifyRebuild('library-podcasts')).toEqual([]);
  });

  it('is forgotten with its address', async () => {
    const id = await subscribe();
    await fail(id, 'no such host');
    await send(editPodcast, { podcastId: id, about: { title: 'Another name' } });
    expect(await fault(id)).toBe('no such host');
    await send(editPodcast, { podcastId: id, feedUrl: feed(), about: {} });
    expect(await fault(id)).toBeNull();
    await expect(fail(987_654 as PodcastId, 'x')).rejects.toMatchObject({ code: 'podcast.not-found' });
  });
});

describe('files of episodes', () => {
  it('are wanted, fetched, kept, and go again', async () => {
    const id = await subscribe();
    await send(recordEpisodes, { podcastId: id, episodes: [episode('one'), episode('two')] });
    const [one, two] = [await idOf(id, 'one'), await idOf(id, 'two')];
    const shown = async () => (await episodes(id)).map(({ state, download_run, is_asked }) => [state, download_run, is_asked]);
    expect((await send(requestEpisodeDownloads, { podcastId: id, episodeIds: [one, two] })).result).toEqual({ requested: 2 });
    expect((await send(requestEpisodeDownloads, { podcastId: id, episodeIds: [one], cause: 'newest' })).result).toEqual({ requested: 0 });
    expect(await shown()).toEqual(Array.from({ length: 2 }, () => ['pending', 1, true]));
    expect((await send(beginEpisodeDownload, { podcastId: id, episodeId: one, run: 1 })).result).toEqual({ isWanted: true, isKept: false });
    const other = await send(beginEpisodeDownload, { podcastId: id, episodeId: one, run: 2 });
    expect(other.result).toEqual({ isWanted: false, isKept: false });
    await send(failEpisodeDownload, { podcastId: id, episodeId: two, run: 1, reason: 'the server answered 404' });
    expect((await episodes(id)).map(({ state, download_error }) => [state, download_error])).toEqual([
      ['downloading', null],
      ['error', 'the server answered 404'],
    ]);
    const file = fileOf(id);
    expect((await send(recordEpisodeFile, { podcastId: id, episodeId: one, run: 1, file })).result).toEqual({ isWanted: true });
    const again = await send(beginEpisodeDownload, { podcastId: id, episodeId: one, run: 1 });
    expect(again.result).toEqual({ isWanted: false, isKept: true });
    const kept = { state: 'completed', path: file.path, format: 'mp3', duration_ms: 61_500, size_bytes: 4000, feed_size_bytes: 10 };
    expect((await episodes(id))[0]).toMatchObject(kept);
    // What the feed says of a file that is here is only noted.
    await send(recordEpisodes, { podcastId: id, episodes: [episode('one', { sizeBytes: 11, title: 'One' })] });
    expect((await episodes(id))[0]).toMatchObject({ ...kept, feed_size_bytes: 11, title: 'One' });
    expect((await send(removeEpisodeFiles, { podcastId: id, episodeIds: [one, two] })).result).toEqual({ removed: 1 });
    expect((await episodes(id))[0]).toMatchObject({
      state: 'deleted',
      path: null,
      size_bytes: 11,
      duration_ms: 60_000,
      mime: 'audio/mpeg',
    });
    expect((await send(requestEpisodeDownloads, { podcastId: id, episodeIds: [one], cause: 'newest' })).result).toEqual({ requested: 1 });
    expect((await shown())[0]).toEqual(['pending', 2, false]);
  });

  it('are remembered with the episode that goes', async () => {
    const id = await subscribe();
    await send(recordEpisodes, { podcastId: id, episodes: [episode('one')] });
    const one = await idOf(id, 'one');
    await send(requestEpisodeDownloads, { podcastId: id, episodeIds: [one] });
    await send(recordEpisodeFile, { podcastId: id, episodeId: one, run: 1, file: fileOf(id) });
    await send(deletePodcastEpisode, { podcastId: id, episodeId: one });
    expect(await rows(sql<Row>`select path from library.deleted_podcast_episode where episode_id = ${one}`)).toEqual([
      { path: fileOf(id).path },
    ]);
    await expect(send(requestEpisodeDownloads, { podcastId: id, episodeIds: [one] })).rejects.toMatchObject({
      code: 'podcast-episode.not-found',
    });
    await send(deletePodcast, { podcastId: id });
    expect((await send(recordEpisodeFile, { podcastId: id, episodeId: one, run: 1, file: fileOf(id) })).result).toEqual({
      isWanted: false,
    });
  });
});

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
