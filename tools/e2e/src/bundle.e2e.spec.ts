import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { generateFiles } from '@continuo/media-fixtures';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { environment } from './config.js';
import { administrator } from './journey.js';

const SOON = { timeout: 60_000, interval: 200 };
const repository = resolve(import.meta.dirname, '../../..');

interface Product {
  readonly makePackage: (folder: string) => Promise<ReadonlyMap<string, string>>;
  readonly addInstalled: (folder: string, needed: ReadonlyMap<string, string>) => void;
}

/** Makes the npm package below a folder, with what npm would install beside it, and answers its program. */
const installPackage = async (folder: string): Promise<string> => {
  // A program of the build, which is in no package.
  const { addInstalled, makePackage } = (await import(pathToFileURL(join(repository, 'tools/standalone/product.mjs')).href)) as Product;
  const target = join(folder, 'package');
  addInstalled(target, await makePackage(target));
  return join(target, 'bin/continuo-server.mjs');
};

describe.each<[string, (folder: string) => Promise<string>]>([
  ['the bundle of a checkout', () => Promise.resolve(join(repository, 'tools/standalone/bundle/main.js'))],
  ['the npm package', installPackage],
])('%s', (_, programIn) => {
  let folder: string;
  let server: ChildProcess;
  let url: string;

  const authorization = `Bearer ${administrator.apiKey}`;
  const get = (path: string): Promise<Response> => fetch(`${url}${path}`, { headers: { authorization } });

  const compat = (operation: string, query: Readonly<Record<string, string>> = {}): Promise<Response> =>
    get(
      `/rest/${operation}?${new URLSearchParams({ apiKey: administrator.apiKey, v: '1.16.1', c: 'spec', f: 'json', ...query }).toString()}`,
    );

  interface Song {
    readonly id: string;
    readonly title: string;
    readonly coverArt: string;
  }

  const songs = async (): Promise<readonly Song[]> => {
    const body = (await (await compat('search3', { query: '' })).json()) as {
      readonly 'subsonic-response': { readonly searchResult3: { readonly song?: readonly Song[] } };
    };
    return body['subsonic-response'].searchResult3.song ?? [];
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'continuo-bundle-'));
    const music = join(folder, 'music');
    await generateFiles({
      out: music,
      count: 4,
      seed: 1,
      flat: false,
      formats: ['mp3', 'flac'],
      shape: { songsPerAlbum: 2, albumsPerArtist: 1, art: 'folder' },
    });
    server = spawn(process.execPath, [await programIn(folder), '--music', music], {
      env: {
        ...environment,
        CONTINUO_CACHE: join(repository, '.cache'),
        CONTINUO_DATA: join(folder, 'data'),
        CONTINUO_ADMIN_PASSWORD: administrator.password,
        CONTINUO_ADMIN_API_KEY: administrator.apiKey,
        PORT: '0',
        METRICS_PORT: '0',
        PLUGINS: 'lrclib',
        LOG_LEVEL: 'error',
      },
      stdio: 'ignore',
    });
    await vi.waitFor(async () => {
      url = (JSON.parse(await readFile(join(folder, 'data/run/connection.json'), 'utf8')) as { readonly url: string }).url;
    }, SOON);
  });

  afterAll(async () => {
    server.kill('SIGTERM');
    await once(server, 'exit');
    await rm(folder, { recursive: true, force: true });
  });

  it('reads tags in its thread', async () => {
    await expect.poll(async () => (await songs()).length, SOON).toBe(4);
  });

  it.each(['/', '/docs', '/docs/swagger-ui-bundle.js', '/openapi/native-8.json', '/openapi/asyncapi.json'])('finds %s', async (path) => {
    expect((await get(path)).status).toBe(200);
  });

  it('makes pictures smaller and converts songs', async () => {
    const [{ id, coverArt } = { id: '', coverArt: '' }] = await songs();
    const picture = await compat('getCoverArt', { id: coverArt, size: '40' });
    const song = await compat('stream', { id, format: 'opus', maxBitRate: '64' });
    expect([picture.headers.get('content-type'), song.headers.get('content-type')]).toEqual([
      expect.stringMatching(/^image\//),
      expect.stringMatching(/^audio\/ogg/),
    ]);
    expect((await song.arrayBuffer()).byteLength).toBeGreaterThan(1000);
  });

  it('runs plug-ins and backups in threads', async () => {
    await expect
      .poll(async () => ((await (await get('/manage/v1/plugins')).json()) as { readonly items: readonly object[] }).items, SOON)
      .toEqual([expect.objectContaining({ name: 'lrclib', services: [expect.objectContaining({ state: 'ready' })] })]);
    const headers = { authorization, 'content-type': 'application/json' };
    const started = await fetch(`${url}/manage/v1/backups`, { method: 'POST', body: '{}', headers });
    const place = started.headers.get('location') ?? '';
    await expect.poll(async () => (await (await get(place)).json()) as object, SOON).toMatchObject({ state: 'done' });
  });
});

/** Has a process print what it loaded of Node, one name a line, when it ends. */
const PRINTED = `data:text/javascript,${encodeURIComponent("process.on('exit', () => console.log(process.moduleLoadList.join('\\n')))")}`;

it.each(['gateway', 'ingestion'])('the program %s begins without the HTTP client of the Web', async (name) => {
  const program = join(repository, `tools/standalone/bundle/${name}.js`);
  const child = spawn(process.execPath, ['--import', PRINTED, program], { env: environment, stdio: ['ignore', 'pipe', 'ignore'] });
  const [loaded] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect(loaded).toMatch(/^NativeModule http$/m);
  expect(loaded).not.toContain('undici');
});
