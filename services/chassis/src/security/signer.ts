import { keyedDigest, sameDigest } from './digest.js';
import { keyRingOf, type ServerSecret } from './key-ring.js';

/** Marks texts as this server's own, for a time: addresses, tokens, forms. */
export interface Signer {
  /** Lower-case hexadecimal. */
  readonly mark: (text: string) => string;
  /** True for a mark under the current secret, or under the one before it while its signatures hold. Takes a time that tells nothing of the right one. */
  readonly isMark: (text: string, mark: string) => boolean;
}

/** HMAC-SHA-256 has so many hexadecimal digits. */
const DIGITS = 64;

/** Signs under a key of one purpose, derived from the server's secret; marks have `digits` hexadecimal digits. */
export const signer = (secret: ServerSecret, purpose: string, digits = DIGITS): Signer => {
  const ring = keyRingOf(secret);
  const digests = new Map<string, (text: string) => string>();
  const under = (one: string, text: string): string => {
    const digest = digests.get(one) ?? keyedDigest(one, purpose);
    digests.set(one, digest);
    return digest(text).slice(0, digits);
  };
  return {
    mark: (text) => under(ring.current, text),
    isMark: (text, mark) => ring.signing().some((one) => sameDigest(mark, under(one, text))),
  };
};
