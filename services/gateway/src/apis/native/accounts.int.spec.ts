import { InMemoryCommandClient } from '@continuo/chassis/testkit';
import {
  changeUser,
  clearPlays,
  deleteUser,
  joinCatalogGroup,
  recoverPassword,
  registerUser,
  Rejection,
  signUp,
  userId,
} from '@continuo/contracts';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LocalArtStore } from '@continuo/media-store';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { fixedAuth, seedTestAccounts, startTestGateway, testAccounts, type TestGateway } from '../../../test/servers/test-gateway.js';

let model: TestReadModel;
let gateway: TestGateway;
let closed: TestGateway;
let sent: { readonly verb: string; readonly data: Record<string, unknown> }[] = [];
let admitted: string[] = [];
const SHA = 'ab'.repeat(32);
const { admin, listener } = testAccounts;

beforeAll(async () => {
  model = await testReadModel();
  await seedTestAccounts(model.write);
  await model.write
    .updateTable('social.user')
    .set({ full_name: 'Root', email: 'root@example.org', city: 'Graz' })
    .where('id', '=', 1)
    .execute();
  await model.write
    .updateTable('social.user')
    .set({ sealed_stream_token: 'its-stream-token', email: 'listener@example.org' })
    .where('id', '=', 2)
    .execute();
  await model.write
    .insertInto('social.api_key')
    .values({
      key_id: 'k',
      user_id: 2,
      name: 'default',
      sha256: 'x',
      sealed_key: 'its-key',
      issued_at_ms: 1,
      scopes: null,
      expires_at_ms: null,
    })
    .execute();
  await model.write.insertInto('social.catalog_group').values({ id: 4, name: 'children' }).execute();
  const keep = (verb: string, data: object): void => void sent.push({ verb, data: data as Record<string, unknown> });
  const commands = new InMemoryCommandClient()
    .handle(registerUser, async ({ data }) => {
      keep('register', data);
      return { result: { userId: userId.parse(9) }, positions: [] };
    })
    .handle(changeUser, async ({ data }) => {
      keep('change', data);
      return { result: {}, positions: [] };
    })
    .handle(clearPlays, async ({ data }) => {
      keep('clear', data);
      return { result: {}, positions: [] };
    })
    .handle(deleteUser, async ({ data }) => {
      keep('delete', data);
      return { result: {}, positions: [] };
    })
    .handle(joinCatalogGroup, async ({ data }) => {
      keep('join', data);
      return { result: {}, positions: [] };
    })
    .handle(signUp, async ({ data }) => {
      keep('sign-up', data);
      return { result: { awaiting: null }, positions: [] };
    })
    .handle(recoverPassword, async ({ data }) => {
      keep('recover', data);
      if (data.proof === 'no mail') throw new Rejection('feature.disabled', undefined, 'mail');
      return { result: {}, positions: [] };
    });
  const auth = {
    ...fixedAuth(),
    limitUnauthenticated: async (_request: unknown, act: string, about = '') => {
      admitted.push(`${act} ${about}`.trim());
      if (about === 'often') throw new Rejection('auth.throttled', 'Too many tries', 'account');
    },
  };
  gateway = await startTestGateway(model.read, { commands, auth, settings: { ALLOW_PUBLIC_REGISTRATION: true } });
  closed = await startTestGateway(model.read, { commands, auth });
});
beforeEach(() => {
  sent = [];
  admitted = [];
});
afterAll(async () => {
  await gateway.stop();
  await closed.stop();
  await model.close();
});

type Answer = Readonly<Record<string, unknown>> & { readonly error?: { readonly errorCode: string; readonly errorType: string } };
const ask = async (params: Record<string, string>, token: string = admin.token, version = '8.0.0', server = gateway): Promise<Answer> => {
  const query = new URLSearchParams({ version, ...params }).toString();
  const headers = token === '' ? {} : { authorization: `Bearer ${token}` };
  return (await server.app.inject({ url: `/server/json.server.php?${query}`, headers })).json();
};
const fault = ({ error }: Answer): string => (error ? `${error.errorCode} ${error.errorType}` : 'none');

describe('an account', () => {
  const PRIVATE = ['auth', 'email', 'access', 'streamtoken', 'fullname_public', 'validation', 'disabled', 'fullname'];

  it('is shown whole to itself and to administrators, and otherwise without what is private', async () => {
    const [own, asked] = [await ask({ action: 'user' }, listener.token), await ask({ action: 'user', filter: 'listener' })];
    for (const whole of [own, asked]) {
      expect(whole).toMatchObject({ auth: 'its-key', streamtoken: 'its-stream-token', email: 'listener@example.org', access: 25 });
    }
    const other = await ask({ action: 'user', filter: 'admin' }, listener.token);
    expect(other).toMatchObject({ id: '1', username: 'admin', city: 'Graz' });
    for (const name of PRIVATE) expect(other).not.toHaveProperty(name);
  });

  it('shows its full name to others only when it wants to', async () => {
    await model.write.updateTable('social.user').set({ full_name_public: true }).where('id', '=', 1).execute();
    expect(await ask({ action: 'user', filter: 'admin' }, listener.token)).toMatchObject({ fullname: 'Root' });
    await model.write.updateTable('social.user').set({ full_name_public: false }).where('id', '=', 1).execute();
  });

  it('has a picture that is sent as bytes', async () => {
    const store = new LocalArtStore(`${gateway.dataFolder}/art`);
    const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#123456' } })
      .jpeg()
      .toBuffer();
    await model.write
      .updateTable('social.user')
      .set({ avatar_hash: await store.put(picture) })
      .where('id', '=', 2)
      .execute();
    const get = (url: string) => gateway.app.inject({ url, headers: { authorization: `Bearer ${admin.token}` } });
    expect(await ask({ action: 'user', filter: 'listener' })).toMatchObject({ has_art: true });
    for (const url of [
      '/server/json.server.php?action=get_art&type=user&filter=2&version=8.0.0',
      '/image.php?object_type=user&object_id=2',
    ]) {
      expect((await get(url)).headers['content-type']).toBe('image/jpeg');
    }
    expect((await get('/server/json.server.php?action=get_art&type=user&filter=1&version=8.0.0')).statusCode).toBe(404);
  });
});

describe('what administrators do', () => {
  it.each(['user_create', 'user_edit', 'user_delete'])('is refused to others: %s', async (action) => {
    const params = { action, filter: 'listener', username: 'listener', password: SHA, email: 'x@example.org', city: 'x' };
    expect(fault(await ask(params, listener.token))).toBe('4742 account');
    expect(fault(await ask(params, ''))).toBe('4701 account');
    expect(sent).toEqual([]);
  });

  it('edits only what is sent, and reads bit rates as the version counts them', async () => {
    await ask({ action: 'user_edit', filter: '2', maxbitrate: '128000' });
    await ask({ action: 'user_edit', username: 'listener', maxbitrate: '128' }, admin.token, '6.9.2');
    await ask({ action: 'user_update', username: 'listener', maxbitrate: '128', reset_apikey: '1' }, admin.token, '5.5.6');
    expect(sent.map(({ data }) => data['maxBitrateBps'])).toEqual([128_000, 128_000, 128_000]);
    const named = sent.map(({ data }) => Object.keys(data).filter((name) => data[name] !== undefined && data[name] !== false));
    for (const names of named) expect(names).toEqual(['userId', 'maxBitrateBps']);
  });

  it('forgets what an account played when it is asked to, in versions that know of it', async () => {
    await ask({ action: 'user_edit', filter: 'listener', clear_stats: '1', city: 'x' });
    await ask({ action: 'user_edit', username: 'listener', clear_stats: '0' });
    await ask({ action: 'user_edit', username: 'listener', clear_stats: '1' }, admin.token, '5.5.6');
    await ask({ action: 'user_edit', filter: 'listener', clear_stats: '1', email: 'nowhere' });
    await ask({ action: 'user_edit', filter: 'listener', clear_stats: '1' }, listener.token);
    expect(sent.filter(({ verb }) => verb === 'clear')).toEqual([{ verb: 'clear', data: { userId: 2 } }]);
  });

  it('takes the older name first', async () => {
    await ask({ action: 'user_edit', username: 'listener', filter: 'admin', city: 'Graz' });
    expect(sent).toMatchObject([{ verb: 'change', data: { userId: 2, city: 'Graz' } }]);
  });

  it('makes nobody who sees more than the group, not even for a moment', async () => {
    await ask({ action: 'user_create', username: 'kid', password: SHA, email: 'kid@example.org', group: '4' });
    expect(sent).toMatchObject([
      { verb: 'register', data: { disabled: true, access: 25, passwordSha256: SHA } },
      { verb: 'join', data: { userId: 9, groupId: 4 } },
      { verb: 'change', data: { userId: 9, disabled: false } },
    ]);
    sent = [];
    expect(fault(await ask({ action: 'user_create', username: 'kid', password: SHA, email: 'kid@example.org', group: '5' }))).toBe(
      '4710 group',
    );
    await ask({ action: 'user_edit', filter: 'listener', group: '0' });
    expect(sent).toMatchObject([{ verb: 'join', data: { userId: 2, groupId: null } }, { verb: 'change' }]);
  });

  it.each([
    [{ action: 'user_create', username: '17', password: SHA, email: 'x@example.org' }, '4710 username'],
    [{ action: 'user_create', username: ' ', password: SHA, email: 'x@example.org' }, '4710 username'],
    [{ action: 'user_create', username: 'a\u0007', password: SHA, email: 'x@example.org' }, '4710 username'],
    [{ action: 'user_create', username: 'x', password: SHA, email: 'x@example.org', fullname: 'x'.repeat(256) }, '4710 fullname'],
    [{ action: 'user_create', username: 'x', password: 'plain', email: 'x@example.org' }, '4710 password'],
    [{ action: 'user_edit', filter: 'listener', email: 'nowhere' }, '4710 email'],
    [{ action: 'user_edit', filter: 'listener', website: 'javascript:alert(1)' }, '4710 website'],
    [{ action: 'user_edit', filter: 'listener', website: ' Data:text/html,x' }, '4710 website'],
    [{ action: 'user_edit', filter: 'listener', maxbitrate: '-1' }, '4710 maxbitrate'],
    [{ action: 'user_edit', filter: 'listener', maxbitrate: '999999999' }, '4710 maxbitrate'],
    [{ action: 'user_edit', filter: 'admin', password: SHA }, '4710 password'],
    [{ action: 'user_edit', filter: '999' }, '4710 filter'],
    [{ action: 'user_edit', filter: '' }, '4710 filter'],
    [{ action: 'user_edit' }, '4710 system'],
    [{ action: 'user_delete', filter: 'admin' }, '4710 filter'],
    [{ action: 'user_delete', filter: '1' }, '4710 filter'],
  ])('changes nothing with %o', async (params, expected) => {
    expect(fault(await ask(params))).toBe(expected);
    expect(sent).toEqual([]);
  });

  it('never repeats a password that it refuses', async () => {
    const answer = await ask({ action: 'user_create', username: 'x', password: 'my clear password', email: 'x@example.org' });
    expect(JSON.stringify(answer)).not.toContain('my clear');
  });
});

describe('strangers', () => {
  const stranger = { action: 'register', username: 'new', password: SHA.toUpperCase(), email: 'new@example.org' };

  it('sign up where that is open, and not more often than they may', async () => {
    expect(await ask(stranger, '')).toHaveProperty('success');
    expect(sent).toMatchObject([{ verb: 'sign-up', data: { username: 'new', passwordSha256: SHA } }]);
    expect(admitted).toEqual(['register']);
    expect(fault(await ask({ action: 'register', username: 'new' }, ''))).toBe('4710 system');
    expect(fault(await ask(stranger, '', '8.0.0', closed))).toBe('4703 system');
    expect(fault(await ask({ action: 'register' }, '', '8.0.0', closed))).toBe('4703 system');
    expect(sent).toHaveLength(1);
  });

  it('sign up over REST by POST alone', async () => {
    const payload = new URLSearchParams(stranger).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const post = await gateway.app.inject({ method: 'POST', url: '/rest/8/json/register', payload, headers });
    expect(post.json()).toHaveProperty('success');
    const get = await gateway.app.inject({ url: `/rest/8/json/register?${payload}` });
    expect(fault(get.json())).toBe('4700 system');
    expect(sent).toHaveLength(1);
  });

  it('get the same answer after the same time whatever they ask a password for', async () => {
    const answers: Answer[] = [];
    for (const proof of [SHA, '1-wrong', '']) {
      const startedMs = performance.now();
      answers.push(await ask({ action: 'lost_password', auth: proof }, ''));
      expect(performance.now() - startedMs).toBeGreaterThanOrEqual(245);
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(fault(await ask({ action: 'lost_password' }, ''))).toBe('4710 system');
    expect(fault(await ask({ action: 'lost_password', auth: 'often' }, ''))).toBe('4742 account');
    expect(fault(await ask({ action: 'lost_password', auth: 'no mail' }, ''))).toBe('4703 system');
  });
});
