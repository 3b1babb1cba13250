import { describe, expect, it } from 'vitest';
import { arrayText } from './pg-array.js';

describe('the text of an array', () => {
  it('has numbers bare and texts quoted', () => {
    expect(arrayText('bigint', [1, null, 3])).toBe('{1,NULL,3}');
    expect(arrayText('text', ['plain', 'say "hi"', 'back\\slash', 'NULL', '', null])).toBe(
      String.raw`{"plain","say \"hi\"","back\\slash","NULL","",NULL}`,
    );
  });

  it('is that of an empty one when there are only nulls', () => {
    expect(arrayText('text', [null, null])).toBe('{}');
  });
});
