import { Rejection } from '@continuo/contracts';
import { someOf } from '@continuo/local-servers/test-form';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { listDefinitions as definitions, type ListKind } from '../../kinds/index.js';

import { createLists, type Lists } from './lists.js';
import type { Viewer } from '../visibility/viewer.js';

let model: TestReadModel;
let lists: Lists;
const viewers: readonly Viewer[] = [
  { userId: 1, catalogs: 'all', isAdministrator: true },
  { userId: 1, catalogs: [1, 3] },
  { userId: 1, catalogs: [] },
];
const kinds = Object.keys(definitions) as ListKind[];
const long = 100_000;
/** Hostile filter values; none of them may become SQL. */
const hostile = [
  '',
  '1',
  '0',
  '-1',
  '-0',
  '99999999999999999999',
  '1e9',
  '0x10',
  "x' or '1'='1",
  '%',
  '_',
  '\\',
  '\0',
  'a\0b',
  '|',
  'a|b',
  '(((',
  '(a+)+$',
  '\\1',
  '[[:nonsense:]]',
  '(?<=a)',
  '\ud800',
  'ünïcode 🎵',
  ';drop table library.song',
  '1,2,3',
  '1,,2',
  '9'.repeat(40),
  'x'.repeat(long),
];

beforeAll(async () => {
  model = await testReadModel();
  lists = createLists(model.read, definitions, 1_000_000);
});
afterAll(() => model.close());

const rows = kinds.flatMap((kind) => [
  ...Object.keys(definitions[kind].filters).map((name) => ({ kind, filter: name, sort: 'id' })),
  ...Object.keys(definitions[kind].sorts).map((sort) => ({ kind, filter: '', sort })),
]);

describe('every filter and every order', () => {
  it.each(rows)('$kind $filter $sort is a statement that the database takes', async ({ kind, filter, sort }) => {
    for (const viewer of viewers) {
      for (const value of filter === '' ? [''] : someOf(hostile, 10)) {
        const answer = lists.ids({ kind, where: [{ name: filter, value }], sort: { name: sort, descending: true } }, viewer);
        const refused = await answer.then(
          () => undefined,
          (error: unknown) => (error instanceof Rejection ? error.code : error),
        );
        expect([undefined, 'input.invalid']).toContain(refused);
      }
    }
  });
});
