import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { credentialSealer } from '@continuo/chassis';
import type { CatalogId, ScanTable } from '@continuo/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sealedCredentials } from '@continuo/media-store';
import { ScanBench } from '../../test/scan-bench.js';

type Song = Readonly<Record<string, unknown>> & { readonly id: string };

let bench: ScanBench;
let server: Server;
let url: string;
let songs: Song[];
/** Answers in place of the stand-in; undefined lets it answer. */
let instead: (operation: string, request: IncomingMessage, response: ServerResponse) => boolean;
let operations: string[];
let catalog: CatalogId;
let nextCatalog = 1;

const ok = (more: object) => JSON.stringify({ 'subsonic-response': { status: 'ok', version: '1.16.1', ...more } });
const failed = (code: number) =>
  JSON.stringify({ 'subsonic-response': { status: 'failed', version: '1.16.1', error: { code, message: 'no' } } });

/** As much of another server as a scan asks. */
const standIn = (request: IncomingMessage, response: ServerResponse): void => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
  const operation = /\/rest\/(\w+)\.view$/.exec(pathname)?.[1] ?? '';
  operations.push(operation);
  if (instead(operation, request, response)) return;
  const json = (text: string) => void response.writeHead(200, { 'content-type': 'application/json' }).end(text);
  if (operation === 'ping') return json(ok({}));
  if (operation === 'search3') {
    const from = Number(searchParams.get('songOffset'));
    return json(ok({ searchResult3: { song: songs.slice(from, from + 3) } }));
  }
  if (operation === 'getSong') {
    const song = songs.find(({ id }) => id === searchParams.get('id'));
    return json(song ? ok({ song }) : failed(70));
  }
  return json(failed(70));
};

const song = (id: string, more: object = {}): Song => ({
  id,
  title: `Title ${id}`,
  artist: 'Ada',
  album: 'First',
  size: 1000,
  suffix: 'mp3',
  contentType: 'audio/mpeg',
  duration: 10,
  bitRate: 128,
  created: '2024-05-06T07:08:09Z',
  ...more,
});

beforeAll(async () => {
  bench = await ScanBench.start();
  server = createServer(standIn).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await bench.stop();
  server.closeAllConnections();
  server.close();
});
beforeEach(async () => {
  instead = () => false;
  operations = [];
  songs = ['1', '2', '3', '4', '5'].map((id) => song(id));
  const id = nextCatalog++;
  const sealed = sealedCredentials(credentialSealer('x'.repeat(32)), { name: 'ada', secret: 'secret' });
  catalog = await bench.library.addCatalog(id, `subsonic+${url}/server${id}`, JSON.stringify({ sealedCredentials: sealed }));
  bench.library.records.length = 0;
});

const scan = (): Promise<ScanTable> => bench.scan(catalog);
const titles = async (): Promise<string[]> => (await bench.library.songs(catalog)).map(({ track }) => track.title).toSorted();

describe('a scan of another server', () => {
  it('takes songs over page by page, and nothing when it comes again', async () => {
    expect(await scan()).toMatchObject({ state: 'finished', songs_added: 5, files_skipped: 0 });
    expect(await titles()).toEqual(['Title 1', 'Title 2', 'Title 3', 'Title 4', 'Title 5']);
    // Songs of the listing are not requested again.
    expect(operations.filter((name) => name === 'getSong')).toEqual([]);
    bench.library.records.length = 0;
    songs = songs.map((one) => ({ ...one, playCount: 7, starred: '2026-01-01', userRating: 5 }));
    expect(await scan()).toMatchObject({ state: 'finished', songs_added: 0, songs_changed: 0 });
    expect(bench.library.records).toEqual([]);
  });

  it('keeps the song when its tags, its size, its album and its place in the list change', async () => {
    await scan();
    const before = await bench.library.songs(catalog);
    songs = songs
      .map((one) => (one.id === '3' ? song('3', { title: 'Other', album: 'Second', albumId: 'al-2', size: 5000 }) : one))
      .toReversed();
    expect(await scan()).toMatchObject({ songs_added: 0, songs_changed: 1, songs_removed: 0 });
    const after = await bench.library.songs(catalog);
    expect(after.map(({ id, path }) => [id, path])).toEqual(before.map(({ id, path }) => [id, path]));
    expect(after.find(({ track }) => track.title === 'Other')?.track).toMatchObject({ album: { name: 'Second' }, sizeBytes: 5000 });
  });

  it('takes hostile words for words', async () => {
    songs = [
      song('../../etc/passwd', { title: 'A\u0000B\u0007\ud800', suffix: '../sh', artist: 'x'.repeat(100_000) }),
      song('%2e%2e/..', { title: '', duration: -5, bitRate: 'many', year: 1e30, track: 'seven', genres: 'none', size: 'large' }),
      song('a\0b', { contentType: 'text/html', contributors: [{ role: '', artist: { name: 'Bo' } }], replayGain: null, isrc: [1, 2] }),
      song('page', { suffix: '', contentType: 'text/html' }),
    ];
    expect(await scan()).toMatchObject({ state: 'finished', songs_added: 3 });
    const found = await bench.library.songs(catalog);
    expect(found.every(({ path }) => /^[0-9a-f]{2}\/[\w%.-]+\.mp3$/.test(path))).toBe(true);
    expect(found.map(({ track }) => track.mime).toSorted()).toEqual(['application/octet-stream', 'audio/mpeg', 'audio/mpeg']);
    expect(Math.max(...found.map(({ track }) => track.artists[0]?.name.length ?? 0))).toBeLessThan(500);
  });

  it.each<[string, typeof instead]>([
    [
      'a page of the web',
      (_, __, response) => Boolean(response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Log in</html>')),
    ],
    ['a server that is busy', (_, __, response) => Boolean(response.writeHead(503).end())],
    ['a refusal', (_, __, response) => Boolean(response.writeHead(200, { 'content-type': 'application/json' }).end(failed(40)))],
    ['another answer', (_, __, response) => Boolean(response.writeHead(200).end('{"subsonic-response":'))],
    ['a connection that breaks', (_, __, response) => Boolean(response.destroy())],
    [
      'a list that breaks off in the middle',
      (operation, request, response) => operation === 'search3' && !request.url?.includes('songOffset=0&') && Boolean(response.destroy()),
    ],
    [
      'a list without an end',
      (operation, request, response) => {
        if (operation !== 'search3') return false;
        response.writeHead(200, { 'content-type': 'application/json' }).end(ok({ searchResult3: { song: [song('1')] } }));
        return request.method === 'GET';
      },
    ],
    [
      'a library that is empty all at once',
      (operation, _, response) =>
        operation === 'search3' && Boolean(response.writeHead(200, { 'content-type': 'application/json' }).end(ok({}))),
    ],
  ])('loses nothing by %s', async (_, answer) => {
    await scan();
    instead = answer;
    expect(await scan()).toMatchObject({ state: 'failed', message: expect.stringContaining('nothing was removed') });
    expect(await titles()).toHaveLength(5);
  });

  it('asks for what a list leaves out before it takes it for gone', async () => {
    await scan();
    const all = songs;
    instead = (operation, request, response) => {
      const json = (text: string) => Boolean(response.writeHead(200, { 'content-type': 'application/json' }).end(text));
      if (operation === 'search3')
        return json(ok({ searchResult3: { song: request.url?.includes('songOffset=0&') ? all.slice(0, 3) : [] } }));
      // The list alone hides song 4; song 5 is gone.
      if (operation === 'getSong') return json(request.url?.includes('id=4') ? ok({ song: all[3] }) : failed(70));
      return false;
    };
    expect(await scan()).toMatchObject({ state: 'finished', songs_removed: 1 });
    expect(await titles()).toEqual(['Title 1', 'Title 2', 'Title 3', 'Title 4']);
  });
});
