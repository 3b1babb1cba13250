import { createHash } from 'node:crypto';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { create } from 'xmlbuilder2';
import { formatNames, generateFiles, type Manifest } from '@continuo/media-fixtures';
import { administrator, Journey } from './journey.js';

const FILES = 120;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

interface Song {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly art: string;
  readonly has_art: boolean;
  readonly filename: string;
  readonly size: number;
  readonly playcount: number;
}
interface SongList {
  readonly total_count: number;
  readonly song: readonly Song[];
}

let journey: Journey;
let manifest: Manifest;
let auth: string;

const native = <T>(action: string, query: Record<string, string> = {}): Promise<T> =>
  journey.json<T>('/server/json.server.php', { action, auth, ...query });

const compat = async <T>(operation: string, query: Record<string, string> = {}): Promise<T> => {
  const salt = 'c0ffee';
  const login = { u: administrator.name, t: md5(administrator.password + salt), s: salt, v: '1.16.1', c: 'journey', f: 'json' };
  const answer = await journey.json<{ 'subsonic-response': T }>(`/rest/${operation}.view`, { ...login, ...query });
  return answer['subsonic-response'];
};

const libraryPosition = async (): Promise<number> => {
  const { rows } = await sql<{
    position: number;
  }>`select position from chassis.projection_checkpoint where name = 'library-catalogue' and state = 'live'`.execute(journey.server.db);
  return rows[0]?.position ?? -1;
};

beforeAll(async () => {
  journey = await Journey.prepareEmpty();
  manifest = await generateFiles({ out: journey.music, count: FILES, formats: formatNames, seed: 7, flat: false });
  await journey.start();
});

afterAll(async () => {
  await journey.end();
});

describe('from a folder of music to a stream', () => {
  it('is ready for calls once it has started', async () => {
    expect((await journey.request('/health/ready')).status).toBe(200);
    expect(journey.server.firstAdministrator).toMatchObject({ username: administrator.name });
  });

  it('finds every file of ten formats', async () => {
    expect(await journey.scan()).toMatchObject({ state: 'finished', files_seen: FILES, songs_added: FILES, files_skipped: 0 });
  });

  it('shakes hands by password and tells what the files hold', async () => {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const passphrase = sha256(timestamp + sha256(administrator.password));
    const session = await journey.json<Record<string, unknown>>('/server/json.server.php', {
      action: 'handshake',
      auth: passphrase,
      timestamp,
      user: administrator.name,
      version: '8.0.0',
    });
    expect(session).toMatchObject({
      songs: manifest.songs,
      albums: manifest.albums,
      artists: manifest.artists,
      genres: manifest.genres,
      catalogs: 1,
      users: 1,
    });
    auth = String(session['auth']);
  });

  it('refuses a wrong password with the error of the surface', async () => {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const refused = await journey.json<{ error: Record<string, string> }>('/server/json.server.php', {
      action: 'handshake',
      auth: sha256(timestamp + sha256('wrong')),
      timestamp,
      user: administrator.name,
    });
    expect(refused.error).toMatchObject({ errorCode: '4701', errorAction: 'handshake' });
    expect(await compat('ping', { t: md5('wrong') })).toMatchObject({ status: 'failed', error: { code: 40 } });
  });

  it('lists the same songs by action and by path, in JSON and in XML', async () => {
    const list = await native<SongList>('songs', { limit: 'none' });
    expect(list.total_count).toBe(FILES);
    expect(new Set(list.song.map((song) => song.filename)).size).toBe(FILES);
    const byPath = await journey.json<SongList>(
      '/rest/8/json/songs',
      { limit: 'none' },
      { headers: { authorization: `Bearer ${administrator.apiKey}` } },
    );
    expect(byPath.song.map((song) => song.id)).toEqual(list.song.map((song) => song.id));
    const xml = await (await journey.request('/server/xml.server.php', { action: 'songs', auth, limit: 'none' })).text();
    const root = create(xml).end({ format: 'object' }) as unknown as { root: { song: { '@id': string }[] } };
    expect(root.root.song.map((song) => song['@id'])).toEqual(list.song.map((song) => song.id));
  });

  it('streams exactly the bytes of the file, whole, in part and not at all', async () => {
    const { song } = await native<SongList>('songs', { limit: '3' });
    for (const one of song) {
      const bytes = await readFile(one.filename);
      expect(Buffer.from(await (await fetch(one.url)).arrayBuffer()).equals(bytes)).toBe(true);
      const part = await fetch(one.url, { headers: { range: 'bytes=10-19' } });
      expect(part.status).toBe(206);
      expect(part.headers.get('content-range')).toBe(`bytes 10-19/${bytes.byteLength}`);
      expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(10, 20))).toBe(true);
      expect((await fetch(one.url, { headers: { range: 'bytes=99999999-' } })).status).toBe(416);
      const head = await fetch(one.url, { method: 'HEAD' });
      expect(head.headers.get('content-length')).toBe(String(bytes.byteLength));
      expect((await fetch(one.url, { headers: { 'if-none-match': head.headers.get('etag') ?? '' } })).status).toBe(304);
    }
    expect((await fetch(song[0]?.url.replace(/ssid=[^&]+/, 'ssid=nobody') ?? '')).status).toBe(403);
  });

  it('shows the covers that the files carry', async () => {
    const { song } = await native<SongList>('songs', { limit: 'none' });
    const covered = song.filter((one) => one.has_art);
    expect(covered.length).toBeGreaterThan(FILES / 3);
    const picture = await fetch(covered[0]?.art ?? '');
    expect(picture.status).toBe(200);
    expect(picture.headers.get('content-type')).toMatch(/^image\//);
  });

  it('serves Subsonic players: log in, browse, search, play, scrobble', async () => {
    expect(await compat('ping')).toMatchObject({ status: 'ok', type: 'continuo', openSubsonic: true });
    const { albumList2 } = await compat<{ albumList2: { album: { id: string; songCount: number }[] } }>('getAlbumList2', {
      type: 'alphabeticalByName',
      size: '500',
    });
    expect(albumList2.album).toHaveLength(manifest.albums);
    const { album } = await compat<{ album: { song: { id: string; title: string; size: number }[] } }>('getAlbum', {
      id: albumList2.album[0]?.id ?? '',
    });
    const [song] = album.song;
    expect(song).toBeDefined();
    const { searchResult3 } = await compat<{ searchResult3: { song: { id: string }[] } }>('search3', { query: song?.title ?? '' });
    expect(searchResult3.song.map((found) => found.id)).toContain(song?.id);
    const everything = await compat<{ searchResult3: { song: unknown[] } }>('search3', {
      query: '""',
      songCount: '500',
      albumCount: '0',
      artistCount: '0',
    });
    expect(everything.searchResult3.song).toHaveLength(FILES);
    const salt = 'abcdef';
    const stream = await journey.request('/rest/stream.view', {
      u: administrator.name,
      t: md5(administrator.password + salt),
      s: salt,
      v: '1.16.1',
      c: 'journey',
      id: song?.id ?? '',
    });
    expect((await stream.arrayBuffer()).byteLength).toBe(song?.size);
    expect(await compat('scrobble', { id: song?.id ?? '' })).toMatchObject({ status: 'ok' });
    const played = await native<Song>('song', { filter: song?.id.replace('so-', '') ?? '' });
    expect(played.playcount).toBe(1);
  });

  it('writes no event when nothing has changed on the disk', async () => {
    const before = await libraryPosition();
    expect(await journey.scan()).toMatchObject({
      state: 'finished',
      files_seen: FILES,
      songs_added: 0,
      songs_changed: 0,
      songs_removed: 0,
    });
    expect(await libraryPosition()).toBe(before);
  });

  it('keeps the id of a moved file and takes a deleted one out', async () => {
    const { song } = await native<SongList>('songs', { limit: 'none' });
    const [moved, deleted] = song;
    if (!moved || !deleted) throw new Error('there are no songs');
    await rename(moved.filename, join(journey.music, `renamed ${moved.filename.slice(moved.filename.lastIndexOf('/') + 1)}`));
    await rm(deleted.filename);
    expect(await journey.scan()).toMatchObject({ state: 'finished', songs_added: 0, songs_moved: 1, songs_removed: 1 });
    const after = await native<Song>('song', { filter: moved.id });
    expect(after.filename).toContain('renamed ');
    expect(await native('song', { filter: deleted.id })).toMatchObject({ error: { errorCode: '4704' } });
    expect((await native<SongList>('songs', { limit: '1' })).total_count).toBe(FILES - 1);
  });

  it('answers the same after it was stopped and started again', async () => {
    const before = await native<SongList>('songs', { limit: 'none' });
    await journey.stop();
    await journey.start();
    expect(journey.server.firstAdministrator).toBeUndefined();
    const after = await journey.json<SongList>(
      '/rest/8/json/songs',
      { limit: 'none' },
      { headers: { authorization: `Bearer ${administrator.apiKey}` } },
    );
    expect(after.song.map((song) => [song.id, song.title])).toEqual(before.song.map((song) => [song.id, song.title]));
    expect((await native<SongList>('songs', { limit: '1' })).total_count).toBe(FILES - 1);
  });

  it('ends a session everywhere with goodbye', async () => {
    expect(await native('goodbye')).toHaveProperty('success');
    expect(await native('songs')).toMatchObject({ error: { errorCode: '4701' } });
  });
});
