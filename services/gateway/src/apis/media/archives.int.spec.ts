import { once } from 'node:events';
import { mkdtemp, readdir, readlink, rm, truncate, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as yauzl from 'yauzl';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { insertEpisode, insertPodcast } from '../../../test/library/podcast-fixture.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { seedTestAccounts, startTestGateway, testAccounts, type TestGateway } from '../../../test/servers/test-gateway.js';

const token = testAccounts.listener.token;
let model: TestReadModel;
let gateway: TestGateway;
let music = '';

const song = (fileName: string, track: number, album = 'Disk: "One"') => ({
  title: `Song/${track}`,
  album,
  artists: ['../Artist'],
  folder: '',
  fileName,
  catalogId: 1,
  track,
});

beforeAll(async () => {
  music = await mkdtemp(join(tmpdir(), 'gateway-archives-'));
  await writeFile(join(music, '1.flac'), 'the first');
  await writeFile(join(music, '2.flac'), 'the second');
  await writeFile(join(music, 'large.flac'), '');
  await truncate(join(music, 'large.flac'), 200_000_000);
  model = await testReadModel();
  await seedFixtureLibrary(model.write, [
    song('1.flac', 1),
    song('2.flac', 2),
    song('gone.flac', 3),
    song('lost.flac', 1, 'Lost'),
    song('large.flac', 1, 'Large'),
  ]);
  await seedTestAccounts(model.write);
  await sql`update library.catalog set path = ${music}`.execute(model.write);
  await insertPodcast(model.write, { id: 1, catalog_id: 1, title: 'Talks' });
  const episode = (id: number, title: string, path: string | null) =>
    insertEpisode(model.write, { id, podcast_id: 1, catalog_id: 1, title, path, format: 'mp3', published_at_ms: Date.UTC(2026, 0, id) });
  await episode(1, '../Talk', '1.flac');
  await episode(2, 'Talk', '2.flac');
  await episode(3, 'Elsewhere', null);
  gateway = await startTestGateway(model.read, { settings: { ZIP_STREAMS: 1, ZIP_MAX_FILES: 4 } });
  await gateway.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await gateway.stop();
  await model.close();
  await rm(music, { recursive: true, force: true });
});

const base = (): string => {
  const address = gateway.app.server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen');
  return `http://127.0.0.1:${address.port}`;
};
const path = (type: string, filter: number | string): string =>
  `/server/json.server.php?action=download&zip=1&type=${type}&filter=${filter}&auth=${token}`;
const idOf = async (album: string): Promise<number> =>
  (await model.write.selectFrom('library.album').select('id').where('name', '=', album).executeTakeFirstOrThrow()).id;

interface Unpacker {
  eachEntry(): AsyncIterable<{ readonly fileName: string }>;
  openReadStreamPromise(entry: { readonly fileName: string }): Promise<Readable>;
}
// Its types are older than it is.
const { fromBufferPromise } = yauzl as unknown as { readonly fromBufferPromise: (bytes: Buffer) => Promise<Unpacker> };

/** Unpacks an archive. */
const unpacked = async (bytes: Buffer): Promise<Record<string, string>> => {
  const zip = await fromBufferPromise(bytes);
  const files: Record<string, string> = {};
  for await (const entry of zip.eachEntry()) files[entry.fileName] = String(await buffer(await zip.openReadStreamPromise(entry)));
  return files;
};

describe('archives', () => {
  it('hold the files of an album and the names of what is missing', async () => {
    const response = await fetch(base() + path('album', await idOf('Disk: "One"')));
    expect(response.status).toBe(200);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(bytes.length),
      'content-disposition': expect.stringContaining('attachment; filename="Disk_ _One_.zip"'),
    });
    expect(await unpacked(bytes)).toEqual({
      '01 Song_1.flac': 'the first',
      '02 Song_2.flac': 'the second',
      'missing files.txt': '03 Song_3.flac\n',
    });
  });
  it('hold a song', async () => {
    expect(await unpacked(Buffer.from(await (await fetch(base() + path('song', 1))).arrayBuffer()))).toEqual({
      '01 .._Artist - Song_1.flac': 'the first',
    });
  });
  it('are what the compatibility API downloads of an album or an artist', async () => {
    const download = (id: string): Promise<Response> => fetch(`${base()}/rest/download?auth=${token}&v=1.16.1&c=x&f=json&id=${id}`);
    const album = await download(`al-${await idOf('Disk: "One"')}`);
    expect(Object.keys(await unpacked(Buffer.from(await album.arrayBuffer())))).toHaveLength(3);
    expect(await (await download('ar-1')).json()).toMatchObject({ 'subsonic-response': { error: { code: 0 } } });
    expect(await (await download('al-999')).json()).toMatchObject({ 'subsonic-response': { error: { code: 70 } } });
  });
  it('are the kept files of a podcast, or of an episode, named by date and title', async () => {
    const names = async (type: string, id: number) =>
      Object.keys(await unpacked(Buffer.from(await (await fetch(base() + path(type, id))).arrayBuffer())));
    expect(await names('podcast', 1)).toEqual(['001 2026-01-01 .._Talk.mp3', '002 2026-01-02 Talk.mp3']);
    expect(await names('podcast_episode', 2)).toEqual(['001 2026-01-02 Talk.mp3']);
  });
  it('are told by HEAD', async () => {
    const response = await fetch(base() + path('album', await idOf('Large')), { method: 'HEAD' });
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(200_000_000);
  });
  it.each([
    ['more files than an archive may have', 'artist', 1, 400],
    ['nothing', 'album', 999, 404],
    ['what has no songs', 'label', 1, 400],
    ['a podcast that there is not', 'podcast', 999, 404],
    ['an episode whose file is not here', 'podcast_episode', 3, 404],
  ])('are refused for %s', async (_, type, filter, status) => {
    expect((await fetch(base() + path(type, filter))).status).toBe(status);
  });
  it('are refused when no file is there', async () => {
    expect((await fetch(base() + path('album', await idOf('Lost')))).status).toBe(404);
  });
  it('are bounded, and give back place and file when the client goes away', async () => {
    const url = base() + path('album', await idOf('Large'));
    const request = http.get(url);
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    await once(response, 'readable');
    const busy = await fetch(url);
    expect(busy.status).toBe(429);
    await busy.arrayBuffer();
    request.destroy();
    const isOpen = async (): Promise<boolean> => {
      const links = await Promise.all((await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
      return links.some((link) => link.endsWith('large.flac'));
    };
    await expect.poll(isOpen).toBe(false);
    await expect.poll(async () => (await fetch(url, { method: 'HEAD' })).status).toBe(200);
  });
  it('are files of any other version', async () => {
    const response = await fetch(`${base()}/rest/6/json/songs/1/download?auth=${token}&zip=1&type=song`);
    expect(await response.text()).toBe('the first');
  });
});
