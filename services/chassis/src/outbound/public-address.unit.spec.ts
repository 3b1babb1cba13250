import { describe, expect, it } from 'vitest';
import { mayReach, parseRanges } from './public-address.js';

describe('mayReach', () => {
  it.each(['93.184.215.14', '1.1.1.1', '8.8.8.8', '2606:4700:4700::1111', '2a00:1450:4001::200e', '::ffff:8.8.8.8', '64:ff9b::808:808'])(
    'lets %s through',
    (address) => expect(mayReach(address)).toBe(true),
  );

  it.each([
    ['this machine', ['127.0.0.1', '127.255.255.254', '0.0.0.0', '0.1.2.3', '::1', '::']],
    ['private networks', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', 'fc00::1', 'fd12:3456::1', 'fec0::1']],
    ['links, where clouds keep their secrets', ['169.254.169.254', 'fe80::1', 'fe80::1%eth0', 'fd00:ec2::254']],
    ['carriers, benchmarks, protocols', ['100.64.0.1', '100.127.255.255', '198.18.0.1', '198.19.255.255', '192.0.0.1', '192.88.99.1']],
    ['documentation', ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1']],
    ['many at once, or nobody', ['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', 'ff02::1', '100::1']],
    ['mapped ones', ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::ffff:169.254.169.254', '0:0:0:0:0:ffff:c0a8:1']],
    ['compatible ones', ['::127.0.0.1', '::10.0.0.1', '::ffff:0:127.0.0.1']],
    ['translated ones', ['64:ff9b::7f00:1', '64:ff9b::10.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::7f00:1']],
    ['tunnels', ['2002:7f00:1::1', '2002:808:808::1', '2001:0:808:808::1', '2001:10::1', '2001:20::1']],
    ['what nobody was given yet', ['1::1', '4000::1', 'e000::1']],
    ['servers that answer for private networks', ['2620:4f:8000::1']],
    ['what is no address', ['', 'localhost', 'example.org', '127.0.0.1.', '1.2.3.4/8', '999.1.1.1']],
  ])('refuses %s', (_what, addresses) => {
    for (const address of addresses) expect([address, mayReach(address)]).toEqual([address, false]);
  });

  it('lets through what the operator allows, in whatever disguise, and nothing beside it', () => {
    const allowed = parseRanges(['192.168.7.0/24', 'fd00:7::/32', 'fd00:9::1', '127.0.0.2']);
    for (const address of ['192.168.7.1', '::ffff:192.168.7.1', 'fd00:7::1', 'fd00:9::1', '127.0.0.2'])
      expect(mayReach(address, allowed)).toBe(true);
    for (const address of ['192.168.8.1', 'fd00:8::1', 'fd00:9::2', '127.0.0.1', '127.0.0.3', '::1'])
      expect(mayReach(address, allowed)).toBe(false);
  });
});

describe('parseRanges', () => {
  it('names what it cannot read', () => expect(() => parseRanges(['10.0.0.0/8', 'home'])).toThrow('"home" is no address range'));
});
