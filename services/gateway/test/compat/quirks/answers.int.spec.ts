import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asking } from '../../servers/compat-asking.js';
import { compatServer, type CallParams, type CompatServer } from '../../servers/compat-server.js';
import { goldenTexts } from '../../goldens/golden.js';
import { testReadModel, type TestReadModel } from '../../servers/read-model-database.js';
import { seedTestAccounts } from '../../servers/test-gateway.js';
import { compatErrors } from '../../../src/apis/compat/errors.js';

/*
 * Values in answers that break clients: searched in every answer whose bytes are fixed (contracts/golden/compat), and in those of a server that has nothing.
 */

type Json = null | string | number | boolean | readonly Json[] | { readonly [name: string]: Json };

/** Every value of an answer with the names that lead to it; places in lists are left out. */
const values = function* (json: Json, path: readonly string[] = []): Generator<{ path: readonly string[]; value: Json }> {
  yield { path, value: json };
  if (json === null || typeof json !== 'object') return;
  if (Array.isArray(json)) for (const one of json as readonly Json[]) yield* values(one, path);
  else for (const [name, one] of Object.entries(json)) yield* values(one, [...path, name]);
};

const allJson = (['opensubsonic', 'subsonic'] as const).flatMap((form) =>
  goldenTexts('compat', 'json', form).map(({ name, text }) => ({ name: `${form} ${name}`, json: JSON.parse(text) as Json })),
);
/** Faults of a value, by answer and path. */
const faults = (isWrong: (name: string, value: Json, path: readonly string[]) => boolean): string[] =>
  allJson.flatMap(({ name, json }) =>
    [...values(json)].flatMap(({ path, value }) =>
      isWrong(path.at(-1) ?? '', value, path) ? [`${name}: ${path.join('.')} = ${JSON.stringify(value)}`] : [],
    ),
  );
/** Objects that stand under a name in all answers. */
const objects = (name: string): Readonly<Record<string, Json>>[] =>
  allJson
    .flatMap(({ json }) => [...values(json)].flatMap(({ path, value }) => (path.at(-1) === name ? [value] : [])))
    .flatMap((value) => {
      const all = Array.isArray(value) ? (value as readonly Json[]) : [value];
      return all.filter((one): one is Readonly<Record<string, Json>> => one !== null && typeof one === 'object' && !Array.isArray(one));
    });

const DATES: ReadonlySet<string> = new Set(['created', 'changed', 'starred', 'played', 'expires', 'lastVisited', 'lastScan', 'lastLogin']);
const WITH_ZONE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** The text that a value is; empty for everything else. */
const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
/** The id of a song; what plays on the server and is none has the number 0. */
const A_SONG = /^so-[1-9]/;

/** Fields with ids: own ones and references. */
const isId = (name: string): boolean => /^(?:id|parent|\w*Id|coverArt|current)$/.test(name) && !/^musicBrainzId$/i.test(name);

describe('an answer', () => {
  it('has dates with a zone or none at all, and no null', () => {
    expect(
      faults((name, value) => value === null || (DATES.has(name) && typeof value !== 'object' && !WITH_ZONE.test(textOf(value)))),
    ).toEqual([]);
    expect(allJson.length).toBeGreaterThan(100);
  });

  it('has ids of letters, digits and dashes alone', () => {
    // Numbers: music folders, and what plays in the legacy form.
    const isBad = (value: Json): boolean => (typeof value === 'string' ? !/^[A-Za-z0-9-]+$/.test(value) : typeof value !== 'number');
    expect(faults((name, value) => isId(name) && isBad(value))).toEqual([]);
  });

  it('has numbers for music folders and texts for everything else', () => {
    const folders = objects('musicFolder');
    expect(folders.length).toBeGreaterThan(0);
    expect(folders.filter(({ id }) => typeof id !== 'number')).toEqual([]);
    const isNumber = (name: string, path: readonly string[]): boolean =>
      path.at(-2) === 'musicFolder' || name === 'current' || name === 'playerId';
    expect(faults((name, value, path) => isId(name) && typeof value === 'number' && !isNumber(name, path))).toEqual([]);
  });

  it('names a picture for every album and song', () => {
    const bare = ['song', 'album', 'entry', 'child'].flatMap((name) =>
      objects(name).filter((one) => one['isVideo'] !== true && /^(?:so|al)-[1-9]/.test(textOf(one['id'])) && one['coverArt'] === undefined),
    );
    expect(bare).toEqual([]);
  });

  it('says of each song where it lies, in folders', () => {
    const songs = ['song', 'entry', 'child'].flatMap(objects).filter(({ id }) => A_SONG.test(textOf(id)));
    expect(songs.length).toBeGreaterThan(20);
    expect(songs.filter(({ path }) => typeof path !== 'string' || path === '' || path.startsWith('/'))).toEqual([]);
    expect(songs.some(({ path }) => /^[^/]+\/[^/]+\/[^/]+$/.test(textOf(path)))).toBe(true);
  });

  it('has in every playlist what is required of one, in its type', () => {
    const lists = objects('playlist').filter(({ id }) => id !== undefined);
    expect(lists.length).toBeGreaterThan(2);
    for (const list of lists) {
      expect(list).toMatchObject({
        id: expect.any(String),
        name: expect.any(String),
        owner: expect.any(String),
        songCount: expect.any(Number),
      });
      expect(list).toMatchObject({
        duration: expect.any(Number),
        created: expect.any(String),
        changed: expect.any(String),
        public: expect.any(Boolean),
      });
    }
  });

  it('says nothing where it knows nothing of an artist', () => {
    const told = ['artistInfo', 'artistInfo2', 'albumInfo'].flatMap(objects);
    expect(told.length).toBeGreaterThan(0);
    expect(told.flatMap((one) => Object.values(one).filter((value) => value === ''))).toEqual([]);
  });

  it('says its version among the first bytes', () => {
    const early = (text: string): string =>
      /version"?[=:]"(?<version>[\d.]+)"/.exec(text.replace(/^<\?xml[^>]*>\s*/, '').slice(0, 150))?.groups?.['version'] ?? '';
    for (const form of ['opensubsonic', 'subsonic'] as const)
      for (const { name, text } of [...goldenTexts('compat', 'json', form), ...goldenTexts('compat', 'xml', form)])
        expect([name, early(text)]).toEqual([name, '1.16.1']);
  });

  it('never says that a trial is over', () => {
    expect(Object.values(compatErrors)).not.toContain(60);
  });
});

describe('a server without anything', () => {
  let model: TestReadModel;
  let server: CompatServer;
  let folder: string;
  const { ask } = asking(() => server);
  beforeAll(async () => {
    model = await testReadModel();
    await seedTestAccounts(model.write);
    folder = await mkdtemp(join(tmpdir(), 'continuo-art-'));
    server = await compatServer(model.read, folder);
  });
  afterAll(async () => {
    await server.app.close();
    await model.close();
    await rm(folder, { recursive: true });
  });

  /** Lists, by what holds them and what they are called there. */
  const lists: readonly [operation: string, container: string, list: string, params?: CallParams][] = [
    ['getMusicFolders', 'musicFolders', 'musicFolder'],
    ['getIndexes', 'indexes', 'index'],
    ['getArtists', 'artists', 'index'],
    ['getGenres', 'genres', 'genre'],
    ['getAlbumList', 'albumList', 'album', { type: 'newest' }],
    ['getAlbumList2', 'albumList2', 'album', { type: 'alphabeticalByName' }],
    ['getRandomSongs', 'randomSongs', 'song'],
    ['getSongsByGenre', 'songsByGenre', 'song', { genre: 'Rock' }],
    ['getNowPlaying', 'nowPlaying', 'entry'],
    ['getStarred2', 'starred2', 'song'],
    ['search2', 'searchResult2', 'song', { query: '""' }],
    ['search3', 'searchResult3', 'artist', { query: '""' }],
    ['getPlaylists', 'playlists', 'playlist'],
    ['getBookmarks', 'bookmarks', 'bookmark'],
    ['getShares', 'shares', 'share'],
    ['getPodcasts', 'podcasts', 'channel'],
    ['getNewestPodcasts', 'newestPodcasts', 'episode'],
    ['getInternetRadioStations', 'internetRadioStations', 'internetRadioStation'],
    ['getChatMessages', 'chatMessages', 'chatMessage'],
    ['getVideos', 'videos', 'video'],
  ];
  it.each(lists)('holds every list of an empty library, as an array: %s', async (operation, container, list, params) => {
    const answer = (await ask(operation, params)) as Record<string, Record<string, Json>>;
    expect(answer['status']).toBe('ok');
    expect(answer[container]?.[list]).toEqual([]);
  });

  it.each([
    ['json', 'application/json'],
    ['xml', 'text/xml'],
    ['jsonp', 'text/javascript'],
  ])('has the type of what was asked for: %s', async (f, type) => {
    for (const operation of ['getPodcasts', 'getAlbum']) {
      const answer = await server.call(operation, { f, callback: 'called' });
      expect([operation, answer.status, answer.type.startsWith(type) || answer.type]).toEqual([operation, 200, true]);
    }
  });
});
