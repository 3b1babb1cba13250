import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type LibraryModule from 'javascript-ampache';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatNames, generateFiles, type Manifest } from '@continuo/media-fixtures';
import { administrator, Journey } from './journey.js';
import { NativeXmlClient, textOf, type Element } from './native-xml-client.js';

const FILES = 30;

let journey: Journey;
let manifest: Manifest;

beforeAll(async () => {
  journey = await Journey.prepare();
  manifest = await generateFiles({ out: journey.music, count: FILES, formats: formatNames, seed: 5, flat: false });
  await journey.start();
  await journey.scan();
});
afterAll(() => journey.end());

const { name: user, password, apiKey } = administrator;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Expects a play address to answer the song's file. */
const expectToPlay = async (url: string, file: string): Promise<void> => {
  const answer = await fetch(url);
  expect(answer.status).toBe(200);
  expect(Buffer.compare(Buffer.from(await answer.arrayBuffer()), await readFile(file))).toBe(0);
  const part = await fetch(url, { headers: { range: 'bytes=10-19' } });
  expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 10]);
};

type LibraryClient = InstanceType<typeof LibraryModule.default>;

// The package's only build is CommonJS for browsers, which call their global object `self`.
Object.assign(globalThis, { self: globalThis });
const Library = createRequire(import.meta.url)('javascript-ampache') as typeof LibraryModule.default;

const libraryClient = (sessionKey?: string): LibraryClient =>
  new Library({ url: journey.server.url, ...(sessionKey === undefined ? {} : { sessionKey, useBearerToken: true }) });

/** Compared fields of an item; albums and artists have the first two only. */
interface Song {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly url: string;
  readonly filename: string;
}

/** The items of a list, bare in version 4, under their kind in all others. */
const itemsOf = (answer: unknown, kind: string): readonly Song[] =>
  (Array.isArray(answer) ? (answer as Song[]) : (answer as Record<string, Song[]>)[kind]) ?? [];

describe.each([
  ['390001', '692004'],
  ['443000', '443000'],
  ['5.5.6', '5.5.6'],
  ['6.6.8', '6.9.2'],
  ['8.0.0', '8.0.0'],
])('a published client library that asks for version %s in JSON', (version, api) => {
  const client = libraryClient;
  let session: string;
  let songs: readonly Song[];
  const inSession = (): LibraryClient => {
    const one = client();
    one.version = version;
    one.setSessionKey(session);
    return one;
  };

  it('logs in with the password', async () => {
    const timestamp = Math.floor(Date.now() / 1000);
    const answer = await client().handshake({ user, timestamp, auth: sha256(`${timestamp}${sha256(password)}`), version });
    expect(answer).toMatchObject({ api, songs: FILES, albums: manifest.albums });
    session = (answer as unknown as { auth: string }).auth;
    expect(await inSession().ping({ auth: session })).toMatchObject({ compatible: '350001', session_expire: expect.any(String) });
  });

  it('browses from artists to albums to songs', async () => {
    const artists = itemsOf(await inSession().artists(), 'artist');
    expect(artists.length).toBeGreaterThanOrEqual(manifest.artists);
    const albums = (
      await Promise.all(artists.map(async ({ id }) => itemsOf(await inSession().artistAlbums({ filter: id }), 'album')))
    ).flat();
    expect(new Set(albums.map(({ id }) => id)).size).toBe(manifest.albums);
    const found = await Promise.all(
      [...new Set(albums.map(({ id }) => id))].map(async (filter) => itemsOf(await inSession().albumSongs({ filter }), 'song')),
    );
    songs = found.flat();
    expect(new Set(songs.map(({ id }) => id)).size).toBe(FILES);
  });

  it('copies the library page by page', async () => {
    const pages = await Promise.all(
      [0, 1, 2].map(async (page) => itemsOf(await inSession().songs({ offset: page * 10, limit: 10 }), 'song')),
    );
    expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(FILES);
  });

  it('searches and plays', async () => {
    const [song] = songs;
    if (!song) throw new Error('there are no songs');
    const rules = [['title', 4, song.title]];
    const found = itemsOf(await inSession().advancedSearch({ type: 'song', operator: 'and', rules } as never), 'song');
    expect(found.map(({ id }) => id)).toContain(song.id);
    await expectToPlay(song.url, song.filename);
    const streamed = await inSession().stream({ id: song.id, filter: song.id, type: 'song' } as never);
    expect(streamed.size).toBe((await readFile(song.filename)).byteLength);
  });

  it('rates, plays and says goodbye', async () => {
    const [song] = songs;
    const id = song?.id ?? '';
    expect(await inSession().rate({ id, filter: id, type: 'song', rating: 4 } as never)).toHaveProperty('success');
    expect(await inSession().goodbye({ auth: session })).toHaveProperty('success');
    expect(await inSession().songs()).toHaveProperty('error');
  });
});

it('the library logs in with the password as bearer token', async () => {
  const client = libraryClient('');
  const timestamp = Math.floor(Date.now() / 1000);
  const passphrase = client.encryptPassword({ password, time: timestamp });
  const { auth } = (await client.handshake({ user, timestamp, auth: passphrase, version: '6.6.8' })) as unknown as { auth: string };
  expect(itemsOf(await libraryClient(auth).songs({ limit: 3 }), 'song')).toHaveLength(3);
});

it('the library works with a key as bearer token, without any handshake', async () => {
  expect(itemsOf(await libraryClient(apiKey).songs({ limit: 3 }), 'song')).toHaveLength(3);
});

describe.each([
  ['390001', '390001'],
  ['443000', '443000'],
  ['5.5.6', '5.5.6'],
  ['6.9.2', '6.9.2'],
  ['8.0.0', '8.0.0'],
])('a client written from the description that asks for version %s in XML', (version, api) => {
  let client: NativeXmlClient;
  let songs: readonly Element[];

  it('logs in', async () => {
    client = new NativeXmlClient(journey.server.url, version);
    const told = await client.handshake(user, password);
    expect([told.get('api'), told.get('songs'), told.get('albums')]).toEqual([api, String(FILES), String(manifest.albums)]);
    expect(new Map((await client.call('ping')).map(({ name, text }) => [name, text])).get('session_expire')).toMatch(/^\d{4}-/);
  });

  it('browses from artists to albums to songs', async () => {
    const artists = await client.list('artists', 'artist');
    const albums = (await Promise.all(artists.map(({ id }) => client.list('artist_albums', 'album', { filter: id })))).flat();
    const ids = [...new Set(albums.map(({ id }) => id))];
    expect(ids).toHaveLength(manifest.albums);
    songs = (await Promise.all(ids.map((filter) => client.list('album_songs', 'song', { filter })))).flat();
    expect(new Set(songs.map(({ id }) => id)).size).toBe(FILES);
  });

  it('searches and plays', async () => {
    const [song] = songs;
    if (!song) throw new Error('there are no songs');
    const title = textOf(song, 'title');
    const found = await client.list('search_songs', 'song', { filter: title });
    expect(found.map(({ id }) => id)).toContain(song.id);
    const ruled = await client.list('advanced_search', 'song', {
      type: 'song',
      operator: 'and',
      rule_1: 'title',
      rule_1_operator: '4',
      rule_1_input: title,
    });
    expect(ruled.map(({ id }) => id)).toContain(song.id);
    await expectToPlay(textOf(song, 'url'), textOf(song, 'filename'));
  });
});
