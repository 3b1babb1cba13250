import { describe, expect, it } from 'vitest';
import { hasSpecification, specificationFile } from '../testkit/specification.js';
import { operators, type Family } from './operators.js';
import type { RuleRow } from './rule.js';
import { ruleNamed, searchTypes, typeDefinitions } from './search-types.js';

interface PublishedRule {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  readonly widget: string;
  readonly group?: string;
  readonly aliases?: readonly string[];
  readonly gate?: string;
}
interface Published {
  readonly rules: Readonly<Record<string, readonly PublishedRule[]>>;
  readonly operators: Readonly<Record<string, readonly { readonly n: number; readonly code?: string }[]>>;
}

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

it.skipIf(hasSpecification)('is NOT compared: the specification (../shared/spec) is not here', () => undefined);

describe.skipIf(!hasSpecification)('against the published rules', () => {
  const published = (): Published => JSON.parse(specificationFile('native/search-rules.json')) as Published;
  it('knows every type', () => {
    const types = new Set<string>(searchTypes);
    expect(Object.keys(published().rules).filter((type) => !types.has(type))).toEqual([]);
  });
  it.each(searchTypes)('%s has these rules in this order', (type) => {
    const wanted = published().rules[type === 'tag' ? 'genre' : type] ?? [];
    const row = (rule: PublishedRule): unknown[] => [rule.name, rule.label, rule.type, rule.widget, rule.group ?? '', rule.aliases ?? []];
    const ours = typeDefinitions[type].rules.map((rule) => [rule.name, rule.label, rule.family, widgetOf(rule), rule.group, rule.aliases]);
    const sorted = (rows: unknown[][]): unknown[][] =>
      rows.map((cells) => cells.map((cell) => (Array.isArray(cell) ? (cell as string[]).toSorted((a, b) => a.localeCompare(b)) : cell)));
    expect(sorted(ours)).toEqual(sorted(wanted.map(row)));
    const gated = wanted.filter(({ gate }) => gate !== undefined).map(({ name }) => name);
    expect(typeDefinitions[type].rules.filter(({ gate }) => gate !== undefined).map(({ name }) => name)).toEqual(gated);
  });
  it.each(Object.keys(operators) as Family[])('%s has these operators', (family) => {
    const wanted = published().operators[family] ?? [];
    expect(wanted.map(({ n }) => n)).toEqual(operators[family].map((_, index) => index));
    // The family of metadata has no published codes.
    const codes = wanted.map(({ code }, index) => code ?? operators[family][index]);
    expect(codes).toEqual(operators[family]);
  });
});
