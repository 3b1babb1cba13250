import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, mkdir, readdir, readlink, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { albumDiskIdOf, recordDownload, startPlayback } from '@continuo/contracts';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LocalArtStore } from '@continuo/media-store';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { seedTestAccounts, startTestGateway, testAccounts, type TestGateway } from '../../../test/servers/test-gateway.js';

const commands = new InMemoryCommandClient();
let model: TestReadModel;
let gateway: TestGateway;
let music = '';
const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => index % 251));
const token = testAccounts.listener.token;

const song = (fileName: string, title = fileName) => ({
  title,
  album: 'Album',
  artists: ['Artist "X"/é'],
  folder: '',
  fileName,
  catalogId: 1,
});

const addArt = async (picture: Buffer, mime: string): Promise<string> => {
  const hash = await new LocalArtStore(join(gateway.dataFolder, 'art')).put(picture);
  await sql`insert into library.art values (${hash}, ${mime}, ${picture.length}, null, null) on conflict do nothing`.execute(model.write);
  return hash;
};

beforeAll(async () => {
  music = await mkdtemp(join(tmpdir(), 'gateway-media-'));
  await writeFile(join(music, 'song.flac'), bytes);
  await writeFile(join(music, 'empty.flac'), '');
  await writeFile(join(music, 'large.flac'), '');
  await truncate(join(music, 'large.flac'), 100_000_000);
  await mkdir(join(music, 'folder.flac'));
  await symlink('/etc/hostname', join(music, 'outside.flac'));
  model = await testReadModel();
  await seedFixtureLibrary(
    model.write,
    ['song.flac', 'missing.flac', 'outside.flac', 'folder.flac', 'empty.flac', 'large.flac'].map((name) => song(name)),
  );
  await seedTestAccounts(model.write);
  await sql`update library.catalog set path = ${music}`.execute(model.write);
  commands.handle(startPlayback, async () => ({ result: { recorded: true }, positions: [] }));
  commands.handle(recordDownload, async () => ({ result: { recorded: true }, positions: [] }));
  gateway = await startTestGateway(model.read, { commands, settings: { ART_MAX_SIDE_PX: 512 } });
  await gateway.app.listen({ port: 0, host: '127.0.0.1' });
  const art = await addArt(
    await sharp({ create: { width: 800, height: 400, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer(),
    'image/jpeg',
  );
  await sql`update library.album set art_hash = ${art}`.execute(model.write);
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
const get = (path: string, init: RequestInit = {}): Promise<Response> => fetch(`${base()}${path}`, init);
const play = (id: number): string => `/play/index.php?ssid=${token}&type=song&oid=${id}&uid=2&player=api&name=x.flac`;
const body = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());

describe('the bytes of a song', () => {
  it.each([
    ['/play/index.php', play(1)],
    ['the path form', `/play/ssid/${token}/type/song/oid/1/uid/2/name/x.flac`],
    ['stream', `/server/json.server.php?action=stream&type=song&filter=1&auth=${token}`],
    ['stream by REST', `/rest/8/xml/songs/1/stream?auth=${token}`],
    ['stream with the older name of the id', `/server/xml.server.php?action=stream&type=song&id=1&auth=${token}`],
  ])('come whole by %s', async (_, path) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'audio/flac',
      'content-length': String(bytes.length),
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
    });
    expect((await body(response)).equals(bytes)).toBe(true);
  });
  it.each([
    ['bytes=0-99', 0, 99],
    ['bytes=1000000-', 1_000_000, bytes.length - 1],
    ['bytes=-500', bytes.length - 500, bytes.length - 1],
    ['bytes=10-99999999', 10, bytes.length - 1],
    [`bytes=${bytes.length - 1}-`, bytes.length - 1, bytes.length - 1],
  ])('come in part: %s', async (range, start, end) => {
    const response = await get(play(1), { headers: { range } });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end}/${bytes.length}`);
    expect((await body(response)).equals(bytes.subarray(start, end + 1))).toBe(true);
  });
  it.each(['bytes=3000000-', 'bytes=-0'])('do not come for %s', async (range) => {
    const response = await get(play(1), { headers: { range } });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe(`bytes */${bytes.length}`);
  });
  it.each(['bytes=5-2', 'bytes=a-b', 'items=0-1', 'bytes=0-1,5-6', 'bytes=-'])(
    'come whole for a range that means nothing: %s',
    async (range) => {
      expect((await get(play(1), { headers: { range } })).status).toBe(200);
    },
  );
  it('are not sent again when the client has them', async () => {
    const first = await get(play(1), { method: 'HEAD' });
    const [etag, time] = [first.headers.get('etag') ?? '', first.headers.get('last-modified') ?? ''];
    expect(first.headers.get('content-length')).toBe(String(bytes.length));
    expect((await body(first)).length).toBe(0);
    expect((await get(play(1), { headers: { 'if-none-match': `"x", W/${etag}` } })).status).toBe(304);
    expect((await get(play(1), { headers: { 'if-modified-since': time } })).status).toBe(304);
    expect((await get(play(1), { headers: { 'if-none-match': '"other"', 'if-modified-since': time } })).status).toBe(200);
    expect((await get(play(1), { headers: { range: 'bytes=0-1', 'if-range': etag } })).status).toBe(206);
    expect((await get(play(1), { headers: { range: 'bytes=0-1', 'if-range': '"old"' } })).status).toBe(200);
  });
  it('are saved under a name that is safe', async () => {
    const response = await get(`/server/json.server.php?action=download&type=song&filter=1&auth=${token}`);
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="Artist _X___ - song.flac.flac"; filename*=UTF-8''Artist%20_X__%C3%A9%20-%20song.flac.flac`,
    );
  });
  it.each([
    [2, 'a file that is gone'],
    [3, 'a link that leads out of the catalog'],
    [4, 'a folder'],
    [77, 'a song that is not there'],
  ])('song %i is not found: %s', async (id) => {
    expect((await get(play(id))).status).toBe(404);
    const answer = await get(`/server/json.server.php?action=stream&type=song&filter=${id}&auth=${token}`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ error: { errorCode: '4704' } });
  });
  it('may be none', async () => {
    expect((await body(await get(play(5)))).length).toBe(0);
    expect((await get(play(5), { headers: { range: 'bytes=0-' } })).status).toBe(416);
  });
  it('are for those who are known', async () => {
    expect((await get('/play/index.php?oid=1&type=song')).status).toBe(403);
    expect((await get(`/play/index.php?ssid=${token}&type=song`)).status).toBe(400);
    expect((await get(`/play/index.php?ssid=${token}&type=bogus&oid=1`)).status).toBe(400);
    expect((await get(`/server/json.server.php?action=stream&type=song&filter=1`)).status).toBe(400);
    expect((await get(`/server/json.server.php?action=stream&type=nothing&filter=1&auth=${token}`)).status).toBe(400);
  });
  it('stop being read when the client goes away', async () => {
    const open = async (): Promise<number> => {
      const files = await Promise.allSettled((await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`)));
      return files.filter((file) => file.status === 'fulfilled' && file.value.endsWith('large.flac')).length;
    };
    const leaving = Array.from({ length: 10 }, async () => {
      const request = http.get(`${base()}${play(6)}`);
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      await once(response, 'readable');
      return request;
    });
    const requests = await Promise.all(leaving);
    // Sockets take some megabytes, and nobody reads them: the server waits with the files open.
    expect(await open()).toBe(10);
    for (const request of requests) request.destroy();
    await expect.poll(open, { timeout: 20_000 }).toBe(0);
  });
});

describe('a stream', () => {
  const told = (verb: string) => commands.sent.filter(({ subject }) => subject === `cmd.playback.${verb}`);
  const counted = (): number => told('start-playback').length;
  const stream = (query: string, init: RequestInit = {}): Promise<Response> => get(`/play/index.php?type=song&oid=1&${query}`, init);
  const other = testAccounts.admin.token;
  it('counts as one play, however many requests fetch it', async () => {
    const before = counted();
    await body(await stream(`ssid=${other}`, { method: 'HEAD' }));
    await body(await stream(`ssid=${other}`, { headers: { range: 'bytes=100-200' } }));
    await body(await stream(`ssid=${other}&cache=1`));
    await body(await stream(`ssid=${other}&action=download`));
    await body(await get(`/server/json.server.php?action=stream&type=song&filter=1&stats=0&auth=${other}`));
    await body(await get(`/server/json.server.php?action=download&type=song&filter=1&auth=${other}`));
    expect(counted()).toBe(before);
    await body(await stream(`ssid=${other}`, { headers: { range: 'bytes=0-' } }));
    await body(await stream(`ssid=${other}`));
    await body(await get(`/server/json.server.php?action=stream&type=song&filter=1&auth=${other}`));
    expect(counted()).toBe(before + 1);
    expect(commands.sent.at(-1)).toMatchObject({
      message: { actor: 'user:1', data: { userId: 1, client: 'spec', objectType: 'song', objectId: 1, isNow: true, play: {} } },
    });
  });
  it('that is kept is noted as a download, from its beginning on', async () => {
    const before = told('record-download').length;
    await body(await stream(`ssid=${other}&action=download`, { headers: { range: 'bytes=5-9' } }));
    await body(await stream(`ssid=${other}&action=download`, { method: 'HEAD' }));
    expect(told('record-download')).toHaveLength(before);
    await body(await stream(`ssid=${other}&action=download`, { headers: { range: 'bytes=0-9' } }));
    await body(await get(`/server/json.server.php?action=download&type=song&filter=1&auth=${other}`));
    const noted = told('record-download').slice(before);
    expect(noted).toHaveLength(2);
    expect(noted[0]?.message.data).toMatchObject({ userId: 1, client: 'spec', objectType: 'song', objectId: 1 });
  });
  it('counts again after another song, and not at all when the file is not there', async () => {
    const before = counted();
    expect((await get(`/play/index.php?type=song&oid=2&ssid=${other}`)).status).toBe(404);
    expect(counted()).toBe(before);
    await body(await get(`/play/index.php?type=song&oid=5&ssid=${other}`));
    await body(await stream(`ssid=${other}`));
    expect(counted()).toBe(before + 2);
  });
});

describe('pictures', () => {
  const image = (query: string): Promise<Response> => get(`/image.php?auth=${token}&${query}`);
  it('come as they are, or in a size', async () => {
    const whole = await image('object_id=1&object_type=album');
    expect(whole.headers.get('content-type')).toBe('image/jpeg');
    const small = await sharp(await body(await image('object_id=1&object_type=album&size=100x100'))).metadata();
    expect([small.width, small.height]).toEqual([100, 50]);
    const capped = await sharp(await body(await image('object_id=1&object_type=song&size=9999x9999'))).metadata();
    expect([capped.width, capped.height]).toEqual([512, 256]);
    const widthOf = async (query: string) =>
      (await sharp(await body(await image(`object_id=1&object_type=album&${query}`))).metadata()).width;
    expect(await Promise.all(['thumb=64', 'thumb=2', 'thumb=default', 'thumb=64&size=100x100'].map(widthOf))).toEqual([128, 256, 400, 100]);
  });
  it('are kept by the client', async () => {
    const etag = (await image('object_id=1&object_type=album&size=100x100')).headers.get('etag') ?? '';
    expect(
      (await get(`/image.php?auth=${token}&object_id=1&object_type=album&size=100x100`, { headers: { 'if-none-match': etag } })).status,
    ).toBe(304);
  });
  it('have a stand-in where an address was given, and nothing where bytes were asked for', async () => {
    expect((await image('object_id=1&object_type=artist')).headers.get('content-type')).toBe('image/png');
    expect((await image('object_id=x&object_type=user')).status).toBe(200);
    const missing = await get(`/server/json.server.php?action=get_art&type=artist&filter=1&auth=${token}`);
    expect([missing.status, (await body(missing)).length]).toEqual([404, 0]);
    expect((await get(`/server/json.server.php?action=get_art&type=artist&filter=1&fallback=1&auth=${token}`)).status).toBe(200);
    expect((await get(`/server/json.server.php?action=get_art&type=label&filter=1&auth=${token}`)).status).toBe(404);
    expect((await get(`/server/json.server.php?action=get_art&type=podcast&filter=1&auth=${token}`)).status).toBe(404);
    expect((await get('/image.php?object_id=1&object_type=album')).status).toBe(403);
  });
  it('of a disk are those of its album, where the version knows disks', async () => {
    const disk = albumDiskIdOf(1, 1);
    expect((await image(`object_id=${disk}&object_type=album_disk`)).headers.get('content-type')).toBe('image/jpeg');
    const art = (version: string) =>
      get(`/server/json.server.php?action=get_art&type=album_disk&filter=${disk}&version=${version}`, {
        headers: { authorization: `Bearer ${token}` },
      });
    expect((await art('8.0.0')).headers.get('content-type')).toBe('image/jpeg');
    expect((await art('6.0.0')).status).toBe(400);
    expect((await get(`/rest/8/json/album-disks/${disk}/art?auth=${token}`)).headers.get('content-type')).toBe('image/jpeg');
  });
  it('are never what a browser could run', async () => {
    const svg = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><script>alert(1)</script><rect width="20" height="20"/></svg>',
    );
    const hash = await addArt(svg, 'image/svg+xml');
    expect(hash).toBe(createHash('sha256').update(svg).digest('hex'));
    await sql`update library.artist set art_hash = ${hash} where id = 1`.execute(model.write);
    const response = await get(`/rest/8/json/artists/1/art?auth=${token}`);
    expect(response.headers.get('content-type')).toMatch(/^image\/(?:png|jpeg)$/);
    expect(response.headers.get('content-security-policy')).toContain('sandbox');
    await sql`update library.artist set art_hash = ${await addArt(Buffer.from('<html>not a picture'), 'text/html')} where id = 1`.execute(
      model.write,
    );
    expect((await get(`/rest/8/json/artists/1/art?auth=${token}`)).status).toBe(404);
  });
});
