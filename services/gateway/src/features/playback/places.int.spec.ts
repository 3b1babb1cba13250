import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtInPreferences, placeBookmark, savePlayQueue, type CommandMessage } from '@continuo/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { compatServer, type CallParams, type CompatServer } from '../../../test/servers/compat-server.js';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { fixtureSongs } from '../../../test/library/fixture-songs.js';
import { seedFixtureVideos } from '../../../test/library/fixture-videos.js';
import { insertBookmark, insertPlayQueue } from '../../../test/library/places-fixture.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { seedTestAccounts } from '../../../test/servers/test-gateway.js';

let model: TestReadModel;
let server: CompatServer;
let soundOnly: CompatServer;
let artFolder: string;
let sent: unknown[];

const noted = (on: CompatServer): void => {
  const note = (message: CommandMessage): void => void sent.push(message.data);
  on.commands
    .handle(savePlayQueue, async (message) => {
      note(message);
      return { result: {}, positions: [] };
    })
    .handle(placeBookmark, async (message) => {
      note(message);
      return { result: { bookmarkId: 1 }, positions: [] };
    });
};

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
  await seedFixtureVideos(model.write);
  await seedTestAccounts(model.write);
  const latestOnly = builtInPreferences.find(({ name }) => name === 'bookmark_latest')?.id ?? 0;
  await model.write.insertInto('social.user_preference').values({ user_id: 2, preference_id: latestOnly, value: '1' }).execute();
  artFolder = await mkdtemp(join(tmpdir(), 'continuo-art-'));
  server = await compatServer(model.read, artFolder);
  soundOnly = await compatServer(model.read, artFolder, { ALLOW_VIDEO: 'false' });
  for (const one of [server, soundOnly]) noted(one);
});
afterAll(async () => {
  await Promise.all([server, soundOnly].map(({ app }) => app.close()));
  await model.close();
  await rm(artFolder, { recursive: true });
});
beforeEach(async () => {
  sent = [];
  await model.write.deleteFrom('playback.play_queue').execute();
  await model.write.deleteFrom('playback.bookmark').execute();
});

interface Answer {
  readonly status: string;
  readonly error?: { readonly code: number };
  readonly playQueue?: {
    readonly current?: string | number;
    readonly position?: number;
    readonly entry: readonly { readonly id: string }[];
  };
  readonly playQueueByIndex?: { readonly currentIndex?: number; readonly position?: number };
  readonly bookmarks?: { readonly bookmark: readonly { readonly position: number; readonly entry: { readonly id: string } }[] };
}
const ask = async (operation: string, params: CallParams = {}, on = server, as: 'ada' | 'mia' = 'ada'): Promise<Answer> => {
  const { body, status } = await on.call(operation, { f: 'json', ...params }, as);
  expect(status).toBe(200);
  return (JSON.parse(body) as { 'subsonic-response': Answer })['subsonic-response'];
};
const codeOf = async (operation: string, params: CallParams, on = server): Promise<number | undefined> =>
  (await ask(operation, params, on)).error?.code;
const songs = (...ids: number[]) => [{ objectType: 'song' as const, ids }];

describe('a queue that is saved', () => {
  it('keeps order and repetitions, skips songs that are gone, and finds its place again', async () => {
    await ask('savePlayQueue', { id: ['so-999', 'so-2', 'so-1', 'so-2'], current: 'so-2', position: 7 });
    await ask('savePlayQueueByIndex', { id: ['so-999', 'so-2', 'so-1', 'so-2'], currentIndex: 3 });
    await ask('savePlayQueue', { id: ['1', 'vi-1', 'vi-2', '2'], current: 'vi-2' });
    expect(sent).toMatchObject([
      { runs: songs(2, 1, 2), currentIndex: 0, positionMs: 7, client: 'test' },
      { runs: songs(2, 1, 2), currentIndex: 2, positionMs: 0 },
      { runs: [...songs(1), { objectType: 'video', ids: [1, 2] }, ...songs(2)], currentIndex: 2 },
    ]);
  });

  it('is empty when no id comes, whatever else does', async () => {
    await ask('savePlayQueue');
    await ask('savePlayQueue', { id: '', current: 'so-1', position: 3 });
    expect(sent).toMatchObject([
      { runs: [], currentIndex: 0, positionMs: 0 },
      { runs: [], currentIndex: 0, positionMs: 0 },
    ]);
  });

  it('is refused where nothing says what plays, and nothing is saved then', async () => {
    const cases: [string, CallParams, number][] = [
      ['savePlayQueue', { id: 'so-1' }, 10],
      ['savePlayQueue', { id: ['so-1', 'so-2'], current: 'so-3' }, 10],
      ['savePlayQueue', { id: ['so-1', 'so-2'], current: 'so-999' }, 70],
      ['savePlayQueue', { id: ['so-1', 'so-999'], current: 'so-999' }, 70],
      ['savePlayQueue', { id: ['so-1'], current: 'zzz' }, 70],
      ['savePlayQueue', { id: ['so-1', 'al-1'], current: 'so-1' }, 70],
      ['savePlayQueueByIndex', { id: ['so-1', 'al-1'], currentIndex: 0 }, 70],
      ['savePlayQueue', { id: 'so-1', current: 'so-1', position: 'soon' }, 10],
      ['savePlayQueueByIndex', { id: 'so-1' }, 10],
      ['savePlayQueueByIndex', { id: 'so-1', currentIndex: 1 }, 10],
      ['savePlayQueueByIndex', { id: 'so-1', currentIndex: -1 }, 10],
      ['savePlayQueueByIndex', { id: 'so-1', currentIndex: 'first' }, 10],
      ['savePlayQueueByIndex', { currentIndex: 0 }, 10],
      ['savePlayQueueByIndex', { id: ['so-1', 'so-999'], currentIndex: 1 }, 70],
    ];
    for (const [operation, params, code] of cases)
      expect([operation, params, await codeOf(operation, params)]).toEqual([operation, params, code]);
    expect(await codeOf('savePlayQueueByIndex', { id: ['so-1', 'vi-1'], currentIndex: 1 }, soundOnly)).toBe(70);
    expect(sent).toEqual([]);
  });
});

describe('a queue that is shown', () => {
  const shown = async (runs: Parameters<typeof insertPlayQueue>[1], currentIndex: number) => {
    await model.write.deleteFrom('playback.play_queue').execute();
    await insertPlayQueue(model.write, runs, { current_index: currentIndex, position_ms: 4000 });
    const [byId, byIndex] = [await ask('getPlayQueue'), await ask('getPlayQueueByIndex')];
    return [
      byId.playQueue?.entry.map(({ id }) => id).join(' '),
      byId.playQueue?.current,
      byIndex.playQueueByIndex?.currentIndex,
      byId.playQueue?.position,
    ];
  };

  it('goes on with the next one that is left where what played is gone', async () => {
    expect(await shown(songs(1, 2, 1, 3), 2)).toEqual(['so-1 so-2 so-1 so-3', 'so-1', 2, 4000]);
    expect(await shown(songs(999, 2, 998, 3), 3)).toEqual(['so-2 so-3', 'so-3', 1, 4000]);
    expect(await shown(songs(1, 999, 2), 1)).toEqual(['so-1 so-2', 'so-2', 1, 0]);
    expect(await shown(songs(1, 2, 999), 2)).toEqual(['so-1 so-2', 'so-2', 1, 0]);
    expect(await shown(songs(999, 998), 1)).toEqual(['', undefined, undefined, undefined]);
  });

  it('is as old as can be for who never saved one, and no more than an envelope for an empty one in the legacy form', async () => {
    expect((await ask('getPlayQueue')).playQueue).toEqual({
      username: 'ada',
      changed: '1970-01-01T00:00:00.001Z',
      changedBy: '',
      entry: [],
    });
    await insertPlayQueue(model.write, []);
    expect((await ask('getPlayQueue')).playQueue).toMatchObject({
      entry: [],
      username: 'ada',
      changedBy: 'phone',
      changed: expect.any(String),
    });
    const legacy = await compatServer(model.read, artFolder, { COMPAT_LEGACY_CLIENTS: 'test' });
    expect(Object.keys(await ask('getPlayQueue', {}, legacy))).toEqual(['status', 'version']);
    await model.write.deleteFrom('playback.play_queue').execute();
    await insertPlayQueue(model.write, songs(2));
    expect((await ask('getPlayQueue', {}, legacy)).playQueue?.current).toBe(2);
    await legacy.app.close();
  });

  it('has no videos where they are switched off', async () => {
    await insertPlayQueue(model.write, [{ objectType: 'video', ids: [1] }, ...songs(1)]);
    expect((await ask('getPlayQueue', {}, soundOnly)).playQueue).toMatchObject({ current: 'so-1', entry: [{ id: 'so-1' }] });
    await insertBookmark(model.write, { id: 1, object_id: 1, object_type: 'video' });
    expect((await ask('getBookmarks', {}, soundOnly)).bookmarks?.bookmark).toEqual([]);
    expect(await codeOf('createBookmark', { id: 'vi-1', position: 1 }, soundOnly)).toBe(70);
  });
});

describe('a bookmark', () => {
  it('is put as the one of its thing, cleaned and cut, and alone where its account wants that', async () => {
    await ask('createBookmark', { id: '300000001', position: '1500.9', comment: `  ${'x'.repeat(3000)}` });
    await ask('createBookmark', { id: 'so-1', position: 0 }, server, 'mia');
    expect(sent).toMatchObject([
      { userId: 1, objectType: 'song', objectId: 1, label: 'x'.repeat(2000), isApart: false, isOnly: false, positionMs: 1500 },
      { userId: 2, label: '', isOnly: true },
    ]);
  });
});
