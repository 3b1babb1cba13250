import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administrator, Journey } from './journey.js';

type Answer = Readonly<Record<string, unknown>> & { readonly error?: { readonly errorCode: string; readonly errorType: string } };

const sha = (text: string): string => createHash('sha256').update(text).digest('hex');

let journey: Journey;

const native = (params: Record<string, string>, token?: string): Promise<Answer> => {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return journey.json('/server/json.server.php', { version: '8.0.0', ...params }, { headers });
};
const asAdministrator = (params: Record<string, string>): Promise<Answer> => native(params, administrator.apiKey);
const login = async (user: string, password: string): Promise<string | undefined> => {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const { auth } = await native({ action: 'handshake', user, timestamp, auth: sha(timestamp + sha(password)) });
  return auth as string | undefined;
};
const required = async (user: string, password: string): Promise<string> => {
  const token = await login(user, password);
  if (token === undefined) throw new Error(`${user} cannot log in`);
  return token;
};
const compat = async (operation: string, params: Record<string, string>): Promise<number | 'ok'> => {
  const query = { v: '1.16.1', c: 'e2e', f: 'json', ...params };
  const body = await journey.json<{ 'subsonic-response': { error?: { code: number } } }>(`/rest/${operation}.view`, query);
  return body['subsonic-response'].error?.code ?? 'ok';
};
const code = ({ error }: Answer): string | undefined => error?.errorCode;

beforeAll(async () => {
  journey = await Journey.prepare();
  await journey.start();
}, 120_000);
afterAll(() => journey.end(), 60_000);

describe('an account', () => {
  const ada = { username: 'ada', password: sha('first'), email: 'ada@example.org' };

  it('can log in with the very next call after it was made, and shows each change at once', async () => {
    expect(await asAdministrator({ action: 'user_create', ...ada, fullname: 'Ada L' })).toEqual({ success: 'successfully created: ada' });
    const token = await required('ada', 'first');
    for (let round = 0; round < 10; round += 1) {
      await asAdministrator({ action: 'user_edit', filter: 'ada', city: `Town ${round}` });
      expect(await native({ action: 'user' }, token)).toMatchObject({ city: `Town ${round}`, email: 'ada@example.org' });
    }
    expect(code(await asAdministrator({ action: 'user_create', ...ada }))).toBe('4710');
  });

  it('streams by its stream token, which opens nothing else', async () => {
    await asAdministrator({ action: 'user_edit', filter: 'ada', reset_streamtoken: '1', reset_apikey: '1' });
    const { streamtoken, auth } = (await asAdministrator({ action: 'user', filter: 'ada' })) as { streamtoken: string; auth: string };
    expect(await native({ action: 'users' }, auth)).toHaveProperty('user');
    expect(code(await native({ action: 'users' }, streamtoken))).toBe('4701');
    // There is no such song, but the door is open.
    expect((await journey.request('/play/index.php', { ssid: streamtoken, type: 'song', oid: '1' })).status).toBe(404);
    expect((await journey.request('/play/index.php', { ssid: streamtoken.replace(/.$/, 'x'), type: 'song', oid: '1' })).status).toBe(403);
    expect((await journey.request('/image.php', { auth: streamtoken, object_type: 'user', object_id: '1' })).status).toBe(403);
  });

  it('is out at once when it is disabled, and its session stays out', async () => {
    const token = await required('ada', 'first');
    await asAdministrator({ action: 'user_edit', filter: 'ada', disable: '1' });
    expect(code(await native({ action: 'users' }, token))).toBe('4701');
    expect(await login('ada', 'first')).toBeUndefined();
    await asAdministrator({ action: 'user_edit', filter: 'ada', disable: '0' });
    expect(code(await native({ action: 'users' }, token))).toBe('4701');
    expect(await login('ada', 'first')).toBeDefined();
  });

  it('loses its sessions with its password', async () => {
    const token = await required('ada', 'first');
    await asAdministrator({ action: 'user_edit', filter: 'ada', password: sha('second') });
    expect(code(await native({ action: 'users' }, token))).toBe('4701');
    expect(await login('ada', 'first')).toBeUndefined();
    expect(await login('ada', 'second')).toBeDefined();
  });

  it('of a player is made, changed and removed over the other API', async () => {
    const root = { u: administrator.name, p: administrator.password };
    expect(await compat('createUser', { ...root, username: 'cora', password: 'enc:636f7261', email: 'cora@example.org' })).toBe('ok');
    expect(await compat('ping', { u: 'cora', p: 'cora' })).toBe('ok');
    expect(await compat('changePassword', { u: 'cora', p: 'cora', username: 'cora', password: 'other' })).toBe('ok');
    expect(await compat('ping', { u: 'cora', p: 'cora' })).toBe(40);
    expect(await compat('ping', { u: 'cora', p: 'other' })).toBe('ok');
    expect(await login('cora', 'cora')).toBeDefined();
    expect(await compat('createUser', { u: 'cora', p: 'other', username: 'x', password: 'x', email: 'x@example.org' })).toBe(50);
    expect(await compat('deleteUser', { ...root, username: 'cora' })).toBe('ok');
    expect(await compat('ping', { u: 'cora', p: 'other' })).toBe(40);
  });

  it('is gone with all it opened when it is deleted, its name free, and the one administrator stays', async () => {
    const token = await required('ada', 'second');
    expect(code(await asAdministrator({ action: 'user_delete', filter: administrator.name }))).toBe('4710');
    expect(code(await asAdministrator({ action: 'user_edit', filter: administrator.name, disable: '1' }))).toBe('4710');
    expect(await asAdministrator({ action: 'user_delete', filter: 'ada' })).toEqual({ success: 'successfully deleted: ada' });
    expect(code(await native({ action: 'users' }, token))).toBe('4701');
    expect(code(await asAdministrator({ action: 'user', filter: 'ada' }))).toBe('4704');
    expect(await asAdministrator({ action: 'user_create', ...ada })).toHaveProperty('success');
    expect(await login('ada', 'second')).toBeUndefined();
    await journey.stop();
    await journey.start();
    expect(await login('ada', 'first')).toBeDefined();
    const { user } = (await asAdministrator({ action: 'users' })) as { user: readonly { username: string }[] };
    expect(user.map(({ username }) => username)).toEqual([administrator.name, 'ada']);
  }, 120_000);
});
