import { InvalidArgumentError } from 'commander';
import ipaddr from 'ipaddr.js';

/** Both ends of a range as a person wrote them; the server checks them. */
export interface AddressArgument {
  readonly startAddress: string;
  readonly endAddress: string;
}

/**
 * Reads `192.0.2.1`, `192.0.2.1-192.0.2.9`, `192.0.2.0/24` and the same of IPv6.
 * @throws InvalidArgumentError for a network that is none
 */
export const parseAddresses = (text: string): AddressArgument => {
  const [first = '', last] = text.split('-');
  if (last !== undefined) return { startAddress: first.trim(), endAddress: last.trim() };
  if (!text.includes('/')) return { startAddress: text, endAddress: text };
  if (!ipaddr.isValidCIDR(text)) throw new InvalidArgumentError(`${text} is no network`);
  const family = text.includes(':') ? ipaddr.IPv6 : ipaddr.IPv4;
  return { startAddress: family.networkAddressFromCIDR(text).toString(), endAddress: family.broadcastAddressFromCIDR(text).toString() };
};
