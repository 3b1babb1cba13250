import { describe, expect, it } from 'vitest';
import { hasSpecification, specificationFile } from '../testkit/specification.js';
import { definitions, knowsSort } from './list-definitions.js';
import type { ListKind } from './list-query.js';

/** The specification's names of browse types where they differ. */
const kindOf: Readonly<Record<string, string>> = { tag: 'genre', smartplaylist: 'smartlist' };
const TEXT = 'like, alpha_match, equal, exact_match, not_like, starts_with, not_starts_with, regex_match, regex_not_match';

/** What the library knows nothing of, so that naming it changes nothing. */
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

const namesOf = (section: string, label: string): string[] => {
  const line = section.split('\n').find((text) => text.startsWith(`${label}: `)) ?? '';
  const names = line
    .slice(label.length + 2)
    .replace(/\.$/, '')
    .replace('TEXT', TEXT)
    .split(', ');
  return names.filter((name) => name !== '');
};

describe.skipIf(!hasSpecification)('every browse type of the specification', () => {
  const text = hasSpecification ? specificationFile('native/browse.md') : '';
  const perType = text.slice(text.indexOf('## Per browse type'), text.indexOf('## Methods with their own walk'));
  const sections = new Map(
    perType
      .split('\n### ')
      .slice(1)
      .map((section) => [section.slice(0, section.indexOf('\n')).trim(), section]),
  );
  const served = [...sections.keys()];

  it('is served', () => {
    const kinds = served.map((type) => kindOf[type] ?? type);
    expect(kinds.toSorted()).toEqual(
      Object.keys(definitions)
        .filter((kind) => !kind.startsWith('deleted_'))
        .toSorted(),
    );
  });

  it.each(served)('%s has its filters and orders, and no others', (type) => {
    const kind = (kindOf[type] ?? type) as ListKind;
    const section = sections.get(type) ?? '';
    const filters = Object.entries(definitions[kind].filters).filter(([name, row]) => row.own !== true || name === 'gather_types');
    expect(filters.map(([name]) => name).toSorted()).toEqual(namesOf(section, 'Filters').toSorted());
    const expected = namesOf(section, 'Sorts').filter((name) => !withoutData[type]?.includes(name));
    expect(expected.filter((name) => !knowsSort(kind, name))).toEqual([]);
    expect(knowsSort(kind, 'rand')).toBe(expected.includes('rand'));
    expect(Object.keys(definitions[kind].sorts).filter((name) => !expected.includes(name))).toEqual([]);
  });
});
