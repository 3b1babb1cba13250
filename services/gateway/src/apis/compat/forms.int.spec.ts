import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asking } from '../../../test/servers/compat-asking.js';
import { compatServer, queryOf, type CallParams } from '../../../test/servers/compat-server.js';
import { WholeCompatWorld } from '../../../test/servers/compat-whole-world.js';
import type { Case } from '../../../test/calls/compat/case.js';
import { endpointCases } from '../../../test/calls/compat/endpoint.cases.js';
import { operationNames, type OperationName } from './registry/names.js';
import { registry } from './registry/registry.js';

let world: WholeCompatWorld;
beforeAll(async () => {
  world = await WholeCompatWorld.start();
});
afterAll(() => world.stop());

const { ask } = asking(() => world.full);
const who = { u: 'ada', p: 'secret', v: '1.16.1', c: 'test' };

/** Answers that are others each time they are asked for. */
const CHANGING: readonly OperationName[] = ['getRandomSongs', 'getAlbumList', 'getAlbumList2', 'getTranscodeDecision'];

const documents = operationNames.filter((operation) => registry[operation].kind !== 'binary' && !CHANGING.includes(operation));
const firstCase = (operation: OperationName): Case => {
  const { success, badParameter } = endpointCases[operation];
  const cases = typeof success === 'string' ? badParameter : success;
  return typeof cases === 'string' ? {} : cases[0];
};

describe('every operation that answers a document', () => {
  it.each(documents.map((operation) => ({ operation })))(
    '$operation: the same in every spelling, by GET and by form',
    async ({ operation }) => {
      const { params = {} } = firstCase(operation);
      const query = queryOf({ ...(params['apiKey'] === undefined ? who : { v: '1.16.1', c: 'test' }), ...params, f: 'json' });
      const get = async (path: string): Promise<string> => (await world.full.app.inject({ url: `/rest/${path}?${query}` })).body;
      const plain = await get(operation);
      expect(plain).toContain('"subsonic-response"');
      for (const path of [`${operation}.view`, operation.toUpperCase(), `${operation.toLowerCase()}.VIEW`])
        expect(await get(path)).toBe(plain);
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const posted = await world.full.app.inject({ method: 'POST', url: `/rest/${operation}.view`, headers, payload: query });
      expect(posted.body).toBe(plain);
      const padded = await world.full.app.inject({ url: `/rest/${operation}?${query}p&callback=a.b` });
      expect(padded.body).toBe(`a.b(${plain});`);
    },
  );
});

describe('errors', () => {
  const failing = { ...who, id: 'so-999' };
  const said = async (params: CallParams): Promise<[type: string, body: string]> => {
    const { headers, body, statusCode } = await world.full.app.inject({ url: `/rest/getSong?${queryOf({ ...failing, ...params })}` });
    expect(statusCode).toBe(200);
    return [String(headers['content-type']), body];
  };

  it('have the envelope that is asked for; XML when it is none', async () => {
    const unasked: readonly CallParams[] = [{}, { f: 'xml' }, { f: 'yaml' }, { f: '' }];
    for (const params of unasked) {
      const [type, body] = await said(params);
      expect(type).toBe('text/xml; charset=UTF-8');
      expect(body).toMatch(/^<\?xml .*<error code="70" message="[^"]+"\/><\/subsonic-response>$/s);
    }
    for (const f of ['json', 'JSON', ' json ']) expect((await said({ f }))[0]).toBe('application/json; charset=UTF-8');
    const [type, body] = await said({ f: 'jsonp', callback: 'cb' });
    expect([type, body.slice(0, 25), body.slice(-2)]).toEqual(['text/javascript; charset=UTF-8', 'cb({"subsonic-response":{', ');']);
  });

  it.each(['', '1a', 'a-b', 'a b', 'a(', 'a;b', 'a..b', '.a', 'a.', '<script>', 'é', 'a\n', 'x'.repeat(100), 'alert(1)//'])(
    'refuse to call %j',
    async (callback) => {
      const [type, body] = await said({ f: 'jsonp', callback });
      expect(type).toBe('application/json; charset=UTF-8');
      expect(JSON.parse(body)).toMatchObject({ 'subsonic-response': { status: 'failed', error: { code: 10 } } });
    },
  );

  it('are the same for parameters that are repeated, empty or in front', async () => {
    expect((await ask('getSong', { id: ['', 'so-1', 'so-2'] })).song.id).toBe('so-1');
    expect((await ask('getSong', { id: ['', ''] })).error.code).toBe(10);
    expect((await ask('getSong', { ID: 'so-1' })).error.code).toBe(10);
  });
});

describe('the legacy form', () => {
  it('is chosen by the preference of the account, and nobody else has it then', async () => {
    await world.model.write.insertInto('social.user_preference').values({ user_id: 1, preference_id: 16, value: '1' }).execute();
    const server = await compatServer(world.model.read, '/nowhere');
    const { ask: asked } = asking(() => server);
    expect(Object.keys(await asked('ping'))).toEqual(['status', 'version']);
    expect(Object.keys(await asked('ping', {}, 'bob'))).toContain('openSubsonic');
    // Who is not proven has no preferences.
    expect(Object.keys(await asked('ping', { p: 'wrong' }))).toContain('openSubsonic');
    expect((await asked('getSong', { id: 'so-1' })).song).not.toHaveProperty('mediaType');
    expect((await asked('getSong', { id: 'so-1' }, 'bob')).song).toHaveProperty('mediaType');
    await server.app.close();
    await world.model.write.deleteFrom('social.user_preference').where('user_id', '=', 1).execute();
  });
});

describe('a music folder', () => {
  type Lists = Readonly<Record<string, readonly { readonly id: string }[]>>;
  /** Ids of all things in an answer, whatever they are called there. */
  const idsIn = (value: unknown): string[] => {
    if (typeof value !== 'object' || value === null) return [];
    const own = 'id' in value && typeof value.id === 'string' ? [value.id] : Object.values(value as Lists).flatMap(idsIn);
    return own.toSorted();
  };
  const found = async (operation: OperationName, params: CallParams): Promise<string[]> => {
    const answer = (await ask(operation, params)) as Record<string, unknown>;
    expect(answer['status']).toBe('ok');
    return idsIn(answer);
  };

  it.each<[operation: OperationName, params: CallParams]>([
    ['getAlbumList', { type: 'alphabeticalByName', size: 500 }],
    ['getAlbumList2', { type: 'alphabeticalByName', size: 500 }],
    ['getAlbumList2', { type: 'random', size: 500 }],
    ['getAlbumList2', { type: 'newest', size: 500 }],
    ['getAlbumList2', { type: 'frequent', size: 500 }],
    ['getAlbumList2', { type: 'recent', size: 500 }],
    ['getAlbumList2', { type: 'highest', size: 500 }],
    ['getAlbumList2', { type: 'starred', size: 500 }],
    ['getAlbumList2', { type: 'byYear', fromYear: 1900, toYear: 2100, size: 500 }],
    ['getAlbumList2', { type: 'byGenre', genre: 'Folk', size: 500 }],
    ['getIndexes', {}],
    ['getRandomSongs', { size: 500 }],
    ['getSongsByGenre', { genre: 'Folk', count: 500 }],
    ['search2', { query: '', artistCount: 0 }],
    ['search3', { query: '', artistCount: 0 }],
  ])('limits %s %j to what is in it', async (operation, params) => {
    const all = await found(operation, params);
    const [first, second, prefixed] = await Promise.all(
      ['1', '2', 'mf-2'].map((musicFolderId) => found(operation, { ...params, musicFolderId })),
    );
    expect([...(first ?? []), ...(second ?? [])].toSorted()).toEqual(all);
    expect(prefixed).toEqual(second);
    for (const musicFolderId of ['99', '0', '-1', 'mf-99', 'nonsense', 'al-1'])
      expect(await found(operation, { ...params, musicFolderId })).toEqual([]);
  });

  it.each<[operation: OperationName, params: CallParams]>([
    ['getArtists', {}],
    ['getStarred', {}],
    ['getStarred2', {}],
    ['search3', { query: '' }],
  ])('limits %s %j to those that have something in it', async (operation, params) => {
    const all = await found(operation, params);
    const [first, second] = await Promise.all(['1', '2'].map((musicFolderId) => found(operation, { ...params, musicFolderId })));
    expect([...new Set([...(first ?? []), ...(second ?? [])])].toSorted()).toEqual(all);
    expect(second).not.toEqual(all);
    expect(await found(operation, { ...params, musicFolderId: '99' })).toEqual([]);
  });
});

describe('what there is a back end for at times', () => {
  const named = async (): Promise<string[]> => {
    const { openSubsonicExtensions: all } = await ask('getCompatExtensions');
    expect(all.every(({ versions }: { versions: number[] }) => versions.join() === '1')).toBe(true);
    return all.map(({ name }: { name: string }) => name);
  };

  it('is advertised and answered while there is', async () => {
    expect(await named()).toContain('sonicSimilarity');
    expect((await ask('getSonicSimilarTracks', { id: 'so-1', count: 2 })).sonicMatch).toHaveLength(2);
    expect((await ask('getSonicSimilarTracks', { id: 'so-2' })).sonicMatch).toEqual([]);
  });

  it('is not advertised and answers 30 while there is none, whatever is asked', async () => {
    world.full.sounds.on = false;
    try {
      expect(await named()).not.toContain('sonicSimilarity');
      expect((await ask('getSonicSimilarTracks', { id: 'so-1' })).error.code).toBe(30);
      expect((await ask('getSonicSimilarTracks')).error.code).toBe(30);
      expect((await ask('findSonicPath', { startSongId: 'so-1', endSongId: 'so-4' })).error.code).toBe(30);
    } finally {
      world.full.sounds.on = true;
    }
  });
});

describe('artists by letter', () => {
  it('stand under the name without its article, which clients are told', async () => {
    const { artists } = await ask('getArtists');
    expect(artists.ignoredArticles.split(' ')).toContain('The');
    const letterOf = Object.fromEntries(
      artists.index.flatMap(({ name, artist }: { name: string; artist: { name: string }[] }) => artist.map((one) => [one.name, name])),
    );
    expect(letterOf).toMatchObject({ 'The Harbour Lights': 'H', 'Zoë Quill': 'Z', 'Anna Été': 'A', Каскад: '#' });
  });
});
