import type { SearchIndex } from '@continuo/search-index';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { create } from 'xmlbuilder2';
import { seedFixtureLibrary } from '../../../test/library/fixture-library.js';
import { fixtureSongs } from '../../../test/library/fixture-songs.js';
import { insertPlaylist } from '../../../test/library/playlist-fixture.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { fixedAuth, seedTestAccounts, startTestGateway, testAccounts, type TestGateway } from '../../../test/servers/test-gateway.js';

let model: TestReadModel;
let gateway: TestGateway;

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
  await seedTestAccounts(model.write);
  gateway = await startTestGateway(model.read, { settings: { PUBLIC_URL: 'http://server.example' } });
});
afterAll(async () => {
  await gateway.stop();
  await model.close();
});

const adminToken: string = testAccounts.admin.token;

type Params = Readonly<Record<string, string | number>>;

const post = async (params: Params, { format = 'json', version = '8.0.0', token = adminToken } = {}): Promise<string> => {
  const answer = await gateway.app.inject({
    method: 'POST',
    url: `/server/${format}.server.php`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    payload: { version, ...params },
  });
  expect(answer.statusCode).toBe(200);
  return answer.body;
};

interface Found {
  readonly total_count?: number;
  readonly md5?: string;
  readonly song?: readonly { readonly id: string }[];
  readonly user?: readonly { readonly id: string }[];
  readonly search?: Readonly<Record<string, readonly unknown[]>>;
  readonly error?: { readonly errorCode: string; readonly errorType: string; readonly errorMessage: string };
}
const find = async (params: Params, options?: Parameters<typeof post>[1]): Promise<Found> =>
  JSON.parse(await post({ action: 'advanced_search', ...params }, options)) as Found;
const rule = (name: string, operator: number | string, input: string | number): Params => ({
  rule_1: name,
  rule_1_operator: operator,
  rule_1_input: input,
});
const ids = ({ song }: Found): string[] => (song ?? []).map(({ id }) => id);

describe('pages of a search', () => {
  it('have the count and the hash of all that matches', async () => {
    const whole = await find(rule('none', 0, ''));
    const page = await find({ ...rule('none', 0, ''), offset: 1, limit: 2 });
    expect([whole.total_count, page.total_count]).toEqual([5, 5]);
    expect(page.md5).toBe(whole.md5);
    expect(ids(page)).toEqual(ids(whole).slice(1, 3));
    expect(ids(await find({ ...rule('none', 0, ''), offset: 9 }))).toEqual([]);
    expect(ids(await find({ ...rule('none', 0, ''), limit: 'none' }))).toEqual(ids(whole));
  });
  it('are in the order of the files, or in none', async () => {
    const whole = ids(await find(rule('none', 0, '')));
    // Folders of catalog 1 first, by path; the file in its root comes after capital letters.
    expect(whole).toEqual(['1', '2', '4', '3', '5']);
    expect(new Set(ids(await find({ ...rule('none', 0, ''), random: 1 })))).toEqual(new Set(whole));
  });
  it('take numbers in a JSON body for texts', async () => {
    expect(ids(await find(rule('year', 2, 2018)))).toEqual(['3']);
  });
  it('of a group have every kind of thing paged alone, and filter wins over type', async () => {
    const group = { action: 'search_group', ...rule('title', 0, '%'), limit: 2 };
    const all = (await find({ ...group, type: 'all' })).search ?? {};
    expect(Object.keys(all)).toEqual(['album_artist', 'album', 'artist', 'genre', 'label', 'song_artist', 'song', 'user']);
    expect(new Set(Object.entries(all).map(([name, items]) => (name === 'label' ? 2 : items.length)))).toEqual(new Set([2]));
    expect(Object.keys((await find({ ...group, type: 'all', filter: 'music' })).search ?? {})).toEqual(['album', 'artist', 'song']);
    const xml = await post({ ...group, type: 'song_artist' }, { format: 'xml' });
    expect(new Set(xml.match(/<(album|artist|song) id/g))).toEqual(new Set(['<album id', '<artist id', '<song id']));
  });
  it('of a group leave out kinds that do not know the rules', async () => {
    const group = { action: 'search_group', ...rule('placeformed', 1, 'x') };
    expect(Object.keys((await find(group)).search ?? {})).toEqual(['album_artist', 'artist', 'song_artist']);
    expect((await find({ ...group, rule_1: 'nothing' })).error?.errorCode).toBe('4710');
  });
});

describe('words instead of rules', () => {
  it('find one type in pages of one list, and several types at once', async () => {
    const words = 'watch';
    const whole = await find({ words });
    expect(whole.total_count).toBe(1);
    const page = await find({ words, offset: 1 });
    expect([page.total_count, page.md5, ids(page)]).toEqual([1, whole.md5, []]);
    expect(ids(await find({ words, positions: 0 }))).toEqual(ids(whole));
    expect(ids(await find({ words, random: 1 }))).toEqual(ids(whole));
    const group = (await find({ action: 'search_group', types: 'genre,artist,album,song,label', words: 'harbour', limit: 1 })).search ?? {};
    expect(Object.keys(group).toSorted()).toEqual(['artist', 'song']);
    expect(Object.values(group).map((items) => items.length)).toEqual([1, 1]);
  });
  it('find names that sound like them where no index is asked and nothing has them', async () => {
    const asked = { action: 'search_group', types: 'genre,song', words: 'fowlk' };
    expect(Object.keys((await find(asked)).search ?? {})).toEqual(['genre']);
    expect((await find({ type: 'genre', words: 'fowlk' }, { version: '6.6.1' })).error).toBeUndefined();
  });
  it('show nothing hidden, whatever the index says', async () => {
    const hidden = await model.write.selectFrom('library.song').select(['id', 'title']).where('catalog_id', '=', 2).execute();
    const all = async (table: 'library.song' | 'library.album' | 'library.artist'): Promise<number[]> =>
      (await model.write.selectFrom(table).select('id').execute()).map(({ id }) => id);
    await insertPlaylist(model.write, { id: 7, name: 'For nobody else' }, []);
    const ofLibrary = { song: await all('library.song'), album: await all('library.album'), artist: await all('library.artist') };
    const found = { ...ofLibrary, playlist: [7] };
    const wordSearch: SearchIndex = {
      name: 'behind',
      search: async () =>
        Object.fromEntries(Object.entries(found).map(([kind, ofKind]) => [kind, { ids: ofKind, estimatedTotal: ofKind.length }])),
    };
    const auth = fixedAuth([testAccounts.admin, { ...testAccounts.listener, catalogs: [1] }]);
    const behind = await startTestGateway(model.read, { wordSearch, auth });
    const textOf = async (format: string, token: string): Promise<string> => {
      const query = `action=search_group&types=song,album,artist,playlist&words=x&version=8.0.0&auth=${token}`;
      return (await behind.app.inject({ url: `/server/${format}.server.php?${query}` })).body;
    };
    try {
      const credits = await model.write
        .selectFrom('library.artist_catalog as c')
        .innerJoin('library.artist as a', 'a.id', 'c.artist_id')
        .select(['a.name', 'c.catalog_id'])
        .execute();
      const known = credits.filter(({ catalog_id }) => catalog_id === 1).map(({ name }) => name);
      const artists = credits.filter(({ name }) => !known.includes(name));
      const names = ['For nobody else', ...hidden.map(({ title }) => title), ...artists.map(({ name }) => name)];
      expect(names.length).toBeGreaterThan(2);
      for (const format of ['json', 'xml']) {
        const seen = await textOf(format, testAccounts.admin.token);
        expect(names.filter((name) => !seen.includes(name))).toEqual([]);
        const limited = await textOf(format, testAccounts.listener.token);
        expect(limited).toContain('Second Watch');
        expect(names.filter((name) => limited.includes(name))).toEqual([]);
      }
    } finally {
      await behind.stop();
    }
  });
  it('of nothing but signs find nothing, and empty ones are refused', async () => {
    expect((await find({ words: '""' })).total_count).toBe(0);
    expect((await find({ words: ' ' })).error).toMatchObject({ errorCode: '4710', errorMessage: 'Bad Request: words is missing' });
    expect((await find({ type: 'album_disk', words: 'dusk' }, { version: '6.6.1' })).error).toBeUndefined();
  });
});

describe('accounts', () => {
  it('are found by what the caller may see of them', async () => {
    await model.write
      .updateTable('social.user')
      .set({ email: 'hidden@example.org', full_name: 'Hidden Name' })
      .where('id', '=', 1)
      .execute();
    const byMail = { type: 'user', ...rule('email', 0, 'hidden') };
    const byName = { type: 'user', ...rule('name', 0, 'hidden') };
    const { token } = testAccounts.listener;
    expect((await find(byMail)).user?.map(({ id }) => id)).toEqual(['1']);
    expect((await find(byMail, { token })).user).toEqual([]);
    expect((await find(byName, { token })).user).toEqual([]);
    await model.write.updateTable('social.user').set({ full_name_public: true }).where('id', '=', 1).execute();
    expect((await find(byName, { token })).user?.map(({ id }) => id)).toEqual(['1']);
  });
});

describe('hostile requests', () => {
  const operands = [
    "x' or '1'='1",
    '%_\\',
    'nul\0nul',
    'lone \ud800 surrogate',
    '🎵|🎶',
    '(((',
    '(a+)+$',
    '((a{1,250}){1,250}){1,250}',
    '<![CDATA[ ]]>&"',
    'x'.repeat(100_000),
    '|'.repeat(5000),
  ];
  const names = [
    'title',
    'anywhere',
    'year',
    'added',
    'metadata',
    'myrating',
    'catalog',
    '__proto__',
    'toString',
    "x'; drop table library.song",
  ];
  it.each(['advanced_search', 'search_group'])('%s answers each with a list or an error, in both formats', async (action) => {
    for (const name of names) {
      for (const [index, input] of operands.entries()) {
        const params = { action, ...rule(name, name === 'title' ? index % 10 : 0, input), rule_1_subtype: input.slice(0, 2000) };
        const { error } = JSON.parse(await post(params)) as Found;
        expect(error?.errorCode ?? '4710').toBe('4710');
        create(await post(params, { format: 'xml' }));
      }
    }
    expect((await find(rule('none', 0, ''))).total_count).toBe(5);
  });
  it.each(['advanced_search', 'search_group'])('%s answers each as words with a list or an error, in both formats', async (action) => {
    for (const words of operands) {
      expect((await find({ action, words })).error?.errorCode ?? '4710').toBe('4710');
      create(await post({ action, words }, { format: 'xml' }));
    }
  });
  it('of unknown types say which parameter is wrong, and do not repeat all of it', async () => {
    const { error } = await find({ ...rule('title', 0, 'x'), type: 'y'.repeat(5000) });
    expect(error?.errorType).toBe('type');
    expect(error?.errorMessage.length).toBeLessThan(300);
    expect((await find({ ...rule('title', 0, 'x'), type: 'constructor' })).error?.errorType).toBe('type');
    expect((await find({ action: 'search_group', ...rule('title', 0, 'x'), type: 'constructor' })).error?.errorType).toBe('type');
  });
});
