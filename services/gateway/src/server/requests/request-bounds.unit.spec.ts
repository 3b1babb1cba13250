import { describe, expect, it } from 'vitest';
import { checkParams, parseForm, parseJsonBody, peekParam } from './parameters.js';
import { MAX_DEPTH, MAX_NAMES, MAX_VALUE_CHARS, MAX_VALUES } from './request-bounds.js';

const nested = (depth: number): string => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `name${index}`);
const asForm = (all: readonly string[]): string => all.map((name) => `${name}=1`).join('&');
const asJson = (all: readonly string[]): string => JSON.stringify(Object.fromEntries(all.map((name) => [name, 1])));
const values = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe('bodies', () => {
  it('may have as many names, values and levels as the bounds say', () => {
    expect(Object.keys(parseForm(asForm(names(MAX_NAMES))))).toHaveLength(MAX_NAMES);
    expect(Object.keys(parseJsonBody(asJson(names(MAX_NAMES))))).toHaveLength(MAX_NAMES);
    expect(parseForm(asForm(Array.from({ length: MAX_VALUES }, () => 'songId')))['songId']).toHaveLength(MAX_VALUES);
    expect(parseJsonBody(JSON.stringify({ id: values(MAX_VALUES - 1) }))['id']).toHaveLength(MAX_VALUES - 1);
    expect(parseJsonBody(nested(MAX_DEPTH))).toHaveProperty('a');
  });

  it.each<[string, () => unknown, string]>([
    ['a form of too many names', () => parseForm(asForm(names(MAX_NAMES + 1))), 'input.too-large'],
    ['a form of too many values', () => parseForm(asForm(Array.from({ length: MAX_VALUES + 1 }, () => 'a'))), 'input.too-large'],
    ['an object of too many names', () => parseJsonBody(asJson(names(MAX_NAMES + 1))), 'input.too-large'],
    [
      'objects that have too many names together',
      () => parseJsonBody(JSON.stringify({ a: names(MAX_NAMES).map((b) => ({ b })) })),
      'input.too-large',
    ],
    ['a value that is too long to be decoded', () => parseForm(`a=1&b=${'%3B'.repeat(MAX_VALUE_CHARS * 4)}`), 'input.too-large'],
    ['a list of too many values', () => parseJsonBody(JSON.stringify({ id: values(MAX_VALUES + 1) })), 'input.too-large'],
    ['too many levels', () => parseJsonBody(nested(MAX_DEPTH + 1)), 'input.invalid'],
    ['levels that do not end', () => parseJsonBody('['.repeat(5000)), 'input.invalid'],
  ])('%s is refused', (_, parse, code) => {
    expect(parse).toThrow(expect.objectContaining({ code }));
  });

  it('are judged by their structure, not by what stands in texts', () => {
    const text = `\\"${'[{:,'.repeat(MAX_VALUES)}`;
    expect(parseJsonBody(JSON.stringify({ text, back: '\\' }))).toEqual({ text, back: '\\' });
  });
});

describe('one value', () => {
  it.each(['x'.repeat(MAX_VALUE_CHARS), `${'123456, '.repeat(50_000)}7`])(
    'may be as long as a text, or a list of numbers, gets',
    (value) => {
      expect(checkParams({ value, list: ['a', value] })).toEqual({ value, list: ['a', value] });
    },
  );

  const long = 'x'.repeat(MAX_VALUE_CHARS + 1);
  it.each([
    ['a text', { rule: long }, 'rule'],
    ['a text of a list', { rule: ['a', long] }, 'rule'],
    ['a list of too many numbers', { rule: ','.repeat(MAX_VALUES + 1).padEnd(MAX_VALUE_CHARS + 1) }, 'rule'],
    ['a name', { [long]: 'a' }, 'x'.repeat(100)],
  ])('%s that is longer is refused by its name', (_, params, subject) => {
    expect(() => checkParams(params)).toThrow(expect.objectContaining({ code: 'input.too-large', subject }));
  });
});

describe('looking at one parameter', () => {
  it('takes the last value, also of a list, and never refuses', () => {
    expect(peekParam('action=a&action%5B%5D=b&x=1', 'action')).toBe('b');
    expect(peekParam(asForm(names(MAX_NAMES + 1)), 'action')).toBeUndefined();
  });
});
