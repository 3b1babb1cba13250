import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  anyId,
  count,
  flag,
  idOf,
  intList,
  musicFolder,
  offset,
  optionalInt,
  pageSize,
  readParameters,
  requiredText,
  requiredWord,
  textList,
} from './parameters.js';

const read = <F extends z.ZodRawShape>(fields: F, bag: Record<string, string[]>) =>
  readParameters(z.object(fields), new Map(Object.entries(bag)));

describe('parameters', () => {
  it('that are missing or empty give 10 and their name', () => {
    expect(() => read({ id: requiredText }, {})).toThrow(
      expect.objectContaining({ code: 10, message: 'Required parameter is missing: id' }),
    );
    expect(() => read({ id: requiredText }, { id: [''] })).toThrow(expect.objectContaining({ code: 10 }));
  });

  it('of a fixed set give 10 for another word and match in any letter case', () => {
    const type = requiredWord('byYear', 'random');
    expect(read({ type }, { type: ['BYYEAR'] })).toEqual({ type: 'byYear' });
    expect(() => read({ type }, { type: ['worst'] })).toThrow(expect.objectContaining({ code: 10 }));
  });

  it('that count fall back for nonsense and are capped', () => {
    const size = pageSize(10, 500);
    for (const [text, value] of [
      ['', 10],
      ['x', 10],
      ['-1', 10],
      ['0', 10],
      ['7', 7],
      ['9999', 500],
    ] as const)
      expect(read({ size }, { size: [text] })).toEqual({ size: value });
    expect(read({ n: count(20, 100) }, { n: ['0'] })).toEqual({ n: 0 });
    expect(read({ offset }, {})).toEqual({ offset: 0 });
    expect(read({ n: optionalInt }, { n: ['1e9'] })).toEqual({ n: undefined });
  });

  it('that are flags take the spellings of clients', () => {
    for (const text of ['true', '1', 'True', 'YES']) expect(read({ f: flag(false) }, { f: [text] })).toEqual({ f: true });
    for (const text of ['false', '0', 'False']) expect(read({ f: flag(true) }, { f: [text] })).toEqual({ f: false });
    expect(read({ f: flag(true) }, {})).toEqual({ f: true });
  });

  it('that repeat keep their order and are not split at commas', () => {
    expect(read({ id: textList }, { id: ['so-1', 'so-2,so-3', ''] })).toEqual({ id: ['so-1', 'so-2,so-3'] });
    expect(read({ time: intList }, { time: ['5', 'x', '7'] })).toEqual({ time: [5, undefined, 7] });
  });

  it('that are ids give 70 for another kind', () => {
    expect(read({ id: idOf('song') }, { id: ['so-4'] })).toEqual({ id: 4 });
    expect(() => read({ id: idOf('song') }, { id: ['al-4'] })).toThrow(expect.objectContaining({ code: 'song.not-found' }));
    expect(() => read({ id: anyId('album') }, { id: ['nonsense'] })).toThrow(expect.objectContaining({ code: 70 }));
  });

  it('that choose a music folder never mean all of them by accident', () => {
    expect(read({ f: musicFolder }, {})).toEqual({ f: undefined });
    expect(read({ f: musicFolder }, { f: ['2'] })).toEqual({ f: 2 });
    expect(read({ f: musicFolder }, { f: ['mf-2'] })).toEqual({ f: 2 });
    expect(read({ f: musicFolder }, { f: ['all'] })).toEqual({ f: null });
    expect(read({ f: musicFolder }, { f: ['so-2'] })).toEqual({ f: null });
  });
});
