import ipaddr from 'ipaddr.js';

/** An address range: its first address and how many leading bits count. */
export type AddressRange = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/**
 * Reads ranges such as `192.168.1.0/24`, `fd00::/8` or `10.0.0.7`.
 * @throws Error that names the first one that cannot be read
 */
export const parseRanges = (texts: readonly string[]): readonly AddressRange[] =>
  texts.map((text) => {
    try {
      if (text.includes('/')) return ipaddr.parseCIDR(text);
      const one = ipaddr.parse(text);
      return [one, one.kind() === 'ipv4' ? 32 : 128];
    } catch (cause) {
      throw new Error(`"${text}" is no address range such as 192.168.1.0/24`, { cause });
    }
  });

/** Addresses of IPv6 under which an IPv4 address is reached through a translator (RFC 6052), and where that address stands in them. */
const TRANSLATED = [ipaddr.parseCIDR('64:ff9b::/96')] as const;
const LAST_FOUR = 12;
/** All that is given out on the internet; what lies outside is local, reserved or not in use. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');
/** Within it, and yet no place to go: documentation, segment routing and the like, as far as the library names them otherwise. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((text) => ipaddr.parseCIDR(text));
/** Blocks beyond those that the library calls special. */
const SPECIAL_IPV4 = ['192.0.0.0/24', '192.88.99.0/24', '198.18.0.0/15'].map((text) => ipaddr.parseCIDR(text));

const within = (address: ipaddr.IPv4 | ipaddr.IPv6, ranges: readonly AddressRange[]): boolean =>
  ranges.some((range) => range[0].kind() === address.kind() && address.match(range as [ipaddr.IPv4 & ipaddr.IPv6, number]));

/** The address that packets to this one reach in the end: IPv4 behind its IPv6 disguises. */
const unmasked = (address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 => {
  if (!(address instanceof ipaddr.IPv6)) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  return within(address, TRANSLATED) ? new ipaddr.IPv4(address.toByteArray().slice(LAST_FOUR)) : address;
};

const isPublic = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  address instanceof ipaddr.IPv6
    ? within(address, [GLOBAL_UNICAST]) && !within(address, SPECIAL_IPV6) && address.range() === 'unicast'
    : address.range() === 'unicast' && !within(address, SPECIAL_IPV4);

/**
 * True for an address that requests may go to: one of the public internet, or of a range that the operator allows. This machine, private and link-local
 * networks, carrier networks, multicast, reserved blocks, tunnels (6to4, Teredo) and IPv4 addresses in IPv6 disguise are refused; so is what is no address.
 */
export const mayReach = (text: string, allowed: readonly AddressRange[] = []): boolean => {
  // A zone only makes sense on this machine's own links.
  if (text.includes('%') || !ipaddr.isValid(text)) return false;
  const address = unmasked(ipaddr.parse(text));
  return within(address, allowed) || isPublic(address);
};
