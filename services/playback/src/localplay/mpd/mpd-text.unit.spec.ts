import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldsOf, mpdCommand, objectsOf, pairOf, quoted, refusalOf } from './mpd-text.js';

/** Reads an argument as MPD does. */
const unquoted = (text: string): string => text.slice(1, -1).replace(/\\(.)/gs, '$1');

describe('what is said to MPD', () => {
  it.each([
    ['plain', '"plain"'],
    ['say "hi"', '"say \\"hi\\""'],
    ['back\\slash', '"back\\\\slash"'],
    ['two\nlines\r\nand NUL\0', '"two lines  and NUL "'],
    ['', '""'],
  ])('quotes %j', (text, expected) => {
    expect(quoted(text)).toBe(expected);
  });

  it('is one line with as many arguments as were given, whatever is in them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.nat(), (text, number) => {
        const line = mpdCommand('addtagid', number, text);
        expect(line).not.toMatch(/[\n\r\0]/);
        const [, argument = ''] = /^addtagid \d+ ("(?:[^"\\]|\\.)*")$/s.exec(line) ?? [];
        expect(unquoted(argument)).toBe(text.toWellFormed().replace(/\p{Cc}/gu, ' '));
      }),
    );
  });
});

describe('what MPD says', () => {
  it('is pairs, whose values may hold colons and be empty', () => {
    expect(pairOf('file: http://a/b: c')).toEqual(['file', 'http://a/b: c']);
    expect(pairOf('Title: ')).toEqual(['Title', '']);
    expect(pairOf('Title:')).toEqual(['Title', '']);
    expect(pairOf('nonsense')).toBeUndefined();
  });

  it('is a refusal with its number', () => {
    expect(refusalOf('ACK [50@1] {play} No such song')).toEqual({ code: 50, commandIndex: 1, message: 'No such song' });
    expect(refusalOf('ACK something else')).toMatchObject({ code: 0, message: 'ACK something else' });
    expect(refusalOf('OK')).toBeUndefined();
  });

  it('is objects that begin with one name', () => {
    const pairs = [pairOf('file: a'), pairOf('Title: A'), pairOf('Title: again'), pairOf('file: b')].flatMap((pair) =>
      pair ? [pair] : [],
    );
    expect(objectsOf(pairs, 'file').map((one) => Object.fromEntries(one))).toEqual([{ file: 'a', Title: 'A' }, { file: 'b' }]);
    expect(fieldsOf([]).size).toBe(0);
  });
});
