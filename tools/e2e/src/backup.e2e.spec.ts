import { createHash } from 'node:crypto';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runCli, type CliRun } from '@continuo/continuo-cli/testkit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { formatNames, generateFiles } from '@continuo/media-fixtures';
import { administrator, Journey } from './journey.js';

// A whole server starts three times here, also on machines that have other things to do.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const FILES = 24;
const hash = (algorithm: 'md5' | 'sha256', text: string): string => createHash(algorithm).update(text).digest('hex');

let journey: Journey;
let session: string;
const data = (): string => join(journey.folder, 'data');
const kept = (): string => join(journey.folder, 'kept');
const cli = (...args: string[]): Promise<CliRun> => runCli({ CONTINUO_DATA: data() }, ...args);

const native = (action: string, query: Record<string, string> = {}): Promise<unknown> =>
  journey.json('/server/json.server.php', { action, auth: administrator.apiKey, ...query });
const compat = (operation: string, query: Record<string, string> = {}): Promise<unknown> => {
  const salt = 'backup';
  const login = { u: administrator.name, t: hash('md5', administrator.password + salt), s: salt, v: '1.16.1', c: 'journey', f: 'json' };
  return journey.json(`/rest/${operation}.view`, { ...login, ...query });
};

const shakeHands = async (): Promise<string> => {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const auth = hash('sha256', timestamp + hash('sha256', administrator.password));
  const answer = await journey.json<{ auth: string }>('/server/json.server.php', {
    action: 'handshake',
    auth,
    timestamp,
    user: administrator.name,
  });
  return answer.auth;
};

/** Whole answers of both surfaces; addresses in them name the port, which is another one after each start. */
const answers = async (): Promise<Record<string, unknown>> => {
  const asked: Record<string, unknown> = {};
  for (const action of ['songs', 'albums', 'artists', 'genres', 'playlists', 'catalogs', 'users'])
    asked[action] = await native(action, { limit: 'none' });
  asked['playlist'] = await native('playlist_songs', { filter: '1' });
  asked['album'] = await native('album', { filter: '1' });
  asked['rated'] = await native('advanced_search', { type: 'song', rule_1: 'myrating', rule_1_operator: '2', rule_1_input: '4' });
  asked['recent'] = await native('stats', { type: 'song', filter: 'recent' });
  for (const operation of ['getPlaylists', 'getStarred2', 'getArtists', 'getGenres', 'getMusicFolders'])
    asked[operation] = await compat(operation);
  asked['getAlbumList2'] = await compat('getAlbumList2', { type: 'alphabeticalByName', size: '100' });
  asked['frequent'] = await compat('getAlbumList2', { type: 'frequent', size: '100' });
  return JSON.parse(JSON.stringify(asked).replaceAll(journey.server.url, 'http://server')) as Record<string, unknown>;
};

const pictureOf = async (): Promise<string> => {
  const picture = await journey.request('/server/json.server.php', {
    action: 'get_art',
    auth: administrator.apiKey,
    type: 'album',
    id: '1',
  });
  return `${picture.status} ${hash('sha256', Buffer.from(await picture.arrayBuffer()).toString('base64'))}`;
};

beforeAll(async () => {
  journey = await Journey.prepare();
  await generateFiles({ out: journey.music, count: FILES, formats: formatNames, seed: 11, flat: false });
  await journey.start();
  await journey.scan();
  session = await shakeHands();
  await native('rate', { type: 'song', id: '3', rating: '4' });
  await native('flag', { type: 'album', id: '1', flag: '1' });
  await native('playlist_create', { name: 'Evening' });
  for (const song of ['2', '5', '3']) await native('playlist_add_song', { filter: '1', song });
  for (const id of ['2', '2', '7'])
    await native('record_play', { id, user: administrator.name, client: 'journey', date: String(1_767_225_600 + Number(id)) });
  await native('user_create', { username: 'listener', password: hash('sha256', 'their own words'), email: 'listener@example.org' });
});
afterAll(() => journey.end());

describe('a server that was lost', () => {
  it('comes back from a backup of its running days as it was', async () => {
    const [before, picture] = [await answers(), await pictureOf()];
    expect(before['songs']).toMatchObject({ total_count: FILES });
    expect(before['rated']).toMatchObject({ song: [{ id: '3' }] });
    await mkdir(kept());
    expect(await cli('backup', join(kept(), 'backup'))).toMatchObject({ err: '', exitCode: 0 });
    await copyFile(join(data(), 'secret'), join(kept(), 'secret'));
    expect(await cli('backup', 'verify', join(kept(), 'backup'))).toMatchObject({ exitCode: 0 });
    expect(await cli('restore', join(kept(), 'backup'))).toMatchObject({ exitCode: 1, err: expect.stringContaining('is running') });
    await native('playlist_create', { name: 'After the backup' });
    await journey.stop();
    await rm(data(), { recursive: true });

    await mkdir(data());
    expect(await cli('restore', join(kept(), 'backup'))).toMatchObject({ exitCode: 1, err: expect.stringContaining('secret') });
    await copyFile(join(kept(), 'secret'), join(data(), 'secret'));
    expect(await cli('restore', join(kept(), 'backup'))).toMatchObject({ err: '', exitCode: 0 });
    await journey.start();
    expect(await answers()).toEqual(before);
    expect(await pictureOf()).toBe(picture);
  });

  it('knows its clients: sessions, keys and passwords', async () => {
    expect(await journey.json('/server/json.server.php', { action: 'songs', auth: session, limit: '1' })).toMatchObject({
      total_count: FILES,
    });
    expect(await journey.json('/server/json.server.php', { action: 'ping', auth: administrator.apiKey })).toMatchObject({
      session_expire: expect.anything(),
    });
    expect(await compat('ping')).toMatchObject({ 'subsonic-response': { status: 'ok' } });
    expect(await shakeHands()).toEqual(expect.any(String));
    expect((await cli('user', 'list')).out).toContain('listener');
  });

  it('goes on: new things get new numbers, and tables are what the log says', async () => {
    expect(await native('playlist_create', { name: 'Morning' })).toMatchObject({ name: 'Morning', id: '2' });
    expect(await journey.scan()).toMatchObject({ state: 'finished', songs_added: 0, songs_changed: 0 });
    const verified = await cli('projections', 'rebuild', 'all', '--verify');
    expect(verified).toMatchObject({ err: '', exitCode: 0 });
    expect(verified.out).not.toContain('DIFFERS');
    expect((await cli('doctor')).out).toMatch(/ 0 failed/);
  });
});
