import { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { countSmartlist, flagObjects, rateObject, type SmartlistRule } from '@continuo/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AnnotationWriter } from '../../../test/library/annotation-writer.js';
import { seedFixtureLibrary, type FixtureSong } from '../../../test/library/fixture-library.js';
import { insertPlaylist } from '../../../test/library/playlist-fixture.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { insertSmartlist } from '../../../test/library/smartlist-fixture.js';
import { fixedAuth, seedTestAccounts, startTestGateway, testAccounts, type TestGateway } from '../../../test/servers/test-gateway.js';

/** Songs 1 to 30; those from 21 on are in the second catalog. */
const SONGS = 30;
const FIRST_HIDDEN = 21;
const { admin, listener } = testAccounts;
/** Sees the first catalog alone. */
const half = { id: 3, username: 'half', access: 25, token: 'half-token', catalogs: [1] } as const;

let model: TestReadModel;
let gateway: TestGateway;
let annotations: AnnotationWriter;
const counted: unknown[] = [];

const song = (n: number): FixtureSong => ({
  title: `Song ${n}`,
  album: `Album ${Math.ceil(n / 10)}`,
  artists: ['Anna'],
  folder: `${Math.ceil(n / 10)}`,
  fileName: `${String(n).padStart(2, '0')}.mp3`,
  year: 1990 + n,
  catalogId: n < FIRST_HIDDEN ? 1 : 2,
});

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(
    model.write,
    Array.from({ length: SONGS }, (_, n) => song(n + 1)),
  );
  await seedTestAccounts(model.write);
  annotations = new AnnotationWriter(model.write);
  const commands = new InMemoryCommandClient()
    .handle(countSmartlist, async ({ data }) => {
      counted.push(data);
      return { result: {}, positions: [] };
    })
    .handle(rateObject, async () => ({ result: {}, positions: [] }))
    .handle(flagObjects, async () => ({ result: {}, positions: [] }));
  gateway = await startTestGateway(model.read, { commands, auth: fixedAuth([admin, listener, half]) });
});
afterAll(async () => {
  await gateway.stop();
  await model.close();
});
beforeEach(async () => {
  await model.write.deleteFrom('library.smartlist').execute();
  counted.length = 0;
});

const ask = async <T>(query: string, token: string = listener.token): Promise<T> => {
  const url = `/server/json.server.php?version=8.0.0&${query}`;
  const answer = await gateway.app.inject({ url, headers: { authorization: `Bearer ${token}` } });
  expect(answer.statusCode).toBe(200);
  return answer.json<T>();
};
interface Songs {
  readonly total_count: number;
  readonly song: readonly { readonly id: string }[];
}
const idsOf = async (id: number, token?: string, more = ''): Promise<number[]> =>
  (await ask<Songs>(`action=smartlist_songs&filter=${id}${more}`, token)).song.map((found) => Number(found.id));
const errorOf = async (query: string, token?: string) =>
  (await ask<{ error?: { errorCode: string; errorMessage: string } }>(query, token)).error;
const from = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, n) => first + n);
const every: SmartlistRule[] = [['none', 'true', '', null]];
// Numbers are never given twice; here they are, so that each list is told from those before it by its revision.
let revision = 0;
const make = (row: Parameters<typeof insertSmartlist>[1], rules: Parameters<typeof insertSmartlist>[2]): Promise<void> =>
  insertSmartlist(model.write, { is_public: true, revision: (revision += 1), ...row }, rules);

describe('a smartlist', () => {
  it('holds what its rules find at the moment', async () => {
    await make({ id: 1, name: 'rated' }, [['myrating', 'gte', '4', null]]);
    expect(await idsOf(1, admin.token)).toEqual([]);
    await annotations.rate({ userId: admin.id, kind: 'song', objectId: 7 }, 5);
    expect(await idsOf(1, admin.token)).toEqual([7]);
    await annotations.rate({ userId: admin.id, kind: 'song', objectId: 7 }, 3);
    expect(await idsOf(1, admin.token)).toEqual([]);
  });

  it('is run for its owner, whoever looks', async () => {
    await make({ id: 1, name: 'favourites of the listener', owner_id: listener.id }, [['favorite', 'contain', 'Song', null]]);
    await annotations.flag({ userId: listener.id, kind: 'song', objectId: 3 }, 1);
    await annotations.flag({ userId: admin.id, kind: 'song', objectId: 4 }, 1);
    expect(await idsOf(1, listener.token)).toEqual([3]);
    expect(await idsOf(1, admin.token)).toEqual([3]);
  });

  it('shows nobody more than they may see, nor more than its owner may', async () => {
    await make({ id: 1, name: 'all', owner_id: admin.id }, every);
    await make({ id: 2, name: 'all of half', owner_id: half.id }, every);
    expect(await idsOf(1, admin.token)).toEqual(from(1, SONGS));
    expect(await idsOf(1, half.token)).toEqual(from(1, FIRST_HIDDEN - 1));
    expect(await idsOf(2, admin.token)).toEqual(from(1, FIRST_HIDDEN - 1));
    const lists = await ask<{ playlist: { items: number; time: number }[] }>('action=smartlists', half.token);
    expect(lists.playlist.map(({ items }) => items)).toEqual([FIRST_HIDDEN - 1, FIRST_HIDDEN - 1]);
  });

  it('of nobody, or of an account that is gone, is run for nobody', async () => {
    await make({ id: 1, name: 'system', owner_id: null, logic: 'or' }, [
      ['myrating', 'gte', '1', null],
      ['id', 'equal', '2', null],
    ]);
    await make({ id: 2, name: 'orphan', owner_id: 77 }, every);
    expect(await idsOf(1, admin.token)).toEqual([2]);
    expect(await idsOf(2, half.token)).toEqual(from(1, FIRST_HIDDEN - 1));
  });

  it('is for its owner, collaborators and administrators alone when it is private', async () => {
    await make({ id: 1, name: 'mine', owner_id: listener.id, is_public: false }, every);
    await make({ id: 2, name: 'shared', owner_id: admin.id, is_public: false, collaborator_ids: [half.id] }, every);
    expect(await errorOf('action=smartlist_songs&filter=1', half.token)).toMatchObject({ errorCode: '4704', errorMessage: 'Not Found: 1' });
    expect(await errorOf('action=playlist_hash&filter=smart_1', half.token)).toMatchObject({ errorCode: '4704' });
    expect(await idsOf(1, admin.token)).toHaveLength(SONGS);
    expect(await idsOf(2, half.token)).toHaveLength(FIRST_HIDDEN - 1);
    const names = async (token: string) =>
      (await ask<{ playlist: { name: string }[] }>('action=smartlists', token)).playlist.map(({ name }) => name);
    expect([await names(half.token), await names(listener.token), await names(admin.token)]).toEqual([['shared'], ['mine'], ['shared']]);
    expect(await errorOf('action=smartlist_delete&filter=2', half.token)).toMatchObject({ errorCode: '4742' });
    expect(await errorOf('action=playlist_edit&filter=smart_2&name=x', half.token)).toMatchObject({ errorCode: '4742' });
  });

  it('keeps its limit and its order', async () => {
    await make({ id: 1, name: 'last', song_limit: 3 }, [['year', 'gt', '2000', null]]);
    expect(await idsOf(1)).toEqual([11, 12, 13]);
    expect(await idsOf(1, listener.token, '&offset=1&limit=1')).toEqual([12]);
  });

  it('joins its rules by or, and leaves out rules that are no more', async () => {
    await make({ id: 1, name: 'either', logic: 'or' }, [
      ['id', 'equal', '5', null],
      ['no_such_rule', 'equal', '6', null],
      ['title', 'equal', 'song 9', null],
    ]);
    await make({ id: 2, name: 'nothing left' }, [['no_such_rule', 'equal', '6', null]]);
    expect(await idsOf(1)).toEqual([5, 9]);
    expect(await idsOf(2)).toEqual([]);
  });

  it('that cannot be run says why, and stays in the lists', async () => {
    await make({ id: 1, name: 'broken' }, [['title', 'regexp', '(((', null]]);
    expect(await errorOf('action=smartlist_songs&filter=1')).toMatchObject({ errorCode: '4710' });
    expect(await ask('action=smartlist&filter=1')).toMatchObject({ id: 'smart_1', items: 0 });
    expect(await ask('action=playlists&include=songs')).toMatchObject({ total_count: 1 });
  });

  it('notes how much is in it, for who sees as much as its owner', async () => {
    await make({ id: 90, name: 'all', owner_id: admin.id }, every);
    await ask('action=smartlist&filter=90', half.token);
    expect(counted).toEqual([]);
    await ask('action=smartlist&filter=90', listener.token);
    await expect.poll(() => counted).toEqual([{ smartlistId: 90, songCount: SONGS, durationMs: expect.any(Number) as unknown }]);
  });
});

describe('a random smartlist', () => {
  const page = (offset: number) => idsOf(1, listener.token, `&offset=${offset}&limit=5`);

  it('is another choice whenever it is opened, and the same one from page to page', async () => {
    await make({ id: 1, name: 'any', is_random: true, song_limit: 15 }, every);
    const pages = [await page(0), await page(5), await page(10)];
    expect(new Set(pages.flat()).size).toBe(15);
    expect((await ask<Songs>('action=smartlist_songs&filter=1&offset=5&limit=5')).total_count).toBe(15);
    const openings = await Promise.all(from(1, 5).map(() => page(0)));
    expect(new Set(openings.map(String)).size).toBeGreaterThan(1);
    const hash = () => ask<{ md5: string }>('action=playlist_hash&filter=smart_1');
    expect(await hash()).toEqual(await hash());
  });

  it('counts what is in the choice', async () => {
    await make({ id: 1, name: 'any', is_random: true, song_limit: 4 }, every);
    expect(await ask('action=smartlist&filter=1')).toMatchObject({ items: 4 });
  });
});

describe('rules that speak of lists', () => {
  const found = async (rule: string, input: string, operator = 0, token?: string): Promise<number[]> =>
    (await ask<Songs>(`action=search&type=song&rule_1=${rule}&rule_1_operator=${operator}&rule_1_input=${input}`, token)).song.map(
      ({ id }) => Number(id),
    );

  it('find what is in a smartlist, over several steps', async () => {
    await make({ id: 1, name: 'late' }, [['year', 'gte', '2000', null]]);
    await make({ id: 2, name: 'late and low' }, [
      ['smartplaylist', 'equal', '1', null],
      ['id', 'lte', '12', null],
    ]);
    await make({ id: 3, name: 'first two', song_limit: 2 }, [['smartplaylist', 'equal', 'smart_1', null]]);
    expect(await found('smartplaylist', '2')).toEqual([10, 11, 12]);
    expect(await found('smartplaylist', 'smart_3')).toEqual([10, 11]);
    expect(await found('smartplaylist', '1', 1)).toEqual(from(1, 9));
    expect(await found('smartplaylist', '99')).toEqual([]);
    expect(await found('smartplaylist', '99', 1)).toHaveLength(SONGS);
  });

  it('say nothing of a list that the searcher may not open', async () => {
    await make({ id: 1, name: 'secret', owner_id: admin.id, is_public: false }, [['id', 'equal', '1', null]]);
    await make({ id: 2, name: 'over it', owner_id: admin.id }, [['smartplaylist', 'equal', '1', null]]);
    expect(await found('smartplaylist', '1')).toEqual([]);
    expect(await found('smartplaylist', '1', 0, admin.token)).toEqual([1]);
    expect(await idsOf(2)).toEqual([1]);
  });

  it('are refused when they lead back to themselves, or to too much', async () => {
    await make({ id: 1, name: 'a' }, [['smartplaylist', 'equal', '2', null]]);
    await make({ id: 2, name: 'b' }, [['smartplaylist', 'equal', '1', null]]);
    expect(await errorOf('action=smartlist_songs&filter=1')).toMatchObject({
      errorCode: '4710',
      errorMessage: expect.stringContaining('refers to itself') as unknown,
    });
    for (const id of from(3, 6))
      await make(
        { id, name: `deep ${id}` },
        Array.from({ length: 100 }, (): SmartlistRule => ['smartplaylist', 'equal', String(id + 1), null]),
      );
    await make({ id: 7, name: 'bottom' }, [['id', 'equal', '1', null]]);
    expect(await errorOf('action=smartlist_songs&filter=3')).toMatchObject({
      errorCode: '4710',
      errorMessage: expect.stringContaining('more than 300 rules') as unknown,
    });
    for (const id of from(10, 70)) await make({ id, name: `chain ${id}` }, [['smartplaylist', 'equal', String(id + 1), null]]);
    expect(await errorOf('action=smartlist_songs&filter=10')).toMatchObject({
      errorCode: '4710',
      errorMessage: expect.stringContaining('more than 50 smartlists') as unknown,
    });
  });

  it('are offered with the lists that there are', async () => {
    await make({ id: 1, name: 'open' }, every);
    await make({ id: 2, name: 'closed', owner_id: admin.id, is_public: false }, every);
    const rules = await ask<{ rule: { name: string; widget: unknown[] }[] }>('action=search_rules&filter=song');
    expect(rules.rule.find(({ name }) => name === 'smartplaylist')?.widget).toEqual(['select', { '1': 'open' }]);
  });

  it('see smartlists beside playlists of the same name unless the caller wants none', async () => {
    await insertPlaylist(model.write, { id: 1, name: 'Twins', owner_id: admin.id, is_public: true }, [1]);
    await make({ id: 1, name: 'twins', owner_id: admin.id }, every);
    const ids = async (more: string) => (await ask<{ playlist: { id: string }[] }>(`action=playlists${more}`)).playlist.map(({ id }) => id);
    expect(await ids('')).toEqual(['1', 'smart_1']);
    expect(await ids('&hide_search=1')).toEqual(['1']);
    expect(await ids('&cond=hide_dupe_smartlist,')).toEqual(['1']);
  });
});
