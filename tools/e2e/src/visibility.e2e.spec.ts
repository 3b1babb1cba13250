import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { scanFolder } from '@continuo/standalone';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { generateFiles } from '@continuo/media-fixtures';
import { administrator, Journey } from './journey.js';

const program = fileURLToPath(new URL('../../standalone/bundle/continuo.js', import.meta.url));
/** Within this time of a command's end every gateway has to know, ms. */
const KNOWN_WITHIN = { timeout: 20_000, interval: 10 };
const headers = { authorization: `Bearer ${administrator.apiKey}` };
const RULE_NAME = `rule ${randomUUID()}`;

let journey: Journey;

/** Runs the command line program as a person would. */
const cli = async (...args: string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, [program, '--data', join(journey.folder, 'data'), ...args]);
  return stdout.trim();
};

interface Listing {
  readonly total_count: number;
  readonly song: readonly { readonly id: string; readonly catalog: string; readonly url: string }[];
  readonly error?: { readonly errorCode: string };
}

const native = <T = Listing>(action: string, query: Record<string, string> = {}): Promise<T> =>
  journey.json<T>('/server/json.server.php', { action, version: '8.0.0', limit: 'none', ...query }, { headers });
const catalogsSeen = async (): Promise<string[]> => [...new Set((await native('songs')).song.map(({ catalog }) => catalog))].toSorted();
const compat = async (operation: string, query: Record<string, string> = {}): Promise<Record<string, never>> =>
  (
    await journey.json<Record<string, Record<string, never>>>(
      `/rest/${operation}`,
      { v: '1.16.1', c: 'e2e', f: 'json', ...query },
      { headers },
    )
  )['subsonic-response'] ?? {};

beforeAll(async () => {
  journey = await Journey.prepare();
  const folders = ['music', 'apart'].map((name) => join(journey.folder, name));
  for (const [seed, out] of folders.entries()) await generateFiles({ out, count: 8, formats: ['mp3'], seed: seed + 1, flat: false });
  await journey.start();
  for (const folder of folders) for await (const { done } of scanFolder(journey.server, folder)) if (done) break;
});
afterAll(() => journey.end());

describe('who belongs to a group of catalogs', () => {
  it('sees those alone, on every surface, from the next second on, and again everything afterwards', async () => {
    await vi.waitFor(async () => expect(await catalogsSeen()).toEqual(['1', '2']), { timeout: 10_000, interval: 100 });
    const all = await native('songs');
    const hidden = all.song.find(({ catalog }) => catalog === '2');
    expect(hidden).toBeDefined();
    await cli('catalog', 'group', 'add', 'Some', '1');
    expect(await cli('user', 'group', administrator.name, 'Some')).toBe(`${administrator.name} sees the catalogs of Some.`);
    await vi.waitFor(async () => expect(await catalogsSeen()).toEqual(['1']), KNOWN_WITHIN);
    expect((await native('song', { filter: hidden?.id ?? '' })).error?.errorCode).toBe('4704');
    expect((await journey.request(new URL(hidden?.url ?? '').pathname, { type: 'song', oid: hidden?.id ?? '' }, { headers })).status).toBe(
      404,
    );
    expect(await compat('getMusicFolders')).toMatchObject({ musicFolders: { musicFolder: [{ id: 1 }] } });
    expect(await compat('getSong', { id: `so-${hidden?.id}` })).toMatchObject({ error: { code: 70 } });
    expect(await native<{ songs: number; catalogs: number }>('ping')).toMatchObject({ songs: 8, catalogs: 1 });
    await cli('catalog', 'group', 'show', 'Some', '2');
    await vi.waitFor(async () => expect(await catalogsSeen()).toEqual(['1', '2']), KNOWN_WITHIN);
    await cli('catalog', 'group', 'hide', 'Some', '1', '2');
    await vi.waitFor(async () => expect(await native('songs')).toMatchObject({ total_count: 0 }), KNOWN_WITHIN);
    await cli('catalog', 'group', 'remove', 'Some', '--move-to', 'default');
    await vi.waitFor(async () => expect(await catalogsSeen()).toEqual(['1', '2']), KNOWN_WITHIN);
  });
});

describe('the access list', () => {
  it('admits and refuses from the next second on', async () => {
    const rpc = (await cli('access', 'list')).split('\n').filter((line) => line.includes(' rpc '));
    const ids = rpc.map((line) => line.trim().split(/\s+/)[0] ?? '');
    expect(ids).toHaveLength(2);
    for (const id of ids) await cli('access', 'disable', id);
    await vi.waitFor(async () => expect((await native('songs')).error?.errorCode).toBe('4742'), KNOWN_WITHIN);
    expect(await compat('getMusicFolders')).toMatchObject({ error: { code: 50 } });
    await cli('access', 'add', 'rpc', '127.0.0.0/8', '--user', administrator.name, '--name', RULE_NAME);
    await vi.waitFor(async () => expect(await catalogsSeen()).toEqual(['1', '2']), KNOWN_WITHIN);
    expect(await cli('access', 'list')).toContain(RULE_NAME);
  });
});
