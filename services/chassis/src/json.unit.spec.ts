import { describe, expect, it } from 'vitest';
import { jsonOf } from './json.js';

describe('the value of a text', () => {
  it('is read from text and bytes', () => {
    expect([jsonOf('{"a":[1]}'), jsonOf(Buffer.from('"é"')), jsonOf('null')]).toEqual([{ a: [1] }, 'é', null]);
  });
  it('is undefined where the text is no JSON', () => {
    expect(['', '{', '<html>', 'undefined'].map(jsonOf)).toEqual([undefined, undefined, undefined, undefined]);
  });
});
