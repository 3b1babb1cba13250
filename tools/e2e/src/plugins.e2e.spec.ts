import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administrator, Journey } from './journey.js';

/** Stands for services of the network. */
const ELSEWHERE = '127.0.0.6';
const ADA = '11111111-1111-4111-8111-111111111111';
const RELEASE = '22222222-2222-4222-8222-222222222222';
/** A picture of one pixel. */
const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

let journey: Journey;
let service: Server;
let base: string;
const asked: string[] = [];

const makeSong = async (artist: string, title: string): Promise<void> => {
  await mkdir(join(journey.music, artist), { recursive: true });
  const release = artist === 'Ada' ? { MUSICBRAINZ_ALBUMID: RELEASE } : {};
  const tags = { title, artist, album_artist: artist, album: `${artist} sings`, ...release };
  const metadata = Object.entries(tags).flatMap(([name, value]) => ['-metadata', `${name}=${value}`]);
  const source = ['-f', 'lavfi', '-i', 'anullsrc=r=8000:cl=mono', '-t', '2'];
  await promisify(execFile)('ffmpeg', ['-v', 'error', ...source, ...metadata, join(journey.music, artist, `${title}.flac`)]);
};

/** Answers of each service, by path and method. */
const answers: Readonly<Record<string, unknown>> = {
  'artist.getinfo': {
    artist: {
      name: 'Ada',
      url: 'https://www.last.fm/music/Ada',
      bio: { content: 'She began early. <a href="x">Read more on Last.fm</a>' },
    },
  },
  'artist.getsimilar': {
    similarartists: {
      artist: [
        { name: 'Nobody', match: '1' },
        { name: 'mary', match: '0.5' },
      ],
    },
  },
  'artist.gettoptracks': { toptracks: { track: [{ name: 'second' }, { name: 'Elsewhere' }, { name: 'First' }] } },
  '/ws/2/artist': { artists: [{ id: ADA, score: 100, name: 'Ada' }] },
  [`/ws/2/artist/${ADA}`]: { id: ADA, name: 'Ada', 'begin-area': { name: 'London' }, 'life-span': { begin: '1998' } },
  '/api/get': { plainLyrics: 'over\nand under', syncedLyrics: '[00:00.50] over\n[00:01.00] and under' },
};

const listen = async (): Promise<void> => {
  service = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', base);
    const name = searchParams.get('method') ?? pathname;
    asked.push(name);
    if (name === '/picture.png') return response.end(PIXEL);
    const covers = { images: [{ image: `${base}/picture.png`, front: true, types: ['Front'] }] };
    const answer = name === `/release/${RELEASE}` ? covers : answers[name];
    return response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => service.listen(0, ELSEWHERE, resolve));
  base = `http://${ELSEWHERE}:${(service.address() as AddressInfo).port}`;
};

const native = async (action: string, query: Record<string, string> = {}): Promise<Record<string, unknown>> =>
  journey.json('/server/json.server.php', { action, auth: administrator.apiKey, ...query });
const compat = async (operation: string, query: Record<string, string> = {}): Promise<Record<string, unknown>> => {
  const credentials = { apiKey: administrator.apiKey, v: '1.16.1', c: 'journey', f: 'json' };
  const answer = await journey.json<{ 'subsonic-response': Record<string, unknown> }>(`/rest/${operation}`, { ...credentials, ...query });
  return answer['subsonic-response'];
};
const idNamed = async (kind: string, name: string): Promise<string> => {
  const found = (await native(`${kind}s`)) as Record<string, { id: string; name?: string; title?: string }[]>;
  return found[kind]?.find((one) => (one.name ?? one.title) === name)?.id ?? '';
};

beforeAll(async () => {
  journey = await Journey.prepare();
  for (const title of ['First', 'Second']) await makeSong('Ada', title);
  await makeSong('Mary', 'Third');
  await listen();
  await journey.start({
    OUTBOUND_ALLOWED_NETWORKS: ELSEWHERE,
    PLUGINS: 'lastfm,musicbrainz,lrclib,no-such-plug-in',
    PLUGIN_SETTINGS: JSON.stringify({
      lastfm: { apiKey: 'key', url: `${base}/` },
      musicbrainz: { url: base, artUrl: base },
      lrclib: { url: base },
    }),
  });
  await journey.scan();
}, 180_000);
afterAll(async () => {
  await journey.end();
  service.closeAllConnections();
  service.close();
});

describe('with plug-ins', () => {
  it('an artist that somebody looks at has a biography, similar artists and top songs', async () => {
    const id = `ar-${await idNamed('artist', 'Ada')}`;
    const info = (await compat('getArtistInfo2', { id }))['artistInfo2'];
    expect(info).toMatchObject({ biography: expect.stringContaining('She began early.'), similarArtist: [{ name: 'Mary' }] });
    expect((await compat('getTopSongs', { artist: 'Ada' }))['topSongs']).toMatchObject({ song: [{ title: 'Second' }, { title: 'First' }] });
  });

  it('an administrator has everything asked for, and sees what each says', async () => {
    const filter = await idNamed('artist', 'Ada');
    expect(await native('update_artist_info', { filter })).toEqual({ success: `Updated artist info: ${filter}` });
    expect(await native('artist', { filter })).toMatchObject({
      summary: 'She began early.',
      placeformed: 'London',
      yearformed: 1998,
      mbid: ADA,
    });
    expect(await native('get_external_metadata', { filter, type: 'artist' })).toMatchObject({
      object_id: filter,
      object_type: 'artist',
      plugin: { lastfm: { summary: 'She began early.' }, musicbrainz: { placeFormed: 'London' } },
    });
  });

  it('songs have words, albums have covers', async () => {
    const song = await idNamed('song', 'First');
    expect((await compat('getLyricsBySongId', { id: `so-${song}` }))['lyricsList']).toMatchObject({
      structuredLyrics: [{ synced: false }, { synced: true, line: [{ start: 500, value: 'over' }, { start: 1000 }] }],
    });
    const album = await idNamed('album', 'Ada sings');
    expect(await native('album', { filter: album })).toMatchObject({ has_art: false });
    expect(await native('update_art', { filter: album, type: 'album' })).toMatchObject({
      success: `Gathered new art for: ${album} (album)`,
    });
    expect(await native('album', { filter: album })).toMatchObject({ has_art: true });
    const picture = await journey.request('/rest/getCoverArt', {
      apiKey: administrator.apiKey,
      v: '1.16.1',
      c: 'journey',
      id: `al-${album}`,
    });
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^image\//)]);
  });
});

it('tell how they are, with settings but no secrets, also those that cannot be used', async () => {
  const headers = { authorization: `Bearer ${administrator.apiKey}` };
  const { items } = await journey.json<{ items: { name: string; services: { service: string; state: string }[] }[] }>(
    '/manage/v1/plugins',
    {},
    { headers },
  );
  expect(items.map(({ name }) => name)).toEqual(['lastfm', 'lrclib', 'musicbrainz', 'no-such-plug-in']);
  expect(items[0]).toMatchObject({
    services: [{ service: 'ingestion', state: 'ready' }],
    settings: expect.arrayContaining([expect.objectContaining({ name: 'apiKey', value: null, isSet: true, isSecret: true })]),
  });
  expect(items[3]?.services).toContainEqual(expect.objectContaining({ service: 'ingestion', state: 'unusable' }));
});

describe('without plug-ins', () => {
  it('what was found stays, and nobody is asked', async () => {
    await journey.stop();
    await journey.start();
    const before = asked.length;
    const filter = await idNamed('artist', 'Ada');
    expect(await native('artist', { filter })).toMatchObject({ summary: 'She began early.' });
    expect((await compat('getArtistInfo2', { id: `ar-${await idNamed('artist', 'Mary')}` }))['artistInfo2']).not.toHaveProperty(
      'biography',
    );
    expect(await native('update_artist_info', { filter })).toMatchObject({ error: { errorCode: '4703' } });
    expect(await native('get_external_metadata', { filter, type: 'artist' })).toMatchObject({ total_count: 0, artist: [] });
    expect(asked).toHaveLength(before);
  });
});
