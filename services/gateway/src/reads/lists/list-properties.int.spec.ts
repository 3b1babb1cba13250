import { isLongForm } from '@continuo/local-servers/test-form';
import fc from 'fast-check';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listQuery, type ListParams } from '../../apis/native/paging.js';
import { modelRows, ordered, passes } from '../../../test/lists/list-model.js';
import { randomFacts, type LibraryFacts } from '../../../test/library/random-facts.js';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { seedFacts } from '../../../test/library/seed-facts.js';
import { listMd5 } from './id-list.js';
import { listDefinitions as definitions, type ListKind } from '../../kinds/index.js';
import type { Condition, SortOrder } from './list-query.js';
import { createLists, type Lists } from './lists.js';
import type { Viewer } from '../visibility/viewer.js';

/** A list call as a method makes it. */
interface Call {
  readonly kind: ListKind;
  readonly viewer: Viewer;
  readonly params: ListParams;
  readonly own: readonly Condition[];
  readonly order: SortOrder;
  readonly parent: number;
}

const kinds = Object.keys(definitions) as ListKind[];
const viewers: readonly Viewer[] = [
  { userId: 1, catalogs: 'all', isAdministrator: true },
  { userId: 2, catalogs: 'all' },
  { userId: 1, catalogs: [1] },
  { userId: 2, catalogs: [2, 3] },
  { userId: 3, catalogs: [] },
];
const texts = [
  'long',
  'RAIN',
  'zoe',
  'Zoë',
  'é',
  'the',
  'The ',
  'e lo',
  ' r',
  'a',
  '100%',
  '%',
  '_',
  'a_b',
  '\\',
  'x\\y',
  "'",
  '🎵',
  'rain1',
  'example',
];
const regexes = ['^the', 'lo|ra', '[0-9]', 'o+n', 'rain$', '.', 'h.r', '(n|t)h'];
const seconds = Array.from({ length: 9 }, (_, day) => String(1_700_000_000 + day * 86_400));
const numbers = ['', '0', '1', '2', '3', '4', '5', '7', '12', '257', '513', '767', '1023', '-1', '99999999999999999999', 'nonsense'];

/** Values that make sense for a filter, beside some that do not. */
const valueOf = (name: string): fc.Arbitrary<string> => {
  if (name.startsWith('regex')) return fc.constantFrom(...regexes, '', 'x'.repeat(101));
  if (/_(gt|lt)$/.test(name)) return fc.constantFrom(...seconds, '', '0');
  if (/like|match|equal|starts|name|email/.test(name)) return fc.constantFrom(...texts, '');
  if (name === 'object_type') return fc.constantFrom('song', 'Album', 'artist', 'video', '');
  if (name === 'gather_type') return fc.constantFrom('music', 'video', '');
  return fc.constantFrom(...numbers);
};

const conditionOf = (kind: ListKind): fc.Arbitrary<Condition> =>
  fc
    .constantFrom(...Object.keys(definitions[kind].filters), 'no_such_filter', 'constructor')
    .chain((name) => valueOf(name).map((value) => ({ name, value })));
const orderOf = (kind: ListKind): fc.Arbitrary<SortOrder> =>
  fc.record({ name: fc.constantFrom(...Object.keys(definitions[kind].sorts)), descending: fc.boolean() });
const range = fc.option(
  fc.record({ from: fc.constantFrom(...seconds.map(Number)), to: fc.option(fc.constantFrom(...seconds.map(Number)), { nil: undefined }) }),
  { nil: undefined, freq: 3 },
);

const paramsOf = (kind: ListKind): fc.Arbitrary<ListParams> =>
  fc.record({
    offset: fc.nat(30),
    limit: fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }),
    cond: fc.array(conditionOf(kind), { maxLength: 3 }),
    sort: fc.option(fc.oneof(orderOf(kind), fc.constant({ name: 'no_such_sort', descending: true })), { nil: undefined }),
    filter: fc.option(fc.constantFrom(...texts, ''), { nil: undefined, freq: 4 }),
    exact: fc.boolean(),
    add: range,
    update: range,
  });

const calls: fc.Arbitrary<Call> = fc.constantFrom(...kinds).chain((kind) =>
  fc.record({
    kind: fc.constant(kind),
    viewer: fc.constantFrom(...viewers),
    params: paramsOf(kind),
    parent: fc.constantFrom(-1, 1, 2, 3, 4, 5, 6, 7),
    own: fc.constant<Condition[]>([]),
    order: orderOf(kind),
  }),
);

/** Returns the model's list for the same parameters. */
const expected = (facts: LibraryFacts, { kind, viewer, params, order, parent }: Call): number[] => {
  const conditions = new Map<string, string>();
  const clears = new Map([
    ['no_genre', ['genre', 'tag']],
    ['no_tag', ['genre', 'tag']],
    ['regex_match', ['regex_not_match']],
    ['regex_not_match', ['regex_match']],
  ]);
  if (kind === 'genre') conditions.set('hidden', '0');
  if (kind === 'user') conditions.set('disabled', '0');
  if (kind === 'follower') conditions.set('user', '0');
  if (params.filter) conditions.set(params.exact ? 'exact_match' : 'alpha_match', params.filter);
  for (const [name, dates] of [
    ['add', params.add],
    ['update', params.update],
  ] as const) {
    if (dates) conditions.set(`${name}_gt`, String(dates.from));
    if (dates?.to !== undefined) conditions.set(`${name}_lt`, String(dates.to));
  }
  for (const { name, value } of params.cond ?? []) {
    // Clients cannot name what is the methods' own.
    if (Object.hasOwn(definitions[kind].filters, name) && definitions[kind].filters[name]?.own === true) continue;
    for (const other of clears.get(name) ?? []) conditions.delete(other);
    conditions.set(name, name.startsWith('regex') && value.length > 100 ? '' : value);
  }
  const rows = modelRows(facts, viewer, kind, parent).filter((row) => [...conditions].every(([name, value]) => passes(row, name, value)));
  const sort = params.sort && params.sort.name !== 'no_such_sort' ? params.sort : order;
  return ordered(rows, sort.name, sort.descending);
};

const found = async (lists: Lists, { kind, viewer, params, own, order, parent }: Call) => {
  const demanded = kind === 'folder' ? [...own, { name: 'parent', value: String(parent) }] : own;
  return lists.ids(listQuery(kind, params, demanded, order), viewer);
};

describe.each([1, 20_261_121])('lists of the library by chance %i', (seed) => {
  const facts = randomFacts(seed);
  let model: TestReadModel;
  let lists: Lists;
  beforeAll(async () => {
    model = await testReadModel();
    await seedFacts(model.write as unknown as Kysely<unknown>, facts);
    lists = createLists(model.read, definitions, 1_000_000);
  });
  afterAll(() => model.close());

  const agrees = async (call: Call): Promise<void> => {
    const ids = expected(facts, call);
    const list = await found(lists, call);
    const { offset, limit } = call.params;
    expect([...list.ids]).toEqual(ids);
    expect([...list.page(offset, limit)]).toEqual(ids.slice(offset, limit === undefined ? undefined : offset + limit));
    expect(list.total).toBe(ids.length);
    expect(list.md5).toBe(listMd5(Int32Array.from(ids), definitions[call.kind].spell));
  };

  it('are what a plain reading of the facts gives', async () => {
    await fc.assert(fc.asyncProperty(calls, agrees), { numRuns: isLongForm ? 1500 : 500, seed });
  });

  const single = kinds.flatMap((kind) => [
    ...Object.keys(definitions[kind].filters).map((name) => ({ kind, filter: name })),
    ...Object.keys(definitions[kind].sorts).map((name) => ({ kind, sort: name })),
  ]);
  it.each(single)('agree for $kind $filter$sort alone', async ({ kind, ...what }: { kind: ListKind; filter?: string; sort?: string }) => {
    const { filter, sort } = what;
    const conditions = filter === undefined ? fc.constant([]) : valueOf(filter).map((value) => [{ name: filter, value }]);
    const order =
      sort === undefined ? fc.constant({ name: 'id', descending: false }) : fc.boolean().map((descending) => ({ name: sort, descending }));
    const call = fc.record({ viewer: fc.constantFrom(...viewers), cond: conditions, order, parent: fc.constantFrom(-1, 1, 2, 3) });
    const property = fc.asyncProperty(call, ({ viewer, cond, order: by, parent }) =>
      agrees({ kind, viewer, params: { offset: 0, limit: undefined, cond }, own: [], order: by, parent }),
    );
    await fc.assert(property, { numRuns: isLongForm ? 12 : 4, seed });
  });
});
