import { ownTestPostgres, testStandby, type OwnTestPostgres, type TestStandby } from '@continuo/local-servers';
import { readerLogin } from '@continuo/standalone';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { generateFiles } from '@continuo/media-fixtures';
import { administrator, Journey } from './journey.js';

/** So far behind is the replica at least; whoever does not wait for it sees what was before. */
const BEHIND_MS = 300;
const FILES = 8;
const headers = { authorization: `Bearer ${administrator.apiKey}` };
let primary: OwnTestPostgres;
let standby: TestStandby;
let journey: Journey;

interface Fault {
  readonly error?: { readonly errorCode: string };
}
const as =
  (authorization: string) =>
  <T>(action: string, query: Record<string, string> = {}): Promise<T & Fault> =>
    journey.json<T & Fault>('/server/json.server.php', { action, version: '8.0.0', ...query }, { headers: { authorization } });
const native = as(headers.authorization);

beforeAll(async () => {
  primary = await ownTestPostgres();
  const { url } = await primary.createDatabase();
  standby = await testStandby(primary, BEHIND_MS);
  journey = await Journey.prepareNew();
  await generateFiles({ out: journey.music, count: FILES, formats: ['mp3'], seed: 5, flat: false });
  const reader = await readerLogin(url, 'the password of the reader');
  await journey.start({ DATABASE_URL: url, DATABASE_READ_URL: standby.urlOf(reader), READ_YOUR_WRITES_TIMEOUT_MS: '20000' });
  await journey.scan();
  const songs = async (): Promise<number> => (await native<{ total_count: number }>('songs')).total_count;
  await vi.waitUntil(async () => (await songs()) === FILES, { timeout: 20_000, interval: 100 });
});
afterAll(async () => {
  await journey.end();
  await standby.stop();
  await primary.stop();
});

describe('a gateway that reads from a replica', () => {
  it('shows a client what it has just written', async () => {
    for (const name of ['one', 'two', 'three']) {
      const { id } = await native<{ id: string }>('playlist_create', { name, type: 'private' });
      await native('playlist_add', { filter: id, id: '2', type: 'song' });
      const { playlist } = await native<{ playlist: { name: string; items: number }[] }>('playlists', { filter: name, exact: '1' });
      expect(playlist.map((one) => [one.name, one.items])).toEqual([[name, 1]]);
    }
    await native('flag', { type: 'song', id: '3', flag: '1' });
    expect(await native<{ flag: boolean }>('song', { filter: '3' })).toMatchObject({ flag: true });
    await native('flag', { type: 'song', id: '3', flag: '0' });
    expect(await native<{ flag: boolean }>('song', { filter: '3' })).toMatchObject({ flag: false });
  });

  it('keeps no search that was made before a rating of the same client', async () => {
    const rule = { type: 'song', operator: 'and', rule_1: 'myrating', rule_1_operator: '2', rule_1_input: '5' };
    const found = async (): Promise<string[]> =>
      (await native<{ song: { id: string }[] }>('advanced_search', rule)).song.map(({ id }) => id).toSorted();
    for (const id of ['1', '2', '4']) {
      await native('rate', { type: 'song', id, rating: '5' });
      expect(await found()).toContain(id);
    }
    await native('rate', { type: 'song', id: '2', rating: '0' });
    expect(await found()).toEqual(['1', '4']);
  });

  it('lets nobody in by what was revoked', async () => {
    const { name: u, password: p } = administrator;
    const made = {
      u,
      p,
      v: '1.16.1',
      c: 'spec',
      f: 'json',
      username: 'guest',
      password: 'a password for guests',
      email: 'guest@example.org',
    };
    await journey.json('/rest/createUser.view', made);
    const login = { u: 'guest', p: 'a password for guests', v: '1.16.1', c: 'spec', f: 'json' };
    const status = async (): Promise<string> =>
      (await journey.json<{ 'subsonic-response': { status: string } }>('/rest/ping.view', login))['subsonic-response'].status;
    expect(await status()).toBe('ok');
    await native('user_edit', { username: 'guest', disable: '1' });
    expect(await status()).toBe('failed');
    await native('user_edit', { username: 'guest', disable: '0' });
    expect(await status()).toBe('ok');
    await native('user_delete', { username: 'guest' });
    expect(await status()).toBe('failed');
  });

  it('follows a preference from the moment that it is set', async () => {
    for (const value of ['32', '64', '96']) {
      await native('preference_edit', { filter: 'transcode_bitrate', value });
      expect(await native('user_preference', { filter: 'transcode_bitrate' })).toMatchObject({ value });
    }
  });

  it('refuses clearly while the replica is away, loses nothing that it acknowledges, and goes on when it is back', async () => {
    const health = async (): Promise<number> => (await journey.request('/health/ready')).status;
    expect(await health()).toBe(200);
    await standby.away();
    await expect.poll(health).toBe(503);
    expect((await native<{ error?: unknown }>('songs')).error).toMatchObject({ errorCode: '4702', errorType: 'system' });
    await standby.back();
    await expect.poll(health).toBe(200);
    expect(await native('songs')).toMatchObject({ total_count: FILES });
    const { id } = await native<{ id: string }>('playlist_create', { name: 'afterwards', type: 'private' });
    expect(await native('playlist', { filter: id })).toMatchObject({ name: 'afterwards' });
  });
});
