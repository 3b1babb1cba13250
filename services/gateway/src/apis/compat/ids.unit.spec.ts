import { describe, expect, it } from 'vitest';
import { formatId, parseId, parseIdOf } from './ids.js';

describe('ids on the wire', () => {
  it('are a prefix of two letters, a dash and a number', () => {
    expect(formatId('song', 12)).toBe('so-12');
    expect(parseId('so-12')).toEqual({ kind: 'song', id: 12 });
    expect(parseId('AL-7')).toEqual({ kind: 'album', id: 7 });
    expect(parseId('mf-1')).toEqual({ kind: 'catalog', id: 1 });
  });

  it('take a bare number where the kind is known', () => {
    expect(parseId('7', 'album')).toEqual({ kind: 'album', id: 7 });
    expect(parseId('7')).toBeUndefined();
    expect(parseIdOf('song', '7')).toBe(7);
  });

  it('look through a second prefix', () => {
    expect(parseId('pl-pl-3')).toEqual({ kind: 'playlist', id: 3 });
    expect(parseId('al-so-3')).toEqual({ kind: 'song', id: 3 });
  });

  it('turn a dotted quad back into its number, and that into the kind of its band', () => {
    expect(parseId('17.225.163.2', 'song')).toEqual({ kind: 'song', id: 2 });
    expect(parseId('0.0.0.9', 'album')).toEqual({ kind: 'album', id: 9 });
    expect(parseId('1.2.3.256', 'album')).toBeUndefined();
  });

  it('know the bands of older servers', () => {
    expect(parseId('200000007', 'song')).toEqual({ kind: 'album', id: 7 });
    expect(parseIdOf('song', '200000007')).toBeUndefined();
  });

  it('refuse what cannot be an id', () => {
    const texts = ['', 'so-', 'so-0', 'so--1', 'xx-3', '0', '-5', '99999999999', 'so-12.5', 'so-1 or 1=1', '4294967296'];
    expect(texts.filter((text) => parseId(text, 'song') !== undefined)).toEqual([]);
  });

  it('do not pass for another kind', () => {
    expect(parseIdOf('song', 'al-3')).toBeUndefined();
  });
});
