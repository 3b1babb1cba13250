import { execFile } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { testS3, type TestS3 } from '@continuo/local-servers/s3';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { administrator, Journey } from './journey.js';

const run = promisify(execFile);
const LENGTH_S = 20;

interface Song {
  readonly id: string;
  readonly title: string;
  readonly albumId?: string;
  readonly size?: number;
}

/** A server of its own, and what specs do with it. */
class Server {
  constructor(readonly journey: Journey) {}

  static async start(): Promise<Server> {
    const journey = await Journey.prepareNew();
    await mkdir(journey.music, { recursive: true });
    await journey.start({ OUTBOUND_ALLOWED_NETWORKS: '127.0.0.1' });
    return new Server(journey);
  }

  get url(): string {
    return this.journey.server.url;
  }

  native<T>(action: string, query: Record<string, string> = {}): Promise<T> {
    const headers = { authorization: `Bearer ${administrator.apiKey}` };
    return this.journey.json<T>('/server/json.server.php', { action, version: '8.0.0', ...query }, { headers });
  }

  rest(operation: string, query: Record<string, string> = {}, init: RequestInit = {}): Promise<Response> {
    return this.journey.request(`/rest/${operation}`, { apiKey: administrator.apiKey, v: '1.16.1', c: 'e2e', f: 'json', ...query }, init);
  }

  async songs(): Promise<Song[]> {
    const answer = (await (await this.rest('search3', { query: '', songCount: '100' })).json()) as {
      'subsonic-response': { searchResult3: { song?: Song[] } };
    };
    return (answer['subsonic-response'].searchResult3.song ?? []).toSorted((a, b) => (a.title < b.title ? -1 : 1));
  }

  async bytes(
    operation: string,
    query: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; body: Buffer; headers: Headers }> {
    const answer = await this.rest(operation, query, { headers });
    return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()), headers: answer.headers };
  }

  /** Adds a catalog; answers its id. */
  async add(query: Record<string, string>): Promise<string> {
    const added = await this.native<{ id?: string; error?: unknown }>('catalog_add', query);
    if (added.id === undefined) throw new Error(`the catalog was not added: ${JSON.stringify(added)}`);
    return added.id;
  }

  /** Scans a catalog to its end. */
  async scan(id: string): Promise<{ state: string; message: string | null; songs_added: number; songs_removed: number }> {
    const { db } = this.journey.server;
    const before = new Set((await db.selectFrom('ingestion.scan').select('id').execute()).map((row) => row.id));
    await this.native('catalog_action', { filter: id, task: 'update_catalog' });
    return vi.waitUntil(
      async () => {
        const rows = await db.selectFrom('ingestion.scan').selectAll().execute();
        return rows.find((row) => !before.has(row.id) && (row.state === 'finished' || row.state === 'failed'));
      },
      { timeout: 60_000, interval: 100 },
    );
  }
}

const makeSong = async (path: string, title: string, hz: number, cover?: string): Promise<void> => {
  const tags = ['-metadata', `title=${title}`, '-metadata', 'artist=Ada & <Bo>', '-metadata', 'album=Läufe', '-metadata', 'genre=Test'];
  const picture = cover ? ['-i', cover, '-map', '0:a', '-map', '1:v', '-c:v', 'copy', '-disposition:v:0', 'attached_pic'] : [];
  await run('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', `sine=frequency=${hz}:duration=${LENGTH_S}`, ...picture, ...tags, path]);
};

let far: Server;
let near: Server;
let s3: TestS3;

beforeAll(async () => {
  [far, near, s3] = await Promise.all([Server.start(), Server.start(), testS3()]);
  const { music, folder } = far.journey;
  const cover = join(folder, 'cover.png');
  await run('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=80x60', '-frames:v', '1', cover]);
  await makeSong(join(music, 'a.mp3'), 'A', 300, cover);
  await makeSong(join(music, 'b.flac'), 'B', 500);
}, 180_000);
afterAll(async () => {
  await Promise.all([far.journey.end(), near.journey.end(), s3.stop()]);
});

/** Plays a song of a remote catalog as a listener does. */
const listens = async (server: Server, song: Song, file: string): Promise<void> => {
  const original = await readFile(file);
  const whole = await server.bytes('download', { id: song.id });
  expect(whole.status).toBe(200);
  expect(whole.body.equals(original)).toBe(true);
  const part = await server.bytes('stream', { id: song.id, format: 'raw' }, { range: 'bytes=1000-1999' });
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 1000-1999/${original.length}`]);
  expect(part.body.equals(original.subarray(1000, 2000))).toBe(true);
  const tail = await server.bytes('stream', { id: song.id, format: 'raw' }, { range: 'bytes=-500' });
  expect(tail.body.equals(original.subarray(-500))).toBe(true);
  const later = await server.bytes('stream', { id: song.id, format: 'opus', maxBitRate: '64', timeOffset: '15' });
  expect([later.status, later.headers.get('content-type')]).toEqual([200, expect.stringContaining('ogg')]);
  // Five seconds of it are left.
  expect(later.body.length).toBeGreaterThan(10_000);
  expect(later.body.length).toBeLessThan(100_000);
};

describe('a catalog on another server', () => {
  let catalog: string;
  const account = { type: 'subsonic', username: administrator.name, password: administrator.password };

  beforeAll(async () => {
    const local = await far.add({ name: 'music', path: far.journey.music });
    await far.scan(local);
    catalog = await near.add({ name: 'far', path: far.url, ...account });
    await near.scan(catalog);
  }, 120_000);

  it('shows its songs as they are there', async () => {
    const [there, here] = await Promise.all([far.songs(), near.songs()]);
    const told = ({ title, size, ...song }: Song) => ({
      title,
      size,
      ...(song as unknown as { duration: number; suffix: string; artist: string; genre: string }),
    });
    const kept = (song: ReturnType<typeof told>) => ({
      title: song.title,
      size: song.size,
      duration: song.duration,
      suffix: song.suffix,
      artist: song.artist,
      genre: song.genre,
    });
    expect(here.map(told).map(kept)).toEqual(there.map(told).map(kept));
  });

  it('plays them, in part, as a whole, and in another form from the middle', async () => {
    const [a, b] = await near.songs();
    await listens(near, a as Song, join(far.journey.music, 'a.mp3'));
    await listens(near, b as Song, join(far.journey.music, 'b.flac'));
  });

  it('shows their pictures', async () => {
    const [a] = await near.songs();
    const picture = await near.bytes('getCoverArt', { id: (a as Song).id });
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^image\//)]);
  });

  it('is one by the native API as well', async () => {
    const native = await near.add({ name: 'far by the native API', path: far.url, ...account, type: 'remote' });
    const before = new Set((await near.songs()).map(({ id }) => id));
    expect(await near.scan(native)).toMatchObject({ state: 'finished', songs_added: 2 });
    const songs = (await near.songs()).filter(({ id }) => !before.has(id));
    expect(songs.map(({ title }) => title)).toEqual(['A', 'B']);
    await listens(near, songs[0] as Song, join(far.journey.music, 'a.mp3'));
    await listens(near, songs[1] as Song, join(far.journey.music, 'b.flac'));
    const picture = await near.bytes('getCoverArt', { id: (songs[0] as Song).id });
    expect(picture.headers.get('content-type')).toMatch(/^image\//);
    expect(await near.scan(native)).toMatchObject({ state: 'finished', songs_added: 0, songs_changed: 0 });
    await near.native('catalog_delete', { filter: native });
  });

  it('keeps ids over scans and changes, and drops what is gone there', async () => {
    const before = await near.songs();
    await makeSong(join(far.journey.music, 'b.flac'), 'B two', 500);
    await makeSong(join(far.journey.music, 'c.ogg'), 'C', 700);
    await far.scan('1');
    expect(await near.scan(catalog)).toMatchObject({ state: 'finished', songs_added: 1, songs_removed: 0 });
    const after = await near.songs();
    expect(after.map(({ title }) => title)).toEqual(['A', 'B two', 'C']);
    expect(after.slice(0, 2).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    await rm(join(far.journey.music, 'c.ogg'));
    await far.scan('1');
    expect(await near.scan(catalog)).toMatchObject({ state: 'finished', songs_removed: 1 });
    expect((await near.songs()).map(({ title }) => title)).toEqual(['A', 'B two']);
    await makeSong(join(far.journey.music, 'b.flac'), 'B', 500);
    await far.scan('1');
    await near.scan(catalog);
    expect((await near.songs()).map(({ title }) => title)).toEqual(['A', 'B']);
  });

  it('does not grow when the other server has this one as a catalog', async () => {
    const back = await far.add({ name: 'near', path: near.url, ...account });
    expect(await far.scan(back)).toMatchObject({ state: 'finished', songs_added: 0 });
    expect(await near.scan(catalog)).toMatchObject({ state: 'finished', songs_added: 0 });
    expect(await far.songs()).toHaveLength(2);
    await far.native('catalog_delete', { filter: back });
  });

  it('refuses itself, wrong passwords, and addresses of nobody', async () => {
    const tries = [
      { path: near.url, ...account },
      { path: far.url, ...account, password: 'wrong' },
      { path: 'http://127.0.0.1:9', ...account },
      { path: 'no address', ...account },
    ];
    for (const query of tries)
      expect(await near.native('catalog_add', { name: 'no', ...query })).toMatchObject({ error: { errorCode: '4710' } });
    expect(await near.native('catalog_add', { name: 'no', path: far.url, type: 'subsonic', username: 'x' })).toMatchObject({
      error: { errorCode: '4710' },
    });
  });

  it('keeps its songs while the other server is away', async () => {
    await far.journey.stop();
    expect(await near.scan(catalog)).toMatchObject({ state: 'failed', message: expect.stringContaining('nothing was removed') });
    expect(await near.songs()).toHaveLength(2);
    const [a] = await near.songs();
    const answer = await near.rest('download', { id: (a as Song).id });
    expect(await answer.json()).toMatchObject({ 'subsonic-response': { status: 'failed' } });
  });
});

describe('a catalog in S3 storage', () => {
  it('is added, scanned, played and packed', async () => {
    const server = near;
    const [first, second] = [join(server.journey.folder, 'cloud.mp3'), join(server.journey.folder, 'cloud.flac')];
    await makeSong(first, 'Cloud one', 350);
    await makeSong(second, 'Cloud two', 450);
    await s3.put('music/One/a.mp3', await readFile(first));
    await s3.put('music/One/b.flac', await readFile(second));
    const path = `${s3.endpoint}/${s3.bucket}/music`;
    const catalog = await server.add({ name: 'cloud', path, type: 's3', username: s3.accessKeyId, password: s3.secretAccessKey });
    const before = new Set((await server.songs()).map(({ id }) => id));
    expect(await server.scan(catalog)).toMatchObject({ state: 'finished', songs_added: 2 });
    const songs = (await server.songs()).filter(({ id }) => !before.has(id));
    expect(songs.map(({ title }) => title)).toEqual(['Cloud one', 'Cloud two']);
    await listens(server, songs[0] as Song, first);
    await listens(server, songs[1] as Song, second);
    const zip = await server.bytes('download', { id: (songs[0] as Song).albumId ?? '' });
    expect(zip.headers.get('content-type')).toBe('application/zip');
    expect(Number(zip.headers.get('content-length'))).toBe(zip.body.length);
    const known = await server.journey.server.db
      .selectFrom('library.catalog')
      .select(['type', 'path', 'connection'])
      .where('id', '=', Number(catalog))
      .executeTakeFirst();
    expect(known).toMatchObject({ type: 's3', path: `s3+${path}` });
    expect(known?.connection).not.toContain(s3.secretAccessKey);
  });
});
