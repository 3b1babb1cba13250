import { randomBytes } from 'node:crypto';

const LEAST_BITS = 128;

/**
 * An unguessable lower-case hex text.
 * @param bits how many random bits, a multiple of 8 from 128
 * @throws RangeError for fewer
 */
export const randomToken = (bits = LEAST_BITS): string => {
  if (bits < LEAST_BITS || bits % 8 !== 0) throw new RangeError(`a token has at least ${LEAST_BITS} bits in whole bytes`);
  return randomBytes(bits / 8).toString('hex');
};
