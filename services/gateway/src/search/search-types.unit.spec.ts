import { describe, expect, it } from 'vitest';
import { searchOperators, searchRules, type SearchRuleFacts } from '../../test/api-facts/api-facts.js';
import { operators, type Family } from './operators.js';
import type { RuleRow } from './rule.js';
import { ruleNamed, searchTypes, typeDefinitions } from './search-types.js';

const widgetOf = ({ widget }: RuleRow): string => {
  if ('input' in widget) return `input:${widget.input}`;
  return widget.select === 'metadata' ? 'subtypes' : 'select';
};

describe('rule tables', () => {
  it('have the numbers of rules that they should', () => {
    const counts = Object.fromEntries(searchTypes.map((type) => [type, typeDefinitions[type].rules.length]));
    expect(counts).toEqual({
      song: 77,
      album: 65,
      album_disk: 65,
      artist: 54,
      album_artist: 54,
      song_artist: 54,
      label: 3,
      playlist: 4,
      podcast: 34,
      podcast_episode: 33,
      genre: 5,
      tag: 5,
      user: 4,
      video: 1,
    });
  });
  it.each(searchTypes)('%s: no name or alias stands twice', (type) => {
    const names = typeDefinitions[type].rules.flatMap((rule) => [rule.name, ...rule.aliases]);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(ruleNamed(type, 'constructor')).toBeUndefined();
  });
});

describe('against contracts/api', () => {
  it('knows every type', () => {
    const types = new Set<string>(searchTypes);
    expect(searchRules.map(({ name }) => name).filter((type) => !types.has(type))).toEqual([]);
  });
  it.each(searchTypes)('%s has these rules in this order', (type) => {
    const wanted = searchRules.find(({ name }) => name === (type === 'tag' ? 'genre' : type))?.rules ?? [];
    const row = (rule: SearchRuleFacts): unknown[] => [
      rule.name,
      rule.label,
      rule.family,
      rule.widget,
      rule.group ?? '',
      rule.aliases ?? [],
    ];
    const ours = typeDefinitions[type].rules.map((rule) => [rule.name, rule.label, rule.family, widgetOf(rule), rule.group, rule.aliases]);
    const sorted = (rows: unknown[][]): unknown[][] =>
      rows.map((cells) => cells.map((cell) => (Array.isArray(cell) ? (cell as string[]).toSorted((a, b) => a.localeCompare(b)) : cell)));
    expect(sorted(ours)).toEqual(sorted(wanted.map(row)));
    const gated = wanted.filter((rule) => rule.gated).map(({ name }) => name);
    expect(typeDefinitions[type].rules.filter(({ gate }) => gate !== undefined).map(({ name }) => name)).toEqual(gated);
  });
  it.each(Object.keys(operators) as Family[])('%s has these operators', (family) => {
    const { count, codes } = searchOperators.find(({ name }) => name === family) ?? { codes: [] };
    expect(operators[family]).toHaveLength(count ?? 0);
    // The family of metadata has no codes of its own.
    expect(codes.length > 0 ? operators[family] : []).toEqual(codes);
  });
});
