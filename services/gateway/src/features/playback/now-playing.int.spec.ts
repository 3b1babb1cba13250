import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PlayingSession } from './index.js';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { fixtureSongs } from '../../../test/library/fixture-songs.js';
import { seedFixtureVideos } from '../../../test/library/fixture-videos.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { seedTestAccounts } from '../../../test/servers/test-gateway.js';
import { nowPlaying, type NowPlayingQuery } from './now-playing.reads.js';
import type { Viewer } from '../../reads/visibility/viewer.js';

const NOW_MS = 1_700_000_000_000;
const all: Viewer = { userId: 1, catalogs: 'all' };
let model: TestReadModel;

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
  await seedFixtureVideos(model.write);
  await seedTestAccounts(model.write);
});
afterAll(() => model.close());
beforeEach(async () => {
  await model.write.deleteFrom('playback.now_playing').execute();
});

const row = async (client: string, objectId: number, startedAgoS: number, more: { type?: string; userId?: number } = {}): Promise<void> => {
  const startedAtMs = NOW_MS - startedAgoS * 1000;
  const values = { user_id: more.userId ?? 1, client, object_type: more.type ?? 'song', object_id: objectId };
  await model.write
    .insertInto('playback.now_playing')
    .values({ ...values, started_at_ms: startedAtMs, expires_at_ms: startedAtMs + 200_000 })
    .execute();
};
const session = (client: string, objectId: number, saidAgoS: number, more: Partial<PlayingSession> = {}): PlayingSession => ({
  userId: 1,
  client,
  objectType: 'song',
  objectId,
  durationMs: 200_000,
  state: 'playing',
  positionMs: 0,
  atMs: NOW_MS - saidAgoS * 1000,
  rate: 1,
  startedAtMs: NOW_MS - saidAgoS * 1000,
  heardMs: 0,
  isUncounted: false,
  isReported: true,
  ...more,
});
const shown = async (query: Partial<NowPlayingQuery> = {}, viewer = all): Promise<string[]> =>
  (await nowPlaying(model.read, viewer, { nowMs: NOW_MS, ...query })).map(
    (one) => `${one.username} ${one.client}: ${one.objectType} ${one.objectId} ${one.state} at ${one.positionMs / 1000} s`,
  );

describe('what is playing', () => {
  it('is what the log says of those that say nothing themselves', async () => {
    await row('web', 1, 60);
    await row('old', 2, 300);
    expect(await shown()).toEqual(['admin web: song 1 playing at 60 s']);
  });

  it('is what clients say, also of what should be over, and not what they have stopped', async () => {
    await row('web', 1, 60);
    await row('phone', 2, 50);
    const sessions = [
      session('web', 1, 10, { state: 'paused', positionMs: 42_000, startedAtMs: NOW_MS - 60_000 }),
      session('phone', 2, 5, { state: 'stopped' }),
      session('car', 3, 900),
      session('gone', 3, 9000),
    ];
    expect(await shown({ sessions })).toEqual(['admin web: song 1 paused at 42 s', 'admin car: song 3 playing at 200 s']);
  });

  it('is what the log knows to be newer than what was said', async () => {
    await row('web', 2, 20);
    expect(await shown({ sessions: [session('web', 1, 100)] })).toEqual(['admin web: song 2 playing at 20 s']);
    expect(await shown({ sessions: [session('web', 1, 22)] })).toEqual(['admin web: song 1 playing at 22 s']);
  });

  it('ends by itself when it goes on like this', async () => {
    const [view] = await nowPlaying(model.read, all, { nowMs: NOW_MS, sessions: [session('web', 1, 50, { rate: 2 })] });
    expect(view?.expiresAtMs).toBe(NOW_MS + 50_000);
    const paused = session('web', 1, 50, { state: 'paused', positionMs: 150_000 });
    const [still] = await nowPlaying(model.read, all, { nowMs: NOW_MS, sessions: [paused] });
    expect(still?.expiresAtMs).toBe(NOW_MS + 50_000);
  });

  it('has videos where there are any, and nothing that the viewer may not see', async () => {
    await row('web', 1, 60);
    await row('screen', 2, 50, { type: 'video' });
    const sessions = [session('car', 4, 10), session('tablet', 1, 5, { objectType: 'video' }), session('nowhere', 999, 5)];
    expect(await shown({ sessions, videos: true })).toEqual([
      'admin tablet: video 1 playing at 5 s',
      'admin car: song 4 playing at 10 s',
      'admin screen: video 2 playing at 50 s',
      'admin web: song 1 playing at 60 s',
    ]);
    expect(await shown({ sessions })).toEqual(['admin car: song 4 playing at 10 s', 'admin web: song 1 playing at 60 s']);
    expect(await shown({ sessions, videos: true }, { userId: 1, catalogs: [] })).toEqual([]);
  });

  it('is nothing of accounts and songs that are gone', async () => {
    await row('web', 999, 10);
    await row('web', 1, 10, { userId: 77 });
    expect(await shown({ sessions: [session('web', 1, 10, { userId: 77 }), session('car', 999, 10)] })).toEqual([]);
  });
});
