import { describe, expect, it } from 'vitest';
import { parseAddresses } from './address-argument.js';

describe('parseAddresses', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1', '192.0.2.1'],
    ['192.0.2.1-192.0.2.9', '192.0.2.1', '192.0.2.9'],
    ['192.0.2.0/24', '192.0.2.0', '192.0.2.255'],
    ['10.1.2.3/8', '10.0.0.0', '10.255.255.255'],
    ['0.0.0.0/0', '0.0.0.0', '255.255.255.255'],
    ['2001:db8::/32', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['::1 - ::2', '::1', '::2'],
  ])('%s', (text, startAddress, endAddress) => {
    expect(parseAddresses(text)).toEqual({ startAddress, endAddress });
  });

  it.each(['10.0.0.0/33', 'home/8', '2001:db8::/129'])('%s is refused', (text) => {
    expect(() => parseAddresses(text)).toThrow('is no network');
  });
});
