import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Viewer } from '../reads/visibility/viewer.js';
import { seedSyntheticLibrary } from '../../test/library/synthetic-library.js';
import { testReadModel, type TestReadModel } from '../../test/servers/read-model-database.js';
import type { Kysely } from 'kysely';
import type { SearchRule } from './rule.js';
import { createSearches, type Searches, type SearchLimits } from './searches.js';
import { SongOrder } from './song-order.js';

const SONGS = 60_000;
const everything: Viewer = { userId: 1, catalogs: 'all' };
const LIMITS: SearchLimits = { cacheBytes: 1, timeoutMs: 20_000, manyRulesTimeoutMs: 20_000, slots: 2, queue: 10 };
let model: TestReadModel;

const rule = (name: string, operator: string, input: string | number): SearchRule => ({
  name,
  operator,
  input: String(input),
  subtype: null,
  parameter: 'rule_1',
});
const hundred = (make: (n: number) => SearchRule): SearchRule[] => Array.from({ length: 100 }, (_, n) => make(n));
const hex = (n: number): string => ((n * 7919) % 4096).toString(16).padStart(3, '0');
const open = (limits: Partial<SearchLimits> = {}): Searches => createSearches(model.read, { ...LIMITS, ...limits }, () => Date.now());
const find = (searches: Searches, rules: readonly SearchRule[]) => searches.ids({ type: 'song', rules, logic: 'and' }, everything);

beforeAll(async () => {
  model = await testReadModel();
  await seedSyntheticLibrary(model.write as unknown as Kysely<unknown>, SONGS);
}, 120_000);
afterAll(() => model.close());

describe('searches of a hundred rules', () => {
  it('leave out together what must not match', async () => {
    const rules = hundred((n) => rule(n % 2 === 0 ? 'title' : 'artist', 'notcontain', hex(n)));
    const list = await find(open(), rules);
    const alone = await Promise.all(
      rules.map(async ({ name, input }) => (await find(open({ queue: 200 }), [rule(name, 'contain', input)])).ids),
    );
    const left = new Set(alone.flatMap((ids) => [...ids]));
    expect(list.total).toBe(SONGS - left.size);
    expect(list.ids.every((id) => !left.has(id))).toBe(true);
  });

  it('are given up with the reason when they take longer than they may', async () => {
    const began = performance.now();
    const broad = hundred((n) => rule('file', 'notregexp', `^z.*${n}$`));
    await expect(find(open({ manyRulesTimeoutMs: 100 }), broad)).rejects.toMatchObject({
      code: 'input.invalid',
      message: expect.stringContaining('too broad') as unknown,
    });
    expect(performance.now() - began).toBeLessThan(5000);
  });
});

describe('the order of all songs', () => {
  it('is the same from memory as from the database, and knows how long songs are', async () => {
    const failures: unknown[] = [];
    const order = new SongOrder(model.read, (error) => failures.push(error));
    expect(order.isAtHand).toBe(false);
    order.want(async () => '1');
    await order.settled();
    expect(order.isAtHand).toBe(true);
    const list = await find(open(), [rule('none', 'true', '')]);
    expect(order.arranged(list.ids.toSorted())).toEqual(list.ids);
    expect(order.arranged(Int32Array.of(7, 3, 999_999_999)).at(-1)).toBe(999_999_999);
    const { rows } = await sql<{ ms: number }>`select sum(duration_ms)::float8 as ms from library.song`.execute(model.read);
    expect(order.durationOf(list.ids)).toBe(rows[0]?.ms);
    expect(failures).toEqual([]);
  });

  it('tells of an order that could not be made, and is left to the database', async () => {
    const failures: unknown[] = [];
    const order = new SongOrder(model.read, (error) => failures.push(error));
    order.want(() => Promise.reject(new Error('no mark to read')));
    await order.settled();
    expect(failures).toEqual([new Error('no mark to read')]);
    expect(order.isAtHand).toBe(false);
  });
});
