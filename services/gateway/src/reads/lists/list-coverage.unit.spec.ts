import { describe, expect, it } from 'vitest';
import { nativeLists } from '../../../test/api-facts/api-facts.js';
import { listDefinitions as definitions, type ListKind } from '../../kinds/index.js';
import { knowsSort } from './list-query.js';

/** Names of kinds in contracts/api where they differ. */
const kindOf: Readonly<Record<string, string>> = { tag: 'genre', smartplaylist: 'smartlist' };
/** Filters of texts. */
const TEXT = [
  'like',
  'alpha_match',
  'equal',
  'exact_match',
  'not_like',
  'starts_with',
  'not_starts_with',
  'regex_match',
  'regex_not_match',
];

/** Parameters without data in the library, which change nothing. */
const withoutData: Readonly<Record<string, readonly string[]>> = {
  album: ['subtitle'],
  album_disk: ['subtitle'],
  artist: ['placeformed', 'yearformed'],
  folder: ['user'],
  label: ['active', 'category', 'country', 'creation_date', 'mbid', 'user'],
  license: ['order'],
  user: ['last_seen'],
  follower: ['last_seen'],
};

describe('every kind of list of contracts/api', () => {
  it('is served', () => {
    const kinds = nativeLists.map(({ name }) => kindOf[name] ?? name);
    expect(kinds.toSorted()).toEqual(
      Object.keys(definitions)
        .filter((kind) => !kind.startsWith('deleted_'))
        .toSorted(),
    );
  });

  it.each(nativeLists)('$name has its filters and orders, and no others', ({ name: type, filters: wanted, sorts }) => {
    const kind = (kindOf[type] ?? type) as ListKind;
    const filters = Object.entries(definitions[kind].filters).filter(([name, row]) => row.own !== true || name === 'gather_types');
    expect(filters.map(([name]) => name).toSorted()).toEqual(wanted.flatMap((name) => (name === 'TEXT' ? TEXT : name)).toSorted());
    const expected = sorts.filter((name) => !withoutData[type]?.includes(name));
    expect(expected.filter((name) => !knowsSort(definitions[kind], name))).toEqual([]);
    expect(knowsSort(definitions[kind], 'rand')).toBe(expected.includes('rand'));
    expect(Object.keys(definitions[kind].sorts).filter((name) => !expected.includes(name))).toEqual([]);
  });
});
