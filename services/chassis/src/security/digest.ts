import { createHmac, createSecretKey, hash, timingSafeEqual } from 'node:crypto';
import { purposeKey } from './sealer.adapter.js';
import { keyRingOf, type ServerSecret } from './key-ring.js';

/** Lower-case hex SHA-256 of a text's UTF-8 bytes. */
export const sha256Hex = (text: string): string => hash('sha256', text, 'hex');

/**
 * Lower-case hex digest (HMAC-SHA-256) that only holders of the server's secret can compute; each purpose has a key of its own. It stays the same when the secret is
 * replaced, so that the log finds again what it knows by a digest.
 */
export const keyedDigest = (secret: ServerSecret, purpose: string): ((text: string) => string) => {
  const key = createSecretKey(purposeKey(keyRingOf(secret).founding, purpose));
  return (text) => createHmac('sha256', key).update(text, 'utf8').digest('hex');
};

/** Compares two texts in constant time, which reveals neither where they differ nor their lengths. */
export const sameText = (a: string, b: string): boolean => {
  const [left, right] = [hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer')];
  return timingSafeEqual(left, right);
};

/** Compares two digests in constant time; texts of another length are no digest of the same kind, and that is no secret. */
export const sameDigest = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
};
