import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runCli } from '@continuo/continuo-cli/testkit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { administrator, Journey } from './journey.js';

const sha = (text: string): string => createHash('sha256').update(text).digest('hex');
const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
const SECRETS = ['first', 'second', 'third'].map((name) => `${name} secret, of more than thirty-two characters`) as [
  string,
  string,
  string,
];

let journey: Journey;
beforeEach(async () => {
  journey = await Journey.prepareNew();
}, 60_000);
afterEach(() => journey.end(), 60_000);

type Answer = Readonly<Record<string, unknown>>;
const native = (params: Record<string, string>): Promise<Answer> =>
  journey.json('/server/json.server.php', { version: '8.0.0', ...params });

/** The token of a new session; undefined when there is none. */
const login = async (): Promise<unknown> => {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const auth = sha(timestamp + sha(administrator.password));
  return (await native({ action: 'handshake', user: administrator.name, timestamp, auth }))['auth'];
};

/** Every way into an account that has to do with what is sealed: login, players' digests, a key, and its personal data. */
const waysIn = async (): Promise<Readonly<Record<string, unknown>>> => {
  const { name, password, apiKey } = administrator;
  const token = await login();
  const player = { v: '1.16.1', c: 'e2e', f: 'json', u: name, s: 'salt', t: md5(`${password}salt`) };
  const pinged = await journey.json<{ 'subsonic-response': { status: string } }>('/rest/ping.view', player);
  const { email } = await native({ action: 'user', filter: 'ada', auth: apiKey });
  const twice = await native({ action: 'user_create', username: 'ADA', password: sha('x'), email: 'other@example.org', auth: apiKey });
  return { login: typeof token, player: pinged['subsonic-response'].status, email, nameIsTaken: 'error' in twice };
};
const allOpen = { login: 'string', player: 'ok', email: 'ada@example.org', nameIsTaken: true };
const cli = (...args: string[]) => runCli({ CONTINUO_DATA: join(journey.folder, 'data') }, ...args);

const addAda = (): Promise<Answer> =>
  native({ action: 'user_create', username: 'ada', password: sha('ada'), email: 'ada@example.org', auth: administrator.apiKey });
const secretFile = (): string => join(journey.folder, 'data', 'secret');

describe('the secret of a server', () => {
  it('is replaced while it runs, by a new one in its file', async () => {
    await journey.start();
    await addAda();
    const session = await login();
    const before = await readFile(secretFile(), 'utf8');

    const rotated = await cli('secrets', 'rotate');
    expect(rotated).toMatchObject({ exitCode: 0, err: '' });
    expect(rotated.out).toMatch(/is [0-9a-f]{12} now\.\n2 keys of accounts/);
    const after = await readFile(secretFile(), 'utf8');
    expect(after).toMatch(/^[0-9a-f]{64}\n$/);
    expect(after).not.toBe(before);
    expect(await waysIn()).toEqual(allOpen);
    // Nobody is logged out.
    expect(await native({ action: 'users', auth: String(session) })).toHaveProperty('user');

    await journey.stop();
    await journey.start();
    expect(await waysIn()).toEqual(allOpen);
    // A key that was made in between, under the secret before, was wrapped anew by the start.
    const { out } = await cli('secrets', 'status');
    expect(out).toMatch(/ hold +\d+\n.* hold until .* 0\n/);
    expect(out).toContain('CONTINUO_SECRET_PREVIOUS is not needed');
    expect(out).not.toContain(before.trim());
  }, 180_000);

  it('is replaced by the settings, with the one before beside it, and the tables come back from the log under it', async () => {
    const [first, second, third] = SECRETS;
    await journey.start({}, first);
    await addAda();
    await journey.stop();

    await expect(journey.start({}, second)).rejects.toThrow(/CONTINUO_SECRET is not the secret of this server's data/);
    await journey.start({ CONTINUO_SECRET_PREVIOUS: first }, second);
    const env = { CONTINUO_DATA: join(journey.folder, 'data'), CONTINUO_SECRET: second, CONTINUO_SECRET_PREVIOUS: first };
    expect((await runCli(env, 'secrets', 'status')).out).toContain('until "continuo secrets rotate" has run');
    expect(await waysIn()).toEqual(allOpen);
    expect(await runCli(env, 'secrets', 'rotate')).toMatchObject({ exitCode: 0 });
    expect(await waysIn()).toEqual(allOpen);
    await journey.stop();

    await expect(journey.start({}, third)).rejects.toThrow(/CONTINUO_SECRET is not the secret of this server's data/);
    for (const name of ['postgres', 'postgres.password']) await rm(join(journey.folder, 'data', name), { recursive: true, force: true });
    await journey.start({}, second);
    expect(await waysIn()).toEqual(allOpen);
  }, 240_000);

  it('can be lost: the server starts when it is told so, keys go on working, and passwords are set anew', async () => {
    const [first, second] = SECRETS;
    await journey.start({}, first);
    await journey.stop();
    await journey.start({ CONTINUO_SECRET_LOST: 'true' }, second);
    const { name, apiKey, password } = administrator;
    expect(await native({ action: 'users', auth: apiKey })).toHaveProperty('user');
    expect(await login()).toBeUndefined();
    expect(await cli('user', 'password', name, '--password', password)).toMatchObject({ err: '', exitCode: 0 });
    // The command line does not wait until every gateway knows.
    await vi.waitFor(async () => expect(await login()).toBeTypeOf('string'), 20_000);
  }, 180_000);
});
