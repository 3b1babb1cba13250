import { Rejection } from '@continuo/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { knownRules, logicOf, requestedRules, searchRules, type RuleParams } from './rule-params.js';
import type { SearchType } from './search-types.js';

const read = (params: RuleParams, type: SearchType = 'song', isStrict = true) =>
  searchRules(type, requestedRules(params, isStrict)).map(({ name, operator, input, subtype }) => [name, operator, input, subtype]);
const rule = (n: number, name: string, operator: string, input: string): RuleParams => ({
  [`rule_${n}`]: name,
  [`rule_${n}_operator`]: operator,
  [`rule_${n}_input`]: input,
});

/** The refusal of something: its code and what it is about. */
const refusal = (work: () => unknown): unknown[] => {
  try {
    work();
  } catch (error) {
    if (error instanceof Rejection) return [error.code, error.subject];
    throw error;
  }
  return [];
};

describe('rules of a request', () => {
  it('are read in the order of their numbers, whatever is left out between them', () => {
    const params = { ...rule(10, 'year', '0', '1999'), ...rule(1, 'title', '2', 'rain'), ...rule(7, 'artist', '4', 'Zoë') };
    expect(read(params)).toEqual([
      ['title', 'start', 'rain', null],
      ['song_artist', 'equal', 'Zoë', null],
      ['year', 'gte', '1999', null],
    ]);
  });
  it('have the names of their type behind aliases, in any case', () => {
    expect(read(rule(1, ' Tag ', '0', 'folk'))).toEqual([['genre', 'contain', 'folk', null]]);
    expect(read(rule(1, 'name', '0', 'x'), 'album')).toEqual([['title', 'contain', 'x', null]]);
    expect(read(rule(1, 'my_flagged', '1', ''), 'artist')).toEqual([['my_flagged_artist', 'false', '', null]]);
  });
  it('split at each bar, but not in regular expressions', () => {
    expect(read(rule(1, 'title', '0', 'rain|snow||')).map(([, , input]) => input)).toEqual(['rain', 'snow']);
    expect(read(rule(1, 'title', '0', '|'))).toEqual([['title', 'contain', '', null]]);
    expect(read(rule(1, 'title', '8', 'rain|snow'))).toEqual([['title', 'regexp', 'rain|snow', null]]);
    expect(read(rule(1, 'year', '2', '1999|2001')).map(([, , input]) => input)).toEqual(['1999', '2001']);
  });
  it('carry the field of a metadata rule', () => {
    expect(read({ ...rule(1, 'metadata', '12', '3'), rule_1_subtype: 'LEVEL' })).toEqual([['metadata', 'number equal', '3', 'LEVEL']]);
  });
  it('need their operator, even where its number says nothing', () => {
    expect(read(rule(1, 'none', '77', ''))).toEqual([['none', 'true', '', null]]);
    expect(read(rule(1, 'recent_added', 'x', '5'))).toEqual([['recent_added', 'add', '5', null]]);
    const without = { ...rule(1, 'none', '0', ''), rule_2: 'none', rule_2_input: '' };
    expect(refusal(() => read(without))).toEqual(['input.missing', 'rule_2_operator']);
    for (const operator of ['10', '-1', 'contains', '']) {
      expect(refusal(() => read(rule(1, 'title', operator, 'x')))).toEqual(['input.invalid', 'rule_1_operator']);
    }
  });
  it('start with the first, in versions that demand it', () => {
    for (const name of ['rule_1', 'rule_1_operator', 'rule_1_input']) {
      const { [name]: _left, ...params } = rule(1, 'title', '0', 'x');
      expect(refusal(() => read(params))).toEqual(['input.missing', name]);
    }
    expect(refusal(() => read({}, 'song', false))).toEqual(['input.missing', 'rule_1']);
    expect(read(rule(3, 'title', '1', 'x'), 'song', false)).toEqual([['title', 'notcontain', 'x', null]]);
    expect(read({ rule_1: 'title', rule_1_input: 'x' }, 'song', false)).toEqual([['title', 'contain', 'x', null]]);
    expect(refusal(() => read({ rule_1: 'title' }, 'song', false))).toEqual(['input.missing', 'rule_1_input']);
  });
  it('that are unknown are dropped, unless nothing is left', () => {
    expect(read({ ...rule(1, 'nothing', '0', 'x'), ...rule(2, 'title', '0', 'y') })).toEqual([['title', 'contain', 'y', null]]);
    expect(refusal(() => read(rule(1, 'nothing', '0', 'x')))).toEqual(['input.invalid', 'rule_1']);
    expect(refusal(() => read(rule(1, 'constructor', '0', 'x')))).toEqual(['input.invalid', 'rule_1']);
    expect(knownRules('user', requestedRules(rule(1, 'year', '0', '1'), true))).toEqual([]);
  });
  it('are not too many', () => {
    const many = Object.assign({}, ...Array.from({ length: 101 }, (_, index) => rule(index + 1, 'title', '0', 'x'))) as RuleParams;
    expect(refusal(() => read(many))).toEqual(['input.invalid', 'rule_1']);
    expect(refusal(() => read(rule(1, 'title', '0', 'x|'.repeat(101))))).toEqual(['input.invalid', 'rule_1']);
  });
  it('are read or refused, whatever comes', () => {
    const anything = fc.dictionary(fc.stringMatching(/^rule_[0-9]{1,3}(_operator|_input|_subtype)?$/), fc.string());
    fc.assert(
      fc.property(anything, fc.boolean(), (params, isStrict) => {
        expect(() => refusal(() => read(params, 'song', isStrict))).not.toThrow();
      }),
    );
  });
  it('are joined by and unless or is asked for', () => {
    expect(['or', ' OR ', 'and', 'xor', undefined].map(logicOf)).toEqual(['or', 'or', 'and', 'and', 'and']);
  });
});
