import { GROWN_LIMIT_BYTES, HELD_LIMIT_MS, type Strain } from '@continuo/bench';

const MIB = 1024 ** 2;

/** Fault of a request that strained the server; undefined when within limits. */
export const faultOfStrain = ({ heldMs, grownBytes }: Strain): string | undefined => {
  if (heldMs > HELD_LIMIT_MS) return `it held the event loop for ${Math.round(heldMs)} ms`;
  return grownBytes > GROWN_LIMIT_BYTES ? `it took ${Math.round(grownBytes / MIB)} MiB of memory` : undefined;
};
