import { describe, expect, it } from 'vitest';
import { faultOfStrain } from './strain.js';

const MIB = 1024 ** 2;

describe('what a request asks of the server', () => {
  it('is a fault beyond the law, by the worse of both', () => {
    expect(faultOfStrain({ heldMs: 50, grownBytes: 64 * MIB })).toBeUndefined();
    expect(faultOfStrain({ heldMs: 51, grownBytes: 0 })).toBe('it held the event loop for 51 ms');
    expect(faultOfStrain({ heldMs: 0, grownBytes: 100 * MIB })).toBe('it took 100 MiB of memory');
  });
});
