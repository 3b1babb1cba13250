import { describe, expect, it } from 'vitest';
import { clientAddress, isTrustedProxy, parseAddress, parseNetworks } from './client-address.js';

const trusted = parseNetworks(['10.0.0.0/8', '2001:db8::/32', '192.0.2.1']);

describe('clientAddress', () => {
  it.each([
    ['the peer without proxies', '198.51.100.1', undefined, '198.51.100.1'],
    ['the peer when it is no proxy, whatever it claims', '198.51.100.1', '203.0.113.5', '198.51.100.1'],
    ['the one entry behind a proxy', '10.0.0.1', '203.0.113.5', '203.0.113.5'],
    ['the right-most entry that is no proxy', '10.0.0.1', '1.1.1.1, 203.0.113.5, 10.0.0.2,192.0.2.1', '203.0.113.5'],
    ['several header lines', '10.0.0.1', ['1.1.1.1', '203.0.113.5'], '203.0.113.5'],
    ['a proxy itself', '10.0.0.1', undefined, '10.0.0.1'],
    ['the left-most proxy when all are', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['the last believed address before nonsense', '10.0.0.1', '203.0.113.5, unknown, 10.0.0.2', '10.0.0.2'],
    ['an entry with a port', '10.0.0.1', '203.0.113.5:4711', '203.0.113.5'],
    ['an IPv6 entry in brackets', '10.0.0.1', '[2001:DB9::1]:443', '2001:db9::1'],
    ['a mapped peer', '::ffff:10.0.0.1', '203.0.113.5', '203.0.113.5'],
    ['a peer with a zone', 'fe80::1%eth0', undefined, 'fe80::1'],
    ['nothing for a peer that is none', '', '203.0.113.5', ''],
  ])('is %s', (_, peer, forwarded, expected) => {
    expect(clientAddress(peer, forwarded, trusted)).toBe(expected);
  });

  it('reads no octal, decimal or shortened spellings', () => {
    for (const text of ['0177.0.0.1', '2130706433', '127.1', '1.2.3.4.5', 'localhost', '', 'x[::1]', '[::1]x', 'x192.0.2.1:80'])
      expect(parseAddress(text)).toBeUndefined();
  });

  it('refuses a list of proxies that it cannot read', () => {
    for (const entry of ['10.0.0.0/33', 'proxy.example', '10.0.0.0/x', '10.0.0.0/-1', '::/129'])
      expect(() => parseNetworks([entry])).toThrow(/TRUSTED_PROXIES/);
  });
});

describe('isTrustedProxy', () => {
  it('is true for the addresses and networks of the list alone', () => {
    const proxies = parseNetworks(['10.0.0.0/8', '192.0.2.1', '2001:db8::5']);
    for (const peer of ['10.1.2.3', '192.0.2.1', '::ffff:192.0.2.1', '2001:db8::5'])
      expect([peer, isTrustedProxy(peer, proxies)]).toEqual([peer, true]);
    for (const peer of ['11.0.0.1', '192.0.2.2', '2001:db8::6', '::1', 'unknown', ''])
      expect([peer, isTrustedProxy(peer, proxies)]).toEqual([peer, false]);
  });
});
