import { Rejection } from '@continuo/contracts';
import ipaddr from 'ipaddr.js';

/** An inclusive range of addresses of one family, in canonical text. */
export interface AddressRange {
  readonly startAddress: string;
  readonly endAddress: string;
}

/**
 * Checks and canonicalises a range of addresses; IPv4-mapped addresses become IPv4.
 * @throws Rejection `input.invalid` naming the end at fault
 */
export const addressRange = ({ startAddress, endAddress }: AddressRange): AddressRange => {
  const start = parse(startAddress, 'startAddress');
  const end = parse(endAddress, 'endAddress');
  if (start.kind() !== end.kind()) throw new Rejection('input.invalid', 'both addresses must be of one family', 'endAddress');
  if (compareBytes(start.toByteArray(), end.toByteArray()) > 0)
    throw new Rejection('input.invalid', 'the range ends before it starts', 'endAddress');
  return { startAddress: start.toString(), endAddress: end.toString() };
};

const parse = (text: string, subject: string): ipaddr.IPv4 | ipaddr.IPv6 => {
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(text) || (ipaddr.IPv6.isValid(text) && !text.includes('%'));
  if (!isAddress) throw new Rejection('input.invalid', `not an address: ${text}`, subject);
  return ipaddr.process(text);
};

const compareBytes = (left: readonly number[], right: readonly number[]): number => {
  const at = left.findIndex((byte, index) => byte !== right[index]);
  return at === -1 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
};
