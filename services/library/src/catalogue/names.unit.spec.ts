import { foldName, sortKey, splitName } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { identityKey, randomKey } from './names.js';

describe('names', () => {
  it.each([
    ['The Beatles', 'The', 'Beatles'],
    ['les Rita Mitsouko', 'les', 'Rita Mitsouko'],
    ['A', null, 'A'],
    ['Theatre of Tragedy', null, 'Theatre of Tragedy'],
    ['The ', null, 'The '],
  ])('splits %j into article %j and rest %j', (name, prefix, basename) => {
    expect(splitName(name)).toEqual({ prefix, basename });
  });

  it.each([
    ['The Élan', 'elan'],
    ['  ÆTHER   Song ', 'aether song'],
    ['Bjørn Łódź', 'bjorn lodz'],
    ['ＦＵＬＬ', 'full'],
    ['!!!', '!!!'],
    ['P·U·L·S·E', 'pulse'],
    ['The Foo • Bar', 'foo bar'],
    ['Paraŀlel', 'parallel'],
    ['ビリー・アイ', 'ヒリーアイ'],
    ['ﾋﾟ･ｱ', 'ヒア'],
    ['노래ㆍ춤', '노래춤'.normalize('NFKD')],
    ['·', '·'],
    ['', ''],
  ])('sorts %j under %j', (name, key) => {
    expect(sortKey(name)).toBe(key);
  });

  it('takes spellings for the same name that differ in case or blanks only', () => {
    expect(identityKey('Björk ')).toBe(identityKey('BJÖRK'));
    expect(identityKey('Björk')).not.toBe(identityKey('Bjork'));
    expect(foldName('Björk')).toBe('bjork');
  });

  it('spreads random keys evenly and keeps them for an id', () => {
    const keys = Array.from({ length: 10_000 }, (_, id) => randomKey(id + 1));
    expect(keys.every((key) => key >= 0 && key < 1)).toBe(true);
    const tenths = Array.from({ length: 10 }, (_, n) => keys.filter((key) => Math.floor(key * 10) === n).length);
    for (const count of tenths) expect(Math.abs(count - 1000)).toBeLessThan(150);
    expect(randomKey(42)).toBe(randomKey(42));
  });
});
