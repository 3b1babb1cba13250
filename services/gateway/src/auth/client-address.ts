import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

/** An address in parsed form; IPv4-mapped IPv6 addresses appear as IPv4. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A network of trusted proxies. */
export type Network = readonly [Address, number];

/** Longest text that can be an address with brackets, zone and port. */
const MAX_KEPT_CHARS = 64;
const KEPT_ADDRESSES = 1000;
/** Every request asks for the same few addresses several times. */
const parsed = new LRUCache<string, { readonly address: Address | undefined }>({
  max: KEPT_ADDRESSES,
  memoMethod: (text) => ({ address: readAddress(text) }),
});

/** Reads an address, also in brackets, with a port or with a zone; undefined when it is none. */
export const parseAddress = (text: string): Address | undefined =>
  text.length > MAX_KEPT_CHARS ? readAddress(text) : parsed.memo(text).address;

const readAddress = (text: string): Address | undefined => {
  const bare = withoutPort(text.trim()).replace(/%.*$/, '');
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare);
  return ipaddr.IPv6.isValid(bare) ? ipaddr.process(bare) : undefined;
};

const withoutPort = (text: string): string => {
  const bracketed = /^\[(?<address>[^\]]*)\](?::\d+)?$/.exec(text)?.groups?.['address'];
  if (bracketed !== undefined) return bracketed;
  return /^[\d.]+:\d+$/.test(text) ? text.slice(0, text.indexOf(':')) : text;
};

/**
 * Reads the configured list of trusted proxies: addresses and networks (`10.0.0.0/8`).
 * @throws Error that names the entry at fault
 */
export const parseNetworks = (entries: readonly string[]): readonly Network[] =>
  entries.map((entry) => {
    const [text = '', bits] = entry.split('/');
    const address = parseAddress(text);
    const length = address?.kind() === 'ipv4' ? 32 : 128;
    const prefix = bits === undefined ? length : Number(bits);
    if (!address || !Number.isInteger(prefix) || prefix < 0 || prefix > length)
      throw new Error(`TRUSTED_PROXIES: ${entry} is neither an address nor a network`);
    return [address, prefix];
  });

/** True for the address of a proxy that is believed. */
export const isTrustedProxy = (peer: string, trusted: readonly Network[]): boolean => {
  const address = parseAddress(peer);
  return address !== undefined && trusted.some((network) => isIn(address, network));
};

const isIn = (address: Address, [network, prefix]: Network): boolean => address.kind() === network.kind() && address.match(network, prefix);

/**
 * The client's own address in canonical text: the peer's, or, when the peer is a trusted proxy, the right-most entry of
 * `X-Forwarded-For` that is no trusted proxy. An entry that is no address ends the search at the last proxy that could be believed.
 */
export const clientAddress = (peer: string, forwardedFor: string | readonly string[] | undefined, trusted: readonly Network[]): string => {
  let client = parseAddress(peer);
  const isTrusted = (address: Address): boolean => trusted.some((network) => isIn(address, network));
  const entries = (typeof forwardedFor === 'string' ? [forwardedFor] : (forwardedFor ?? [])).flatMap((line) => line.split(','));
  while (client && isTrusted(client)) {
    const next = entries.pop();
    const address = next === undefined ? undefined : parseAddress(next);
    if (!address) break;
    client = address;
  }
  return client?.toString() ?? '';
};
