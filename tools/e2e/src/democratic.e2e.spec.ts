import { freePort } from '@continuo/local-servers';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sha256Hex, startService, type StartedService } from '@continuo/chassis';
import { gatewayService } from '@continuo/gateway';
import { scanFolder } from '@continuo/standalone';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { generateFiles } from '@continuo/media-fixtures';
import { administrator, Journey } from './journey.js';

/*
 * Three people vote, over two gateways; one of them sees the first catalog alone. What is heard is told by its bytes.
 */

const program = fileURLToPath(new URL('../../standalone/bundle/continuo.js', import.meta.url));
const PASSWORD = sha256Hex('a word of theirs');
const SONGS = 8;

let journey: Journey;
let second: StartedService;
let secondUrl = '';
/** Songs by the digest of their bytes. */
const byDigest = new Map<string, string>();
const tokens = new Map<string, string>();

const cli = (...args: string[]): Promise<unknown> =>
  promisify(execFile)(process.execPath, [program, '--data', join(journey.folder, 'data'), ...args]);

const urlOf = (gateway: 0 | 1): string => (gateway === 0 ? journey.server.url : secondUrl);

/** A call of the native API by one of the people, over one of the gateways. */
const native = async <T>(who: string, action: string, query: Record<string, string> = {}, gateway: 0 | 1 = 0): Promise<T> => {
  const params = new URLSearchParams({ action, version: '8.0.0', ...query }).toString();
  const answer = await fetch(`${urlOf(gateway)}/server/json.server.php?${params}`, {
    headers: { authorization: `Bearer ${tokens.get(who) ?? administrator.apiKey}` },
  });
  return (await answer.json()) as T;
};

type Voted = { readonly method: string; readonly result: boolean };
const vote = (who: string, oid: string, gateway: 0 | 1 = 0): Promise<Voted> => native(who, 'democratic', { method: 'vote', oid }, gateway);
const listed = async (who: string, gateway: 0 | 1 = 0): Promise<[string, number][]> => {
  const { song } = await native<{ song: readonly { id: string; vote: number }[] }>(who, 'democratic', { method: 'playlist' }, gateway);
  return song.map(({ id, vote: votes }) => [id, votes]);
};
const streamOf = async (who: string): Promise<string> => (await native<{ url: string }>(who, 'democratic', { method: 'play' })).url;

interface Heard {
  readonly status: number;
  readonly song: string | undefined;
  readonly bytes: Buffer;
}
/** Fetches what an address plays, over either gateway. */
const hear = async (url: string, init: RequestInit = {}, gateway: 0 | 1 = 0): Promise<Heard> => {
  const answer = await fetch(`${urlOf(gateway)}${new URL(url).pathname}${new URL(url).search}`, init);
  const bytes = Buffer.from(await answer.arrayBuffer());
  return { status: answer.status, song: byDigest.get(sha256Hex(bytes.toString('base64'))), bytes };
};
const range = (text: string): RequestInit => ({ headers: { range: text } });

const handshake = async (user: string): Promise<void> => {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const { auth } = await journey.json<{ auth: string }>('/server/json.server.php', {
    action: 'handshake',
    version: '8.0.0',
    user,
    timestamp,
    auth: sha256Hex(timestamp + PASSWORD),
  });
  tokens.set(user, auth);
};

beforeAll(async () => {
  journey = await Journey.prepare();
  const folders = ['music', 'apart'].map((name) => join(journey.folder, name));
  for (const [seed, out] of folders.entries()) await generateFiles({ out, count: SONGS, formats: ['mp3'], seed: seed + 1, flat: true });
  await journey.start();
  for (const folder of folders) for await (const { done } of scanFolder(journey.server, folder)) if (done) break;
  const port = await freePort();
  secondUrl = `http://127.0.0.1:${port}`;
  second = await startService(gatewayService, { ...journey.server.environment, PORT: String(port), HOST: '127.0.0.1' });
  const { song } = await native<{ song: readonly { id: string; filename: string }[] }>('admin', 'songs', { limit: 'none' });
  for (const { id, filename } of song) byDigest.set(sha256Hex((await readFile(filename)).toString('base64')), id);
  if (byDigest.size !== 2 * SONGS) throw new Error('some songs are missing, or not told apart by their bytes');
  for (const user of ['ada', 'bob'])
    await native('admin', 'user_create', { username: user, password: PASSWORD, email: `${user}@example.org` });
  await cli('catalog', 'group', 'add', 'Some', '1');
  await cli('user', 'group', 'bob', 'Some');
  for (const user of ['ada', 'bob']) await handshake(user);
}, 120_000);
afterAll(async () => {
  await second.stop();
  await journey.end();
});

const catalogOf = async (id: string): Promise<string> => (await native<{ catalog: string }>('admin', 'song', { filter: id })).catalog;
const songsOfCatalog = async (catalog: string): Promise<string[]> => {
  const { song } = await native<{ song: readonly { id: string }[] }>('admin', 'songs', { cond: `catalog,${catalog}`, limit: 'none' });
  return song.map(({ id }) => id);
};

describe('voting for what plays next', () => {
  it('counts votes of the same moment over two gateways, and plays by their number', async () => {
    const [first = '', other = ''] = await songsOfCatalog('1');
    const answers = await Promise.all([vote('admin', other, 0), vote('ada', first, 1), vote('bob', other, 1), vote('bob', other, 0)]);
    expect(answers).toEqual(answers.map(() => ({ method: 'vote', result: true })));
    await vi.waitFor(
      async () =>
        expect(await listed('admin', 1)).toEqual([
          [other, 2],
          [first, 1],
        ]),
      { timeout: 20_000, interval: 20 },
    );
    const url = await streamOf('ada');
    expect((await hear(url, {}, 1)).song).toBe(other);
    await vi.waitFor(async () => expect(await listed('ada')).toEqual([[first, 1]]), { timeout: 20_000, interval: 20 });
    expect((await hear(url, {}, 0)).song).toBe(first);
    await vi.waitFor(async () => expect(await listed('ada')).toEqual([]), { timeout: 20_000, interval: 20 });
  });

  it('stays with a song while its parts are fetched, over either gateway', async () => {
    const [first = '', other = ''] = await songsOfCatalog('1');
    await vote('ada', first);
    await vote('ada', other);
    await vote('bob', first);
    const url = `${await streamOf('ada')}&client=parts`;
    const looked = await hear(url, { method: 'HEAD' }, 1);
    expect(looked.status).toBe(200);
    expect(await listed('ada')).toHaveLength(2);
    const beginning = await hear(url, range('bytes=0-999'), 0);
    const rest = await hear(url, range('bytes=1000-'), 1);
    expect([beginning.status, rest.status]).toEqual([206, 206]);
    const whole = Buffer.concat([beginning.bytes, rest.bytes]);
    expect(byDigest.get(sha256Hex(whole.toString('base64')))).toBe(first);
    expect((await hear(url, range('bytes=0-'), 1)).song).toBe(first);
    await vi.waitFor(async () => expect(await listed('ada')).toEqual([[other, 1]]), { timeout: 20_000, interval: 20 });
    expect((await hear(url)).song).toBe(other);
  });

  it('is played by a player, a song at a time', async () => {
    const [first = '', other = ''] = await songsOfCatalog('1');
    await vote('ada', first);
    await vote('bob', first);
    await vote('ada', other);
    const url = `${await streamOf('ada')}&client=ffmpeg`;
    const decoded = async (): Promise<string> => (await promisify(execFile)('ffmpeg', ['-v', 'error', '-i', url, '-f', 'md5', '-'])).stdout;
    const { filename } = await native<{ filename: string }>('admin', 'song', { filter: first });
    const { stdout: expected } = await promisify(execFile)('ffmpeg', ['-v', 'error', '-i', filename, '-f', 'md5', '-']);
    expect(await decoded()).toBe(expected);
    await vi.waitFor(async () => expect(await listed('ada')).toEqual([[other, 1]]), { timeout: 20_000, interval: 20 });
    await native('ada', 'democratic', { method: 'devote', oid: other });
  });

  it('never brings to somebody what they may not see', async () => {
    const [hidden = ''] = await songsOfCatalog('2');
    const [seen = ''] = await songsOfCatalog('1');
    await vote('ada', hidden);
    await vote('admin', hidden);
    await vote('ada', seen);
    expect(await native('bob', 'democratic', { method: 'vote', oid: hidden })).toMatchObject({ error: { errorCode: '4704' } });
    expect(await listed('bob')).toEqual([[seen, 1]]);
    const url = await streamOf('bob');
    expect((await hear(url)).song).toBe(seen);
    for (let n = 0; n < 5; n += 1) expect(await catalogOf((await hear(url)).song ?? '')).toBe('1');
    expect(await listed('ada')).toEqual([[hidden, 2]]);
    expect((await hear(await streamOf('ada'))).song).toBe(hidden);
  });

  it('takes a vote back, also over a path', async () => {
    const [first = ''] = await songsOfCatalog('1');
    const rest = await fetch(`${journey.server.url}/rest/8/json/democratic/${first}?method=vote`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.get('ada') ?? ''}` },
    });
    expect(await rest.json()).toEqual({ method: 'vote', result: true });
    expect(await listed('ada')).toEqual([[first, 1]]);
    expect(await native('bob', 'democratic', { method: 'devote', oid: first })).toEqual({ method: 'devote', result: true });
    expect(await listed('ada')).toEqual([[first, 1]]);
    await native('ada', 'democratic', { method: 'devote', oid: first });
    expect(await listed('ada')).toEqual([]);
  });

  it('plays a list of the administrators when nobody votes, and lets songs rest', async () => {
    const [, , base = '', voted = ''] = await songsOfCatalog('1');
    const { id } = await native<{ id: string }>('admin', 'playlist_create', { name: 'Base', type: 'private' });
    await native('admin', 'playlist_add', { filter: id, id: base, object_type: 'song' });
    const set = (name: string, value: string) => native('admin', 'preference_edit', { filter: name, value, all: '1' });
    await set('demo_base_playlist', id);
    await set('demo_cooldown_minutes', '5');
    const url = await streamOf('bob');
    await vi.waitFor(async () => expect((await hear(url)).song).toBe(base), { timeout: 20_000, interval: 20 });
    await vote('ada', voted);
    expect((await hear(url)).song).toBe(voted);
    expect(await vote('ada', voted)).toEqual({ method: 'vote', result: false });
    expect((await hear(url)).song).toBe(base);
  });

  it('can be switched off', async () => {
    await native('admin', 'preference_edit', { filter: 'allow_democratic_playback', value: '0', all: '1' });
    await vi.waitFor(
      async () =>
        expect(await native('ada', 'democratic', { method: 'playlist' }, 1)).toMatchObject({
          error: { errorCode: '4703', errorMessage: 'Enable: allow_democratic_playback' },
        }),
      { timeout: 20_000, interval: 20 },
    );
    const address = `${journey.server.url}/play/index.php?demo_id=1&ssid=${tokens.get('ada') ?? ''}`;
    expect((await hear(address)).status).toBe(403);
  });
});
