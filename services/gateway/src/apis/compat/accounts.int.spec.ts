import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changeUser, deleteUser, registerUser, userId } from '@continuo/contracts';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { compatServer, type CallParams, type CompatServer, type TestAccount } from '../../../test/servers/compat-server.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';

let model: TestReadModel;
let server: CompatServer;
let folder: string;
let sent: { readonly verb: string; readonly data: Record<string, unknown> }[] = [];

const account = (id: number, username: string, access: number) => ({
  id,
  username,
  username_key: username,
  full_name: null,
  full_name_public: false,
  email: null,
  website: null,
  city: null,
  state: null,
  access,
  disabled: false,
  created_at_ms: 1,
});

beforeAll(async () => {
  model = await testReadModel();
  // The accounts of the test server, and another administrator.
  const accounts = [account(1, 'ada', 100), account(2, 'mia', 75), account(3, 'bob', 25), account(4, 'gus', 5), account(5, 'amy', 100)];
  await model.write.insertInto('social.user').values(accounts).execute();
  folder = await mkdtemp(join(tmpdir(), 'continuo-compat-accounts-'));
  server = await compatServer(model.read, folder);
  const keep = (verb: string, data: Record<string, unknown>): void => void sent.push({ verb, data });
  server.commands
    .handle(registerUser, async ({ data }) => {
      keep(registerUser.verb, data);
      return { result: { userId: userId.parse(9) }, positions: [] };
    })
    .handle(changeUser, async ({ data }) => {
      keep(changeUser.verb, data);
      return { result: {}, positions: [] };
    })
    .handle(deleteUser, async ({ data }) => {
      keep(deleteUser.verb, data);
      return { result: {}, positions: [] };
    });
});
beforeEach(() => {
  sent = [];
});
afterAll(async () => {
  await server.app.close();
  await model.close();
  await rm(folder, { recursive: true });
});

const answer = async (operation: string, params: CallParams, as: TestAccount): Promise<number | 'ok'> => {
  const { body } = await server.call(operation, { ...params, f: 'json' }, as);
  const response = (JSON.parse(body) as { 'subsonic-response': { status: string; error?: { code: number } } })['subsonic-response'];
  return response.error?.code ?? 'ok';
};

describe('accounts', () => {
  it.each(['mia', 'bob', 'gus'] as const)('are not %s’s to make, change or remove', async (as) => {
    const other = { username: 'amy', password: 'p', email: 'a@example.org' };
    for (const operation of ['createUser', 'updateUser', 'deleteUser', 'getUsers']) expect(await answer(operation, other, as)).toBe(50);
    for (const operation of ['changePassword', 'getUser', 'getAvatar']) {
      expect(await answer(operation, other, as)).toBe(50);
      // Who does not exist is refused just so.
      expect(await answer(operation, { ...other, username: 'nobody' }, as)).toBe(50);
    }
    expect(sent).toEqual([]);
  });

  it('change their own password, guests excepted', async () => {
    expect(await answer('changePassword', { username: 'BOB', password: 'enc:6e6577' }, 'bob')).toBe('ok');
    expect(sent).toMatchObject([{ verb: 'change-user', data: { userId: 3, compatPassword: 'new' } }]);
    expect(sent[0]?.data).not.toHaveProperty('password');
    expect(await answer('changePassword', { username: 'gus', password: 'new' }, 'gus')).toBe(50);
    expect(await answer('changePassword', { username: 'gus', password: 'new' }, 'ada')).toBe('ok');
  });

  it.each([
    [{}, 25],
    [{ adminRole: true }, 100],
    [{ coverArtRole: true }, 75],
    [{ adminRole: true, coverArtRole: true }, 100],
    [{ adminRole: false, streamRole: true }, 25],
  ])('are made with %o at level %i', async (flags, access) => {
    expect(await answer('createUser', { username: 'new', password: 'p', email: 'n@example.org', ...flags }, 'ada')).toBe('ok');
    expect(sent).toMatchObject([{ verb: 'register-user', data: { username: 'new', password: 'p', compatPassword: 'p', access } }]);
  });

  it.each([
    ['bob', {}, undefined],
    ['bob', { adminRole: true }, 100],
    ['bob', { adminRole: false, coverArtRole: false }, undefined],
    ['bob', { coverArtRole: true }, 75],
    ['mia', { coverArtRole: false }, 25],
    ['mia', { email: 'm@example.org' }, undefined],
    ['amy', { coverArtRole: true }, undefined],
    ['amy', { coverArtRole: false }, undefined],
    ['amy', { adminRole: false }, 25],
    ['amy', { adminRole: false, coverArtRole: true }, 75],
  ])('%s with %o gets level %s', async (username, flags, access) => {
    expect(await answer('updateUser', { username, ...flags }, 'ada')).toBe('ok');
    expect(sent[0]?.data['access']).toBe(access);
  });

  it('are removed, but neither one’s own nor an administrator', async () => {
    expect(await answer('deleteUser', { username: 'ada' }, 'ada')).toBe(50);
    expect(await answer('deleteUser', { username: 'amy' }, 'ada')).toBe(50);
    expect(await answer('deleteUser', { username: 'nobody' }, 'ada')).toBe(70);
    expect(await answer('deleteUser', {}, 'ada')).toBe(10);
    expect(sent).toEqual([]);
    expect(await answer('deleteUser', { username: 'Bob' }, 'ada')).toBe('ok');
    expect(sent).toMatchObject([{ verb: 'delete-user', data: { userId: 3 } }]);
  });

  it.each([
    { username: '', password: 'p', email: 'n@example.org' },
    { username: '12', password: 'p', email: 'n@example.org' },
    { username: 'a\u0001b', password: 'p', email: 'n@example.org' },
    { username: 'new', password: '', email: 'n@example.org' },
    { username: 'new', password: 'x'.repeat(1025), email: 'n@example.org' },
    { username: 'new', password: 'p', email: 'two words@example.org' },
    { username: 'n'.repeat(129), password: 'p', email: 'n@example.org' },
  ])('cannot be made of %o', async (params) => {
    expect(await answer('createUser', params, 'ada')).toBe(10);
    expect(sent).toEqual([]);
  });

  it('show their picture and limit to themselves and administrators', async () => {
    const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#123456' } })
      .jpeg()
      .toBuffer();
    const avatarHash = await server.artStore.put(picture);
    await model.write.updateTable('social.user').set({ avatar_hash: avatarHash, max_bitrate_bps: 128_000 }).where('id', '=', 3).execute();
    for (const as of ['bob', 'ada'] as const) {
      expect(await server.call('getAvatar', { username: 'bob' }, as)).toMatchObject({ status: 200, type: 'image/jpeg' });
      expect((await server.call('getUser', { username: 'bob', f: 'json' }, as)).body).toContain('"maxBitRate":128');
    }
    expect(await answer('getAvatar', { username: 'mia' }, 'ada')).toBe(70);
  });
});
