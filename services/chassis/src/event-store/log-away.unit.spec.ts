import { describe, expect, it } from 'vitest';
import { isLogRefusing } from './log-away.js';

describe('an append that is refused', () => {
  it.each([
    [503, 10_008, 'while there is no leader'],
    [400, 10_047, 'without room'],
    [409, 10_158, 'while the same message id is on its way'],
  ])('may be sent again after %i/%i, %s', (status, code) => {
    expect(isLogRefusing(status, code)).toBe(true);
  });

  it('is a fault after anything else', () => {
    expect(isLogRefusing(400, 10_071)).toBe(false);
    expect(isLogRefusing(undefined, undefined)).toBe(false);
  });
});
