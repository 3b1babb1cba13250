import { join } from 'node:path';
import { isLongForm } from '@continuo/local-servers/test-form';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { operations } from '../../src/apis/manage/registry/index.js';
import { insertBookmark, insertPlayQueue } from '../library/places-fixture.js';
import { insertPlaylist } from '../library/playlist-fixture.js';
import { testReadModel } from '../servers/read-model-database.js';
import { filledPath } from '../manage/example-input.js';
import { FakeSounds } from '../fakes/fake-sounds.js';
import { fixedAuth, startTestGateway, testAccounts } from '../servers/test-gateway.js';
import { ask, comparing, playLast, type Answer, type Params, type Side } from './comparison.fixture.js';
import { everyAction, everyOperation, IDS, isByChance } from './every-call.fixture.js';
import { HIDDEN, notedCommands, SEEN_CATALOG, seedCatalogs, writePictures } from './two-catalogs.fixture.js';
import { clientVersions } from '../calls/native/client-versions.js';

/*
 * Threat 17: what a hidden catalog holds must not show anywhere. Two libraries are the same but for one catalog. Whoever may not see that catalog must get,
 * to every call, exactly what the library without it answers: the same ids, names, counts, refusals, bytes and commands to other services. Every served
 * method and operation is called, in the long form with every id; new ones come under the test by being in the tables.
 */

let hiding: Side;
let without: Side;

const sideOf = async (withHidden: boolean): Promise<Side> => {
  const model = await testReadModel();
  await seedCatalogs(model.write, withHidden);
  // Where the other catalog is not, its songs are members that are gone: a list must look the same either way.
  await insertPlaylist(model.write, { id: 1, name: 'Both', is_public: true, owner_id: null, collaborator_ids: [2] }, [5, 1, 6, 2, 7, 1]);
  for (const userId of [1, 2]) {
    await insertPlayQueue(model.write, [{ objectType: 'song', ids: [5, 1, 6, 2, 7, 1] }], { user_id: userId, current_index: 2 });
    await insertBookmark(model.write, { id: 90 + userId, user_id: userId, object_type: 'video', object_id: 1 });
  }
  await insertPlaylist(model.write, { id: 2, name: 'The other alone', is_public: true, owner_id: 2 }, [5, 6]);
  const catalogs = withHidden ? [SEEN_CATALOG] : ('all' as const);
  const accounts = Object.values(testAccounts).map((account) => ({ ...account, catalogs }));
  const commands = notedCommands();
  const auth = fixedAuth(accounts);
  const gateway = await startTestGateway(model.read, {
    auth,
    commands,
    sonic: new FakeSounds(),
    settings: { DELETE_FROM_DISK: true, LOCALPLAY_CONTROLLER: 'mpd' },
  });
  await writePictures(join(gateway.dataFolder, 'art'));
  return { model, gateway, commands };
};

beforeAll(async () => {
  // One after the other: both make the same roles.
  hiding = await sideOf(true);
  without = await sideOf(false);
});
afterAll(async () => {
  for (const { model, gateway } of [hiding, without]) {
    await gateway.stop();
    await model.close();
  }
});

const compareAll = comparing({ sides: () => [hiding, without] });

describe('a hidden catalog in the native API', () => {
  beforeEach(() => playLast([hiding, without], testAccounts.admin.token));

  it.each(everyAction)('$action', async ({ action, versions, calls }) => {
    const asked = versions.slice(isLongForm ? -2 : -1).map((version) => clientVersions[version]);
    for (const version of asked) {
      const found = await compareAll(
        '/server/json.server.php',
        calls.map((params) => ({ ...params, action, version })),
      );
      expect(found.filter(({ params, shows }) => shows || !isByChance(params))).toEqual([]);
    }
  });
});

/** Operations that pass on which catalogs their caller sees: the command differs, and the answer must not. */
const PASSING_ON: ReadonlySet<string> = new Set(['refreshPodcasts']);

describe('a hidden catalog in the compatibility API', () => {
  beforeAll(() => playLast([hiding, without], testAccounts.admin.token));

  it.each(everyOperation)('$operation', async ({ operation, calls }) => {
    const found = await compareAll(
      `/rest/${operation}`,
      calls.map((params) => ({ v: '1.16.1', c: 'spec', f: 'json', ...params })),
    );
    expect(found.filter(({ shows }) => shows || !PASSING_ON.has(operation))).toEqual([]);
  });

  // The library is smaller than what they pick, so that only the order is left to chance.
  it.each(['getRandomSongs', 'getAlbumList', 'getAlbumList2'])('%s picks by chance among what is seen', async (operation) => {
    for (const musicFolderId of ['', '1', '2']) {
      const params = { v: '1.16.1', c: 'spec', f: 'json', type: 'random', size: '50', ...(musicFolderId && { musicFolderId }) };
      const [here, there] = await Promise.all(
        [hiding, without].map((side) => ask(side, `/rest/${operation}`, params, testAccounts.admin.token)),
      );
      const ids = ({ body }: Answer): string[] => [...body.matchAll(/"id":"(?:so|al)-\d+"/g)].map(([id]) => id).toSorted();
      expect(ids(here as Answer)).toEqual(ids(there as Answer));
      expect(here?.body).not.toContain(HIDDEN);
    }
  });
});

describe('a hidden catalog in play and picture addresses', () => {
  const calls: readonly Params[] = IDS.flatMap((id): Params[] => [
    { type: 'song', oid: id },
    { type: 'song', oid: id, action: 'download' },
    { type: 'live_stream', oid: id },
    ...['song', 'album', 'artist', 'album_disk', 'folder', 'genre', 'label', 'catalog', 'live_stream'].map((type) => ({
      object_type: type,
      object_id: id,
    })),
  ]);
  it.each(['/play/index.php', '/image.php'])('%s', async (path) => {
    expect(await compareAll(path, calls)).toEqual([]);
  });
});

describe('the comparison', () => {
  it('is about something: the same calls show the hidden catalog to who sees it', async () => {
    const gateway = await startTestGateway(hiding.model.read, {
      auth: fixedAuth(Object.values(testAccounts)),
      commands: notedCommands(),
      settings: { LOCALPLAY_CONTROLLER: 'mpd' },
    });
    const shown = async (action: string, params: Params): Promise<boolean> => {
      const query = new URLSearchParams({ version: '8.0.0', action, ...params }).toString();
      const { body } = await gateway.app.inject({
        url: `/server/json.server.php?${query}`,
        headers: { authorization: 'Bearer admin-token' },
      });
      return body.includes(HIDDEN) || /"(?:5|6|7)"/.test(body);
    };
    const actions: readonly (readonly [string, Params])[] = [
      ...[
        'songs',
        'albums',
        'artists',
        'genres',
        'labels',
        'licenses',
        'catalogs',
        'videos',
        'deleted_songs',
        'deleted_videos',
        'now_playing',
        'bookmarks',
        'localplay_songs',
        'live_streams',
      ].map((action) => [action, {}] as const),
      ['democratic', { method: 'playlist' }],
      ['song', { filter: '5' }],
      ['live_stream', { filter: '2' }],
      ['get_bookmark', { type: 'song', filter: '5', include: '1' }],
      ['artist', { filter: '1' }],
      ['stats', { type: 'song', filter: 'frequent' }],
      ['search_songs', { filter: HIDDEN }],
      ['last_shouts', { filter: 'listener', username: 'listener' }],
      ['timeline', { filter: 'listener', username: 'listener' }],
      ['friends_timeline', {}],
    ];
    const silent: string[] = [];
    for (const [action, params] of actions) if (!(await shown(action, params))) silent.push(action);
    expect(silent).toEqual([]);
    await gateway.stop();
  });
});

describe('a catalog that somebody with a group of catalogs adds', () => {
  it('is told of, once: the group does not take it in by itself', async () => {
    const account = { ...testAccounts.admin, catalogs: [2] };
    const gateway = await startTestGateway(hiding.model.read, { auth: fixedAuth([account]), commands: notedCommands() });
    const get = (query: string) =>
      gateway.app.inject({ url: `/server/json.server.php?version=8.0.0&${query}`, headers: { authorization: `Bearer ${account.token}` } });
    expect((await get('action=catalog_create&name=new&path=/music/1&type=local')).json()).toMatchObject({ id: '1', name: 'Seen' });
    expect((await get('action=catalog&filter=1')).json()).toMatchObject({ error: { errorCode: '4704' } });
    await gateway.stop();
  });
});

/** What people say is for administrators to moderate, whatever it is about; it names a thing by its number alone. */
const MODERATED = new Set(['listShouts', 'getShout']);

it.each(Object.entries(operations).filter(([name, { method }]) => method === 'GET' && !MODERATED.has(name)))(
  'shows nothing by %s of the management API',
  async (_name, row) => {
    for (const id of row.path.includes('{id}') ? IDS : [1]) {
      const url = `/manage/v1${filledPath(row, { id })}`;
      const headers = { authorization: `Bearer ${testAccounts.admin.token}`, 'x-correlation-id': 'the-same-for-both' };
      const [there, gone] = await Promise.all([hiding, without].map(({ gateway: { app } }) => app.inject({ url, headers })));
      expect([url, there?.statusCode, there?.body]).toEqual([url, gone?.statusCode, gone?.body]);
    }
  },
);
