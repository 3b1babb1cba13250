import { describe, expect, it } from 'vitest';
import { foldText, forgivenMistakes, nameWords, plainName, readSearchText, typingDistance, withoutArticle } from './search-words.js';

const terms = (text: string): string[][] => readSearchText(text).readings.map((reading) => reading.terms.map(({ word }) => word));

describe('folding', () => {
  it.each([
    ['Björk', 'bjork'],
    ['ÉBLOUIE', 'eblouie'],
    ['Motörhead ', 'motorhead'],
    ['Straße', 'strasse'],
    ['Невесёлая', 'невеселая'],
    ['ヒカル', 'ひかる'],
    ['ﾋｶﾙ', 'ひかる'],
    ['アイ・リ･カ', 'あいりか'],
    ['泰勒·斯威夫特', '泰勒斯威夫特'],
    ['P·U‧L•S∙E', 'p·u·l·s·e'],
    ['ＡＢＢＡ', 'abba'],
    ['أُمّ كلثوم', 'ام كلثوم'],
    ['جانا الهوى', 'جانا الهوي'],
    ['قارئة', 'قاريه'],
    ['Χατζιδάκις', 'χατζιδακισ'],
    ['a\u0000b\u200bc', 'a b c'],
    ['\ud800x', '\ufffdx'],
  ])('of %s', (text, folded) => expect(foldText(text)).toBe(folded));

  it('has an end', () => expect(foldText('x'.repeat(100_000)).length).toBeLessThanOrEqual(1000));
});

describe('words of a name', () => {
  it.each([
    ['AC/DC', ['ac', 'dc', 'acdc']],
    ['P!nk', ['p', 'nk', 'pnk', 'pink']],
    ['R.E.M.', ['r', 'e', 'm', 'rem']],
    ['J. S. Bach', ['j', 's', 'bach', 'js']],
    ['Guns N’ Roses', ['guns', 'n', 'roses']],
    ['Don’t', ['don', 't', 'dont']],
    ['Ke$ha', ['ke', 'ha', 'keha', 'kesha']],
    ['宇多田', ['宇', '多', '田', '宇多', '多田']],
    ['السلام', ['السلام', 'سلام']],
    ['!!!', []],
    ['Love love LOVE', ['love']],
  ])('%s', (name, words) => expect(nameWords(name).toSorted()).toEqual([...new Set(words)].toSorted()));

  it('are not without number', () => expect(nameWords(Array.from({ length: 900 }, (_, n) => n).join(' ')).length).toBeLessThan(100));
});

it('plain names are alike when writing differs', () => {
  expect(plainName('R.E.M.')).toBe('rem');
  expect(plainName('“Heroes”')).toBe('heroes');
  expect(plainName('Don’t  Stop—Me')).toBe('dont stopme');
  expect(withoutArticle('the beatles')).toBe('beatles');
  expect(withoutArticle('the')).toBe('the');
});

describe('searches', () => {
  it('know which word goes on', () => {
    expect(readSearchText('dark si').readings[0]?.terms).toEqual([
      { word: 'dark', isUnfinished: false },
      { word: 'si', isUnfinished: true },
    ]);
    expect(readSearchText('dark side ').readings[0]?.terms.every(({ isUnfinished }) => !isUnfinished)).toBe(true);
  });

  it.each([
    ['The Beatles', [['beatles'], ['thebeatles']]],
    ['the the', [['the'], ['thethe']]],
    ['the', [['the']]],
    ['ac/dc', [['acdc'], ['ac', 'dc']]],
    [
      'guns and roses',
      [
        ['guns', 'roses'],
        ['gunsand', 'roses'],
        ['guns', 'androses'],
      ],
    ],
    ['p!nk', [['pink'], ['p', 'nk'], ['pnk']]],
    ['椎名林檎', [['椎名', '名林', '林檎']]],
    ['""', []],
    [' ', []],
    ['*', []],
  ])('%s', (text, readings) => expect(terms(text)).toEqual(readings));
});

describe('the typing distance', () => {
  it.each<[string, string, number, boolean, number]>([
    ['beatles', 'beatles', 1, false, 0],
    ['beattles', 'beatles', 1, false, 1],
    ['radiohaed', 'radiohead', 2, false, 1],
    ['nevermnid', 'nevermind', 2, false, 1],
    ['beatl', 'beatles', 1, true, 0],
    ['beetl', 'beatles', 1, true, 1],
    ['bealtes', 'beatles', 1, false, 1],
    ['abc', 'xyz', 2, false, 3],
    ['short', 'much longer', 2, false, 3],
    ['tchaikovski', 'tchaikovsky', 2, false, 1],
  ])('from %s to %s', (...[typed, word, limit, isUnfinished, distance]) =>
    expect(typingDistance(typed, word, limit, isUnfinished)).toBe(distance),
  );

  it('forgives more in longer words', () => expect(['abc', 'abcd', 'abcdefgh'].map(forgivenMistakes)).toEqual([0, 1, 2]));
});
