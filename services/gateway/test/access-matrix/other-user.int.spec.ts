import { sha256Hex } from '@continuo/chassis';
import { builtInPreferences, type ReadModel } from '@continuo/contracts';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { insertCollection } from '../library/collection-fixture.js';
import { insertBookmark, insertPlayQueue } from '../library/places-fixture.js';
import { insertPlaylist } from '../library/playlist-fixture.js';
import { testReadModel } from '../servers/read-model-database.js';
import { ShareWriter } from '../library/share-writer.js';
import { insertSmartlist } from '../library/smartlist-fixture.js';
import { FakeSounds } from '../fakes/fake-sounds.js';
import { fixedAuth, startTestGateway, TEST_NOW_MS, testAccounts, type TestAccount } from '../servers/test-gateway.js';
import { ask, comparing, playLast, type Params, type Side } from './comparison.fixture.js';
import { everyAction, everyOperation, isByChance } from './every-call.fixture.js';
import { notedCommands, seedCatalogs } from './two-catalogs.fixture.js';
import { clientVersions } from '../calls/native/client-versions.js';

/*
 * Threat 1: what belongs to somebody else must not show, whatever it is called by. Two servers are the same but for what one account keeps for itself. Everybody
 * else must get, to every call, exactly what the server without these things answers, and nothing may be told to other services. Every served method and operation
 * is called; new kinds of things come under the test by a line in `seedPrivate`.
 */

/** Stands in every text that one account keeps for itself. */
const PRIVATE = 'Confidential';
/** Owner of the private things: account 2 of the fixtures. */
const owner = testAccounts.listener;
const prying: TestAccount = { id: 8, username: 'prying', access: 75, token: 'prying-token' };

const preferenceId = (name: string): number => builtInPreferences.find((one) => one.name === name)?.id ?? 0;

/** Seeds both servers: the prying account, with things of its own, and an owner who keeps to themselves what they do. */
const seedCommon = async (db: Kysely<ReadModel>): Promise<void> => {
  const like = await db.selectFrom('social.user').selectAll().where('id', '=', owner.id).executeTakeFirstOrThrow();
  await db
    .insertInto('social.user')
    .values({ ...like, id: prying.id, username: prying.username, username_key: prying.username, access: prying.access })
    .execute();
  const off = ['allow_personal_info_now', 'allow_personal_info_recent'];
  await db
    .insertInto('social.user_preference')
    .values(off.map((name) => ({ user_id: owner.id, preference_id: preferenceId(name), value: '0' })))
    .execute();
  await db.insertInto('social.follow').values({ user_id: prying.id, followed_id: owner.id, followed_at_ms: TEST_NOW_MS }).execute();
  for (const table of ['playback.now_playing', 'social.activity'] as const)
    await db.deleteFrom(table).where('user_id', '=', owner.id).execute();
  await new ShareWriter(db).add({ id: 4, kind: 'album', object_ids: [1], user_id: prying.id, description: 'own' });
};

/** Seeds the private things of the owner. */
const seedPrivate = async (db: Kysely<ReadModel>): Promise<void> => {
  const shares = new ShareWriter(db);
  await shares.add({ id: 3, kind: 'song', object_ids: [1], user_id: owner.id, description: PRIVATE, visit_count: 3 });
  await shares.add({ id: 5, kind: 'album', object_ids: [1], user_id: owner.id, description: PRIVATE });
  await shares.add({ id: 12, kind: 'artist', object_ids: [1], user_id: owner.id, description: PRIVATE });
  const secret = {
    email: `${PRIVATE}@example.org`,
    full_name: PRIVATE,
    sealed_stream_token: PRIVATE,
    stream_token_sha256: sha256Hex(PRIVATE),
  };
  await db
    .updateTable('social.user')
    .set({ ...secret, sealed_compat_password: PRIVATE, sealed_password_sha256: PRIVATE, max_bitrate_bps: 1 })
    .where('id', '=', owner.id)
    .execute();
  await db
    .insertInto('social.api_key')
    .values({
      key_id: 'k',
      user_id: owner.id,
      name: 'default',
      sha256: sha256Hex(PRIVATE),
      sealed_key: PRIVATE,
      issued_at_ms: TEST_NOW_MS,
      scopes: null,
      expires_at_ms: null,
    })
    .execute();
  const values = { popular_threshold: '98765', api_hidden_playlists: PRIVATE, download: '0', api_enable_6: '0' };
  await db
    .insertInto('social.user_preference')
    .values(Object.entries(values).map(([name, value]) => ({ user_id: owner.id, preference_id: preferenceId(name), value })))
    .execute();
  const about = { user_id: owner.id, kind: 'song' as const, object_id: 3 };
  await db
    .insertInto('social.activity')
    .values({ ...about, id: 900, action: 'rating', at_ms: TEST_NOW_MS - 5 })
    .execute();
  await db.insertInto('social.user_flag').values({ user_id: owner.id, kind: 'album', object_id: 2, flagged_at_ms: TEST_NOW_MS }).execute();
  await db
    .insertInto('playback.now_playing')
    .values({
      user_id: owner.id,
      client: PRIVATE,
      object_type: 'song',
      object_id: 3,
      started_at_ms: TEST_NOW_MS - 5,
      expires_at_ms: TEST_NOW_MS * 2,
    })
    .execute();
};

/** Seeds private bookmarks with comments, under numbers and in songs that calls name, and a queue. */
const seedPrivatePlaces = async (db: Kysely<ReadModel>): Promise<void> => {
  const own = { user_id: owner.id, label: PRIVATE, slot: 'digest', position_ms: 98_765, changed_at_ms: TEST_NOW_MS };
  await insertBookmark(db, { id: 1, ...own, object_id: 1 });
  await insertBookmark(db, { id: 3, ...own, object_id: 2 });
  await insertBookmark(db, { id: 5, ...own, object_id: 1, slot: '' });
  await insertPlayQueue(db, [{ objectType: 'song', ids: [1, 2] }], { user_id: owner.id, client: PRIVATE });
};

/** Lists of every kind, under numbers that calls name: somebody else's private list is not there. */
const seedPrivateLists = async (db: Kysely<ReadModel>): Promise<void> => {
  // Names that begin with the word are kept from the owner's own clients.
  const list = { owner_id: owner.id, name: `Very ${PRIVATE}` };
  await insertPlaylist(db, { id: 7, ...list, comment: PRIVATE }, [1, 2]);
  await insertSmartlist(db, { id: 7, ...list }, [['title', 'contain', 'e', null]]);
  await insertCollection(db, { id: 1, ...list, member_count: 1 });
  await db.insertInto('library.collection_member').values({ collection_id: 1, entry: 1, object_kind: 'song', object_id: 1 }).execute();
  await db.insertInto('library.playlist_folder').values({ user_id: owner.id, id: 1, parent_id: 0, name: PRIVATE, sort_order: 0 }).execute();
  await db
    .insertInto('library.playlist_filing')
    .values({ user_id: owner.id, list_kind: 'playlist', list_id: 7, folder_id: 1, sort_order: 0 })
    .execute();
};

let keeping: Side;
let without: Side;

const sideOf = async (keeps: boolean): Promise<Side> => {
  const model = await testReadModel();
  await seedCatalogs(model.write, false);
  await seedCommon(model.write);
  if (keeps) {
    await seedPrivate(model.write);
    await seedPrivateLists(model.write);
    await seedPrivatePlaces(model.write);
  }
  const commands = notedCommands();
  const auth = fixedAuth([...Object.values(testAccounts), prying]);
  return { model, commands, gateway: await startTestGateway(model.read, { auth, commands, sonic: new FakeSounds() }) };
};

beforeAll(async () => {
  // One after the other: both make the same roles.
  keeping = await sideOf(true);
  without = await sideOf(false);
});
afterAll(async () => {
  for (const { model, gateway } of [keeping, without]) {
    await gateway.stop();
    await model.close();
  }
});

const differences = comparing({ sides: () => [keeping, without], token: prying.token, word: PRIVATE });
const NAMED: readonly Params[] = ['2', owner.username, 'Listener'].flatMap((name): Params[] => [
  { filter: name, username: name, user: name, limit: '50', include: '1' },
  { filter: '1', id: '1', song: 'Alone', artist: 'Bert Seen', album: 'Solo', user: name, username: name },
]);
describe('what somebody else keeps, in the native API', () => {
  beforeEach(() => playLast([keeping, without], prying.token));

  it.each(everyAction)('$action', async ({ action, versions, calls }) => {
    const version = clientVersions[versions.at(-1) ?? 8];
    const found = await differences(
      '/server/json.server.php',
      [...NAMED, ...calls].map((params) => ({ ...params, action, version })),
    );
    expect(found.filter(({ params, shows }) => shows || !isByChance(params))).toEqual([]);
  });
});

describe('what somebody else keeps, in the compatibility API', () => {
  beforeAll(() => playLast([keeping, without], prying.token));

  it.each(everyOperation.filter(({ operation }) => operation !== 'getRandomSongs'))('$operation', async ({ operation, calls }) => {
    const named = NAMED.map((params): Params => ({ ...params, password: 'word' }));
    const found = await differences(
      `/rest/${operation}`,
      [...named, ...calls].map((params) => ({ v: '1.16.1', c: 'spec', f: 'json', ...params })),
    );
    expect(found).toEqual([]);
  });
});

describe('the comparison', () => {
  it('is about something: the owner sees all of it', async () => {
    const shown = async (path: string, params: Params): Promise<boolean> => {
      const { body } = await ask(keeping, path, { v: '1.16.1', c: 'spec', f: 'json', version: '8.0.0', ...params }, owner.token);
      return body.includes(PRIVATE) || body.includes('98765') || /"id":"(?:al-)?[23]"/.test(body);
    };
    const silent: string[] = [];
    for (const [action, params] of [
      ['share', { filter: '3' }],
      ['shares', {}],
      ['bookmarks', {}],
      ['bookmark', { filter: '3' }],
      ['get_bookmark', { type: 'song', filter: '1' }],
      ['user', { filter: owner.username }],
      ['user_preference', { filter: 'popular_threshold' }],
      ['timeline', { filter: owner.username }],
      ['now_playing', {}],
      ['stats', { type: 'album', filter: 'flagged' }],
      ['playlists', {}],
      ['smartlists', {}],
      ['collection', { filter: '1' }],
      ['collections', {}],
      ['playlist_folders', {}],
      ['playlist_folder_items', { filter: '1' }],
    ] as const)
      if (!(await shown('/server/json.server.php', { action, ...params }))) silent.push(action);
    for (const operation of [
      'getShares',
      'getBookmarks',
      'getPlayQueue',
      'getPlayQueueByIndex',
      'getNowPlaying',
      'getStarred2',
      'getPlaylists',
    ])
      if (!(await shown(`/rest/${operation}`, { username: owner.username }))) silent.push(operation);
    expect(silent).toEqual([]);
  });
});
