import { Rejection, subscribePodcast } from '@continuo/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CompatServer } from '../../../test/servers/compat-server.js';
import { CompatWorld } from '../../../test/servers/compat-world.js';
import { insertEpisode, seedPodcasts } from '../../../test/library/podcast-fixture.js';
import { seedTestAccounts } from '../../../test/servers/test-gateway.js';

let world: CompatWorld;
let { ask, codeOf } = {} as CompatWorld;
let switchedOff: CompatServer;
let sent: CompatServer['commands']['sent'];

const FEED = 'https://talks.example/feed?a=1';

beforeAll(async () => {
  world = await CompatWorld.start();
  ({ ask, codeOf } = world);
  await seedPodcasts(world.model.write);
  await seedTestAccounts(world.model.write);
  await world.model.write.updateTable('library.catalog').set({ gather_types: 'podcast' }).where('id', '=', 2).execute();
  switchedOff = await world.another({ PODCAST: 'false' });
});
beforeEach(() => {
  sent = world.server.commands.sent;
});
afterAll(async () => {
  await switchedOff.app.close();
  await world.stop();
});

interface Episode {
  readonly id: string;
  readonly status: string;
  readonly duration?: number;
  readonly streamId?: string;
}
interface Channel {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly episode?: readonly Episode[];
}
const channels = async (params = {}): Promise<Channel[]> => (await ask('getPodcasts', params)).podcasts.channel;
/** Data of the commands since. */
const told = (since: number): unknown[] => sent.slice(since).map(({ message }) => message.data);

describe('podcasts', () => {
  it('are listed by name, with their episodes, the latest first', async () => {
    expect((await channels()).map(({ id, episode }) => [id, episode?.map((one) => one.id)])).toEqual([
      ['po-1', ['pe-2', 'pe-1']],
      ['po-2', ['pe-3']],
    ]);
  });

  it('are listed one by one, and without their episodes', async () => {
    expect((await channels({ id: 'po-1' })).map(({ id }) => id)).toEqual(['po-1']);
    expect((await channels({ includeEpisodes: 'false' })).map((channel) => 'episode' in channel)).toEqual([false, false]);
  });

  it('are named with a picture and an address for everybody, guests included', async () => {
    const [talks] = (await ask('getPodcasts', {}, 'gus')).podcasts.channel;
    expect(talks).toMatchObject({ id: 'po-1', url: 'https://feeds.example/1', coverArt: 'po-1', status: 'completed' });
  });

  it('whose feed cannot be read say why, and are shown with what is known of them', async () => {
    const set = (feed_error: string | null) =>
      world.model.write.updateTable('library.podcast').set({ feed_error }).where('id', '=', 1).execute();
    await set('the server of the feed answered 410');
    try {
      const [talks, other] = await channels();
      expect(talks).toMatchObject({ status: 'error', errorMessage: 'the server of the feed answered 410' });
      expect(talks?.episode).toHaveLength(2);
      expect(other?.status).toBe('completed');
    } finally {
      await set(null);
    }
    expect((await channels()).map((channel) => [channel.status, 'errorMessage' in channel])).toEqual([
      ['completed', false],
      ['completed', false],
    ]);
  });

  it('says a length of every episode, be it unknown', async () => {
    const episodes = (await channels()).flatMap(({ episode = [] }) => episode);
    expect(episodes.map(({ id, duration }) => [id, duration])).toEqual([
      ['pe-2', 3726],
      ['pe-1', 745],
      ['pe-3', 0],
    ]);
  });

  it.each([
    ['pending', 'new'],
    ['downloading', 'downloading'],
    ['completed', 'completed'],
    ['error', 'error'],
    ['deleted', 'deleted'],
    ['skipped', 'skipped'],
  ] as const)('tells of a file that is %s', async (state, status) => {
    await world.model.write.updateTable('library.podcast_episode').set({ state }).where('id', '=', 3).execute();
    const { podcastEpisode } = await ask('getPodcastEpisode', { id: 'pe-3' });
    expect([podcastEpisode.status, podcastEpisode.streamId]).toEqual([status, 'pe-3']);
  });

  it('has the newest episodes of all podcasts', async () => {
    const newest = async (params = {}): Promise<string[]> =>
      (await ask('getNewestPodcasts', params)).newestPodcasts.episode.map(({ id }: Episode) => id);
    expect([await newest(), await newest({ count: 1 }), await newest({ count: 0 })]).toEqual([['pe-2', 'pe-1', 'pe-3'], ['pe-2'], []]);
  });

  it('are read by their episodes, however many these are', async () => {
    for (let id = 100; id < 1200; id += 1)
      await insertEpisode(world.model.write, { id, podcast_id: 2, catalog_id: 2, title: `Part ${id}`, published_at_ms: id });
    const [many] = await channels({ id: 'po-2' });
    expect(many?.episode?.length).toBe(1101);
    expect(many?.episode?.at(-1)?.id).toBe('pe-100');
    await world.model.write.deleteFrom('library.podcast_episode').where('id', '>=', 100).execute();
  });
});

describe('who looks after catalogs', () => {
  it('subscribes to feeds in the first catalog of podcasts', async () => {
    const since = sent.length;
    expect((await ask('createPodcastChannel', { url: FEED }, 'mia')).status).toBe('ok');
    expect(told(since)).toEqual([{ catalogId: 2, feedUrl: FEED }]);
  });

  it('is told why a feed cannot be read, and not what it sent', async () => {
    world.server.commands.handle(subscribePodcast, async () => {
      throw new Rejection('podcast.feed-unusable', 'the server of the feed answered 404');
    });
    expect((await ask('createPodcastChannel', { url: FEED }, 'mia')).error).toMatchObject({
      code: 0,
      message: 'the server of the feed answered 404',
    });
    const { error } = await ask('createPodcastChannel', { url: 'https://ada:secret@talks.example' }, 'mia');
    expect([error.code, error.message.includes('secret')]).toEqual([10, false]);
  });

  it('removes podcasts and files of episodes, fetches files and has feeds read', async () => {
    const since = sent.length;
    for (const [operation, id] of [
      ['deletePodcastChannel', '1'],
      ['deletePodcastEpisode', 'pe-2'],
      ['downloadPodcastEpisode', 'pe-3'],
      ['refreshPodcasts', ''],
    ] as const)
      expect((await ask(operation, { id }, 'mia')).status).toBe('ok');
    expect(told(since)).toEqual([
      { podcastId: 1 },
      { podcastId: 1, episodeIds: [2], cause: 'asked' },
      { podcastId: 2, episodeIds: [3], cause: 'asked' },
      { catalogIds: null },
    ]);
  });

  it('has the role, as long as podcasts are switched on', async () => {
    const roleOf = async (username: string, server = world.server): Promise<unknown> =>
      JSON.parse((await server.call('getUser', { username, f: 'json' })).body)['subsonic-response'].user.podcastRole;
    expect([await roleOf('admin'), await roleOf('listener')]).toEqual([true, false]);
    expect(await roleOf('admin', switchedOff)).toBe(false);
  });

  it('is refused where podcasts are switched off, and nobody finds any', async () => {
    const off = async (operation: string, params = {}): Promise<Record<string, never>> =>
      JSON.parse((await switchedOff.call(operation, { f: 'json', ...params })).body)['subsonic-response'];
    for (const operation of ['createPodcastChannel', 'refreshPodcasts', 'deletePodcastChannel'])
      expect((await off(operation, { url: FEED, id: 'po-1' }))['error']).toMatchObject({ code: 50 });
    expect([(await off('getPodcasts'))['podcasts'], (await off('getNewestPodcasts'))['newestPodcasts']]).toEqual([
      { channel: [] },
      { episode: [] },
    ]);
    expect((await off('getPodcastEpisode', { id: 'pe-1' }))['error']).toMatchObject({ code: 70 });
  });
});

describe('episodes', () => {
  it('are played as songs are', async () => {
    const since = sent.length;
    await ask('scrobble', { id: ['so-1', 'pe-1'], time: ['1714550000000', '1714550001000'] });
    expect(told(since)).toMatchObject([
      { plays: [{ songId: 1 }] },
      { objectType: 'podcast_episode', objectId: 1, startedAtMs: 1_714_550_001_000, isNow: false, play: {} },
    ]);
    expect(await codeOf('scrobble', { id: 'po-1' })).toBe(70);
  });

  it('are shown as playing', async () => {
    await ask('reportPlayback', { mediaId: 'pe-2', mediaType: 'podcast', positionMs: 5000, state: 'playing' });
    expect((await ask('getNowPlaying')).nowPlaying.entry).toMatchObject([{ id: 'pe-2', type: 'podcast', positionMs: 5000 }]);
    expect(await codeOf('reportPlayback', { mediaId: 'pe-2', mediaType: 'song', positionMs: 0, state: 'playing' })).toBe(70);
    await ask('reportPlayback', { mediaId: 'pe-2', mediaType: 'podcast', positionMs: 6000, state: 'stopped' });
  });

  it('hold bookmarks, and stand in play queues', async () => {
    const since = sent.length;
    await ask('createBookmark', { id: 'pe-1', position: 60_000 });
    await ask('savePlayQueue', { id: ['so-1', 'pe-1'], current: 'pe-1' });
    expect(told(since)).toMatchObject([
      { objectType: 'podcast_episode', objectId: 1, positionMs: 60_000 },
      { runs: [{ objectType: 'song' }, { objectType: 'podcast_episode', ids: [1] }], currentIndex: 1 },
    ]);
    expect(await codeOf('createBookmark', { id: 'pe-99', position: 1 })).toBe(70);
  });

  it('are rated and favourites, as podcasts are', async () => {
    for (const id of ['pe-1', 'po-1']) {
      expect((await ask('setRating', { id, rating: 4 })).status).toBe('ok');
      expect((await ask('star', { id })).status).toBe('ok');
    }
    expect(await codeOf('star', { id: 'po-99' })).toBe(70);
  });
});
