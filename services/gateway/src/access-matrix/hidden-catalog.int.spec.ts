import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idPrefixes } from '../compat/ids.js';
import { registry } from '../compat/registry/registry.js';
import { methods } from '../native/registry/index.js';
import { testReadModel, type TestReadModel } from '../testkit/read-model-database.js';
import { fixedAuth, startTestGateway, testAccounts, type TestGateway } from '../testkit/test-gateway.js';
import { HIDDEN, notedCommands, SEEN_CATALOG, seedCatalogs, type NotedCommands } from './two-catalogs.fixture.js';

/*
 * Threat 17: what a hidden catalog holds must not show anywhere. Two libraries are the same but for one catalog. Whoever may not see that catalog must get,
 * to every call, exactly what the library without it answers: the same ids, names, counts, refusals, bytes and commands to other services. Every served
 * method and operation is called with every id; new ones come under the test by being in the tables.
 */

interface Side {
  readonly model: TestReadModel;
  readonly gateway: TestGateway;
  readonly commands: NotedCommands;
}

let hiding: Side;
let without: Side;

const sideOf = async (withHidden: boolean): Promise<Side> => {
  const model = await testReadModel();
  await seedCatalogs(model.write, withHidden);
  const catalogs = withHidden ? [SEEN_CATALOG] : ('all' as const);
  const accounts = Object.values(testAccounts).map((account) => ({ ...account, catalogs }));
  const commands = notedCommands();
  const auth = fixedAuth(accounts);
  const gateway = await startTestGateway(model.read, { auth, commands, settings: { DELETE_FROM_DISK: true } });
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

type Params = Readonly<Record<string, string>>;
interface Difference {
  readonly path: string;
  readonly params: Params;
  /** Whether a name of the hidden catalog stands in the answer. */
  readonly shows: boolean;
  readonly hiding: string;
  readonly without: string;
}
interface Answer {
  readonly status: number;
  readonly body: string;
  readonly commands: unknown[];
}

const get = async ({ gateway, commands }: Side, path: string, params: Params): Promise<Answer> => {
  const { statusCode: status, body } = await gateway.app.inject({
    url: `${path}?${new URLSearchParams(params).toString()}`,
    headers: { authorization: `Bearer ${testAccounts.admin.token}` },
  });
  return { status, body, commands: commands.take() };
};

const EXCERPT = 120;
/** A little of both answers, around the place from which on they differ. */
const excerpts = (here: string, there: string): { readonly hiding: string; readonly without: string } => {
  const at = Array.from(here).findIndex((character, index) => character !== there[index]);
  const from = Math.max(0, (at === -1 ? here.length : at) - EXCERPT);
  return { hiding: here.slice(from, from + 2 * EXCERPT), without: there.slice(from, from + 2 * EXCERPT) };
};

/** Calls both and says where they differ, or where the hidden catalog shows through. */
const compare = async (path: string, params: Params): Promise<Difference[]> => {
  const [here, there] = await Promise.all([get(hiding, path, params), get(without, path, params)]);
  const [hidden, plain] = [JSON.stringify(here), JSON.stringify(there)];
  const asked = Object.values(params).some((value) => value.includes(HIDDEN));
  const shows = !asked && hidden.includes(HIDDEN);
  return hidden === plain && !shows ? [] : [{ path, params, shows, ...excerpts(hidden, plain) }];
};

const compareAll = async (path: string, calls: readonly Params[]): Promise<Difference[]> => {
  const differences: Difference[] = [];
  for (const params of calls) differences.push(...(await compare(path, params)));
  return differences;
};

/** Ids of everything in either catalog and of things that are in none; disks of albums have greater ones. */
const IDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 257, 258, 513, 769, 1025, 1026, 1281].map(String);
const NAMES = ['', 'Anna Both', `${HIDDEN} Artist`, HIDDEN, 'Alone', '%', '/music/2', `/music/2/${HIDDEN}/Anna/1.flac`];
const TYPES = [
  'song',
  'album',
  'artist',
  'album_artist',
  'song_artist',
  'album_disk',
  'genre',
  'label',
  'catalog',
  'folder',
  'license',
  'root',
  'playlist',
  'video',
];
const ORDERS = ['newest', 'highest', 'frequent', 'recent', 'forgotten', 'flagged'];
/** Actions that read `type`. */
const TYPED: ReadonlySet<string> = new Set([
  'browse',
  'flag',
  'get_art',
  'get_indexes',
  'get_similar',
  'index',
  'list',
  'rate',
  'stats',
  'search',
  'search_group',
  'advanced_search',
  'search_rules',
  'stream',
  'download',
  'random',
]);
/** Calls whose answer is left to chance, and is judged by what it names; statistics are when they are asked for no order that they know. */
const isByChance = ({ action = '', filter = '' }: Params): boolean =>
  ['random', 'playlist_generate'].includes(action) || (action === 'stats' && !ORDERS.includes(filter));

const rule = (input: string): Params => ({ rule_1: 'anywhere', rule_1_operator: '0', rule_1_input: input, operator: 'and' });
const typedCalls: readonly Params[] = TYPES.flatMap((type): Params[] => [
  { type, limit: 'none', include: '1' },
  ...IDS.slice(0, 9).map((id) => ({ type, id, filter: id, catalog: '1', rating: '3', flag: '1' })),
  ...IDS.slice(0, 4).map((id) => ({ type, filter: id, catalog: '2' })),
  ...ORDERS.map((filter) => ({ type, filter, limit: '20' })),
  { type, ...rule('a') },
  { type, ...rule(HIDDEN) },
  { type, rule_1: 'year', rule_1_operator: '1', rule_1_input: '1970', operator: 'and' },
  { type, rule_1: 'myplayed', rule_1_operator: '0', rule_1_input: '1', operator: 'and' },
]);
const plainCalls: readonly Params[] = [
  { limit: 'none' },
  { limit: '1', offset: '1', include: 'albums,songs' },
  ...['admin', 'listener'].map((name) => ({ filter: name, username: name, user: name, limit: '50', include: '1' })),
  ...IDS.map((id) => ({ filter: id, id, oid: id, limit: 'none', include: '1' })),
  ...NAMES.map((name) => ({
    filter: name,
    song: name,
    artist: name,
    album: name,
    url: name,
    file: name,
    folder: name,
    path: name,
    catalog: '1',
  })),
  ...NAMES.map((name) => ({
    filter: name,
    song: 'Alone',
    artist: 'Bert Seen',
    album: 'Solo',
    task: 'verify_catalog',
    catalog: '2',
    client: 'x',
  })),
  ...IDS.slice(0, 9).map((id) => ({
    filter: id,
    type: 'song',
    id,
    state: 'play',
    date: '1717000000',
    user: 'admin',
    url: `http://localhost/play/index.php?oid=${id}&type=song`,
  })),
];

const SPELLINGS = { 3: '390001', 4: '443000', 5: '5.5.6', 6: '6.9.2', 8: '8.0.0' } as const;
const served = Object.entries(methods).filter(([, { kind }]) => kind !== 'missing');

describe('a hidden catalog in the native API', () => {
  it.each(served.map(([action, { versions }]) => ({ action, versions })))('$action', async ({ action, versions }) => {
    const calls = [...plainCalls, ...(TYPED.has(action) ? typedCalls : [])];
    const asked = versions.slice(-2).map((version) => SPELLINGS[version]);
    for (const version of asked) {
      const found = await compareAll(
        '/server/json.server.php',
        calls.map((params) => ({ ...params, action, version })),
      );
      expect(found.filter(({ params, shows }) => shows || !isByChance(params))).toEqual([]);
    }
  });
});

const LISTS = [
  'random',
  'newest',
  'highest',
  'frequent',
  'recent',
  'alphabeticalByName',
  'alphabeticalByArtist',
  'starred',
  'byYear',
  'byGenre',
];
const compatCalls: readonly Params[] = [
  { size: '50', count: '50' },
  ...Object.values(idPrefixes).flatMap((prefix) => IDS.slice(0, 10).map((id) => ({ id: `${prefix}-${id}`, rating: '3', count: '50' }))),
  ...IDS.slice(0, 10).map((id) => ({ id, musicFolderId: id, albumId: `al-${id}`, artistId: `ar-${id}` })),
  ...LISTS.flatMap((type) =>
    ['', '1', '2'].map((musicFolderId) => ({
      type,
      musicFolderId,
      fromYear: '1900',
      toYear: '2020',
      genre: `${HIDDEN} Genre`,
      size: '50',
    })),
  ),
  ...['Folk', 'Rock', `${HIDDEN} Genre`].map((genre) => ({ genre, type: 'byGenre', count: '50' })),
  ...NAMES.map((name) => ({ query: name, artist: name, title: 'Alone', username: 'listener' })),
  { query: 'a', any: 'a', album: 'a' },
];
/** Operations that pick by chance; here the library is smaller than what they pick, so that only the order is left to chance. */
const PICKING: ReadonlySet<string> = new Set(['getRandomSongs']);

describe('a hidden catalog in the compatibility API', () => {
  const operations = Object.entries(registry).filter(([, { kind }]) => kind !== 'absent');
  it.each(operations.map(([operation]) => operation))('%s', async (operation) => {
    const calls = compatCalls.filter(({ type }) => !PICKING.has(operation) && !(type === 'random'));
    const found = await compareAll(
      `/rest/${operation}`,
      calls.map((params) => ({ v: '1.16.1', c: 'spec', f: 'json', ...params })),
    );
    expect(found).toEqual([]);
  });

  it.each(['getRandomSongs', 'getAlbumList', 'getAlbumList2'])('%s picks by chance among what is seen', async (operation) => {
    for (const musicFolderId of ['', '1', '2']) {
      const params = { v: '1.16.1', c: 'spec', f: 'json', type: 'random', size: '50', ...(musicFolderId && { musicFolderId }) };
      const [here, there] = await Promise.all([hiding, without].map((side) => get(side, `/rest/${operation}`, params)));
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
    ...['song', 'album', 'artist', 'album_disk', 'folder', 'genre', 'label', 'catalog'].map((type) => ({
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
    const gateway = await startTestGateway(hiding.model.read, { auth: fixedAuth(Object.values(testAccounts)), commands: notedCommands() });
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
      ].map((action) => [action, {}] as const),
      ['song', { filter: '5' }],
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
    const ask = (query: string) =>
      gateway.app.inject({ url: `/server/json.server.php?version=8.0.0&${query}`, headers: { authorization: `Bearer ${account.token}` } });
    expect((await ask('action=catalog_create&name=new&path=/music/1&type=local')).json()).toMatchObject({ id: '1', name: 'Seen' });
    expect((await ask('action=catalog&filter=1')).json()).toMatchObject({ error: { errorCode: '4704' } });
    await gateway.stop();
  });
});
