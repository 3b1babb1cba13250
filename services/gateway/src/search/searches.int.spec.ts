import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Viewer } from '../reads/visibility/viewer.js';
import { seedFixtureLibrary } from '../../test/library/fixture-library.js';
import { fixtureSongs } from '../../test/library/fixture-songs.js';
import { testReadModel, type TestReadModel } from '../../test/servers/read-model-database.js';
import type { SearchRule } from './rule.js';
import { createSearches, type Search, type Searches, type SearchLimits } from './searches.js';

let model: TestReadModel;
const everything: Viewer = { userId: 1, catalogs: 'all' };
const LIMITS: SearchLimits = { cacheBytes: 1_000_000, timeoutMs: 5000, manyRulesTimeoutMs: 5000, slots: 2, queue: 100 };
const rule = (name: string, operator: string, input: string): SearchRule => ({ name, operator, input, subtype: null, parameter: 'rule_1' });
const songs = (...rules: SearchRule[]): Search => ({ type: 'song', rules, logic: 'and' });

const open = (limits: Partial<SearchLimits> = {}): Searches => createSearches(model.read, { ...LIMITS, ...limits }, () => Date.now());

beforeAll(async () => {
  model = await testReadModel();
  await seedFixtureLibrary(model.write, fixtureSongs);
});
afterAll(() => model.close());

describe('searches', () => {
  it('are kept until the catalogue changes', async () => {
    const searches = open();
    const ids = async (): Promise<number[]> => [...(await searches.ids(songs(rule('title', 'contain', 'watch')), everything)).ids];
    expect(await ids()).toEqual([2]);
    await sql`update library.song set title_sort = 'changed', title = 'changed' where id = 2`.execute(model.write);
    expect(await ids()).toEqual([2]);
    await sql`update library.counter set version = version + 1 where kind = 'song' and catalog_id = 0`.execute(model.write);
    expect(await ids()).toEqual([]);
  });
  it('by what users do are not kept', async () => {
    const searches = open();
    const ids = async (): Promise<number[]> => [...(await searches.ids(songs(rule('myrating', 'gte', '4')), everything)).ids];
    expect(await ids()).toEqual([]);
    await model.write.insertInto('social.rating').values({ user_id: 1, kind: 'song', object_id: 3, rating: 4, rated_at_ms: 1 }).execute();
    expect(await ids()).toEqual([3]);
  });
  it('are kept apart by who may see what', async () => {
    const searches = open();
    const ids = async (viewer: Viewer): Promise<number[]> =>
      [...(await searches.ids(songs(rule('none', 'true', '')), viewer)).ids].toSorted((a, b) => a - b);
    expect(await ids(everything)).toEqual([1, 2, 3, 4, 5]);
    expect(await ids({ userId: 1, catalogs: [2] })).toEqual([5]);
    expect(await ids({ userId: 1, catalogs: [] })).toEqual([]);
  });
  it('come in another order when asked to, with the same ids', async () => {
    const list = await open().ids({ ...songs(rule('none', 'true', '')), random: true }, everything);
    expect(new Set(list.ids)).toEqual(new Set([1, 2, 3, 4, 5]));
  });
  it('that take too long are given up with a reason, and the connection stays usable', async () => {
    const hasty = open({ timeoutMs: 1 });
    const slow = Array.from({ length: 30 }, (_, index) => rule('anywhere', 'notregexp', `([a-z]{1,30} ?){${index + 1}}`));
    const refused = hasty.ids(songs(...slow), everything);
    await expect(refused).rejects.toMatchObject({ code: 'input.invalid', message: expect.stringContaining('too broad') as unknown });
    expect((await open().ids(songs(rule('id', 'equal', '1')), everything)).total).toBe(1);
  });
  it('that are no regular expressions are refused with the reason', async () => {
    const refused = open().ids(songs(rule('title', 'regexp', '(((')), everything);
    await expect(refused).rejects.toMatchObject({ code: 'input.invalid', subject: 'rule_1_input' });
  });
  it('that unfold to more than the database has memory for are refused with the reason', async () => {
    const refused = open().ids(songs(rule('title', 'regexp', '((a{1,200}){1,200})')), everything);
    const message = expect.stringContaining('more than 1000') as unknown;
    await expect(refused).rejects.toMatchObject({ code: 'input.invalid', subject: 'rule_1_input', message });
  });
  it('wait for a place, and are refused when too many wait', async () => {
    const searches = open({ slots: 1, queue: 1 });
    const asked = Array.from({ length: 5 }, (_, index) => searches.ids(songs(rule('myrating', 'gte', String(index))), everything));
    const codes = (await Promise.allSettled(asked)).map((one) =>
      one.status === 'rejected' ? (one.reason as { code: string }).code : 'found',
    );
    expect(codes.toSorted()).toEqual(['found', 'found', 'unavailable', 'unavailable', 'unavailable']);
  });
});
