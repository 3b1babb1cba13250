import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { purposeKey } from './sealer.adapter.js';
import { ringOf, type ServerSecret } from './secret-ring.js';

/** Lower-case hex SHA-256 of a text's UTF-8 bytes. */
export const sha256Hex = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/**
 * Lower-case hex digest (HMAC-SHA-256) that only holders of the server's secret can compute; each purpose has a key of its own. It stays the same when the secret is
 * replaced, so that the log finds again what it knows by a digest.
 */
export const keyedDigest = (secret: ServerSecret, purpose: string): ((text: string) => string) => {
  const key = purposeKey(ringOf(secret).founding, purpose);
  return (text) => createHmac('sha256', key).update(text, 'utf8').digest('hex');
};

/** Compares two texts in a time that tells nothing of where they differ, nor of their lengths. */
export const sameText = (a: string, b: string): boolean => {
  const [left, right] = [a, b].map((text) => createHash('sha256').update(text, 'utf8').digest()) as [Buffer, Buffer];
  return timingSafeEqual(left, right);
};
