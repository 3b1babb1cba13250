import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  addCatalogGroup,
  builtInPreferences,
  changeCatalogGroup,
  joinCatalogGroup,
  rolePreferences,
  setUserPreferences,
  type AccountRole,
} from '@continuo/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { compatServer, type CallParams, type CompatServer, type TestAccount } from '../../../test/servers/compat-server.js';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { fixtureSongs } from '../../../test/library/fixture-songs.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';

let model: TestReadModel;
let server: CompatServer;
let folder: string;

/** An account of the test server. */
const account = (id: number, username: string, access: number) => ({
  id,
  username,
  username_key: username,
  full_name_public: false,
  access,
  disabled: false,
  created_at_ms: 1,
  full_name: null,
  email: null,
  website: null,
  city: null,
  state: null,
});

/** Effects of the commands. */
const keepWhatIsSent = (): void => {
  server.commands
    .handle(setUserPreferences, async ({ data }) => {
      for (const { name, value } of data.values) {
        const id = builtInPreferences.find((one) => one.name === name)?.id ?? 0;
        const row = { user_id: data.userId, preference_id: id, value };
        await model.write
          .insertInto('social.user_preference')
          .values(row)
          .onConflict((conflict) => conflict.columns(['user_id', 'preference_id']).doUpdateSet({ value }))
          .execute();
      }
      return { result: {}, positions: [] };
    })
    .handle(addCatalogGroup, async ({ data }) => {
      const groups = await model.write.selectFrom('social.catalog_group').select('id').execute();
      const groupId = groups.length + 1;
      await model.write.insertInto('social.catalog_group').values({ id: groupId, name: data.name }).execute();
      return { result: { groupId }, positions: [] };
    })
    .handle(changeCatalogGroup, async ({ data }) => {
      const rows = (data.add ?? []).map((catalog_id) => ({ group_id: data.groupId, catalog_id }));
      await model.write.insertInto('social.catalog_group_catalog').values(rows).execute();
      return { result: {}, positions: [] };
    })
    .handle(joinCatalogGroup, async ({ data }) => {
      await model.write.deleteFrom('social.user_catalog_group').where('user_id', '=', data.userId).execute();
      if (data.groupId !== null)
        await model.write.insertInto('social.user_catalog_group').values({ user_id: data.userId, group_id: data.groupId }).execute();
      return { result: {}, positions: [] };
    });
};

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
  await model.write
    .insertInto('social.user')
    .values([account(1, 'ada', 100), account(2, 'mia', 75), account(3, 'bob', 25)])
    .execute();
  folder = await mkdtemp(join(tmpdir(), 'continuo-compat-roles-'));
  server = await compatServer(model.read, folder, { LOCALPLAY_CONTROLLER: 'mpd', SOCIABLE: 'true', SHARE: 'true', PODCAST: 'true' });
  keepWhatIsSent();
});
beforeEach(async () => {
  await model.write.deleteFrom('social.user_preference').execute();
});
afterAll(async () => {
  await server.app.close();
  await model.close();
  await rm(folder, { recursive: true });
});

const answer = async (operation: string, params: CallParams, as: TestAccount) => {
  const { body, type } = await server.call(operation, { ...params, f: 'json' }, as);
  return type.startsWith('application/json') ? JSON.parse(body)['subsonic-response'] : { status: 'ok' };
};
const codeOf = async (operation: string, params: CallParams, as: TestAccount): Promise<number | 'ok'> =>
  (await answer(operation, params, as)).error?.code ?? 'ok';
const flagsOf = async (username: string): Promise<Record<string, unknown>> => (await answer('getUser', { username }, 'ada')).user;

const roles = Object.keys(rolePreferences) as AccountRole[];

/** A call that needs the role, where this API has one. */
const needing: Readonly<Partial<Record<AccountRole, readonly [operation: string, params: CallParams]>>> = {
  stream: ['hls', { id: 'so-1' }],
  download: ['download', { id: 'so-999' }],
  settings: ['changePassword', { username: 'bob', password: 'new' }],
  playlist: ['createPlaylist', { name: 'Mine' }],
  comment: ['addChatMessage', { message: 'hello' }],
  podcast: ['refreshPodcasts', {}],
  share: ['createShare', { id: 'so-1' }],
  jukebox: ['jukeboxControl', { action: 'status' }],
};

describe('a role', () => {
  it.each(roles)('that is taken is shown and refused: %s', async (role) => {
    expect(await codeOf('updateUser', { username: 'bob', [`${role}Role`]: false }, 'ada')).toBe('ok');
    expect((await flagsOf('bob'))[`${role}Role`]).toBe(false);
    const call = needing[role];
    expect(call ? await codeOf(...call, 'bob') : 50).toBe(50);
  });

  it.each(['stream', 'download', 'settings', 'playlist', 'coverArt', 'comment', 'podcast', 'share', 'jukebox', 'videoConversion'] as const)(
    'that is given is shown and holds below its level: %s',
    async (role) => {
      expect(await codeOf('updateUser', { username: 'bob', [`${role}Role`]: true }, 'ada')).toBe('ok');
      expect((await flagsOf('bob'))[`${role}Role`]).toBe(true);
      const call = needing[role];
      expect(call ? await codeOf(...call, 'bob') : 'ok').not.toBe(50);
    },
  );

  it('that nothing is said of follows from the level', async () => {
    expect(await flagsOf('bob')).toMatchObject({ streamRole: true, podcastRole: false, coverArtRole: false, jukeboxRole: false });
    expect(await flagsOf('mia')).toMatchObject({ podcastRole: true, coverArtRole: true, videoConversionRole: false });
  });

  it('is kept from the beginning of an account', async () => {
    const flags = { streamRole: true, downloadRole: false, podcastRole: true };
    expect(await codeOf('createUser', { username: 'new', password: 'p', email: 'n@example.org', ...flags }, 'ada')).toBe('ok');
    const kept = await model.read
      .selectFrom('social.user_preference')
      .select(['user_id', 'preference_id', 'value'])
      .orderBy('preference_id')
      .execute();
    expect(kept).toEqual([
      { user_id: 9, preference_id: 1, value: '0' },
      { user_id: 9, preference_id: 120, value: '1' },
      { user_id: 9, preference_id: 124, value: '1' },
    ]);
  });
});

describe('music folders of an account', () => {
  const foldersOf = async (username: string): Promise<unknown> => (await flagsOf(username))['folder'];

  it('are what it sees, by a group that is made once', async () => {
    for (const username of ['bob', 'mia']) expect(await codeOf('updateUser', { username, musicFolderId: 'mf-2' }, 'ada')).toBe('ok');
    expect([await foldersOf('bob'), await foldersOf('mia')]).toEqual([[2], [2]]);
    expect(await model.read.selectFrom('social.catalog_group').selectAll().execute()).toEqual([{ id: 1, name: 'Folders 2' }]);
    expect(await codeOf('updateUser', { username: 'bob', musicFolderId: ['1', '2'] }, 'ada')).toBe('ok');
    expect(await foldersOf('bob')).toEqual([1, 2]);
    expect(await codeOf('updateUser', { username: 'mia', email: 'm@example.org' }, 'ada')).toBe('ok');
    expect(await foldersOf('mia')).toEqual([2]);
  });

  it('are those that there are', async () => {
    const before = await foldersOf('bob');
    for (const musicFolderId of ['99', 'so-1', 'nonsense'])
      expect(await codeOf('updateUser', { username: 'bob', musicFolderId }, 'ada')).toBe(70);
    const newer = { username: 'newer', password: 'p', email: 'n@example.org', musicFolderId: '99' };
    expect(await codeOf('createUser', newer, 'ada')).toBe(70);
    expect(await foldersOf('bob')).toEqual(before);
  });
});
