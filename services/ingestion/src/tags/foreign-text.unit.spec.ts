import { describe, expect, it } from 'vitest';
import { charsetOf, textIn } from './foreign-text.js';
import { defaultTagRules, separatorPattern } from './tag-rules.js';

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

describe('text that names no character set', () => {
  it('is western where foreign letters stand alone, also when there are few', () => {
    for (const text of ['Björk', 'Motörhead', 'Café Tacvba', 'Señor Coconut', 'Nino Ferrer – Le Télé'])
      expect(charsetOf([Buffer.from(text.replace('–', '-'), 'latin1')], 'auto')).toBe('windows-1252');
    expect(charsetOf([], 'auto')).toBe('windows-1252');
    expect(charsetOf([Buffer.from('plain')], 'auto')).toBe('windows-1252');
  });

  it('is what the rule says, or western where the rule is no set', () => {
    expect(charsetOf([bytes('c3f0')], 'windows-1251')).toBe('windows-1251');
    expect(charsetOf([bytes('c3f0')], 'no such set')).toBe('windows-1252');
  });

  it('is UTF-8 wherever its bytes are', () => {
    expect(textIn(Buffer.from('Привет'), 'windows-1252')).toBe('Привет');
    expect(textIn(bytes('c3f0f3efefe0'), 'windows-1251')).toBe('Группа');
  });
});

describe('separators', () => {
  const split = (text: string, ...separators: string[]): string[] => text.split(separatorPattern(separators));

  it('want white space where they have it', () => {
    expect(split('AC/DC / Queen', ' / ')).toEqual(['AC/DC', 'Queen']);
    expect(split('a;b ; c', ';')).toEqual(['a', 'b', 'c']);
    expect(split('A & B&C', ' & ')).toEqual(['A', 'B&C']);
  });

  it('are text and no expression, in any case, and none at all split nothing', () => {
    expect(split('a.b|c', '.')).toEqual(['a', 'b|c']);
    expect(split('A VS B vs C', ' vs ')).toEqual(['A', 'B', 'C']);
    expect(split('a;b', '', ' ')).toEqual(['a;b']);
    expect('Rock; Pop'.split(separatorPattern(defaultTagRules.genreSeparators))).toEqual(['Rock', 'Pop']);
  });
});
