import type { AccessRule } from '@continuo/contracts';

const USES = ['interface', 'stream', 'rpc'] as const;
const FAMILIES = [
  { name: 'IPv4', startAddress: '0.0.0.0', endAddress: '255.255.255.255' },
  { name: 'IPv6', startAddress: '::', endAddress: 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff' },
] as const;

/** Rules of a new installation: everybody, from everywhere, for the web, streams and the API, at level 75. */
export const shippedRules: readonly Omit<AccessRule, 'ruleId'>[] = FAMILIES.flatMap(({ name, startAddress, endAddress }) =>
  USES.map((type) => ({ name: `DEFAULT ${name}`, level: 75 as const, userId: null, type, startAddress, endAddress, enabled: true })),
);
