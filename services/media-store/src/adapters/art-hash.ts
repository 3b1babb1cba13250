import { createHash } from 'node:crypto';
import { Rejection } from '@continuo/contracts';

const HASH = /^[0-9a-f]{64}$/;

/** Lower-case hex SHA-256 of the bytes of a picture. */
export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** True for the name of a picture. */
export const isArtHash = (name: string): boolean => HASH.test(name);

/** Error for a picture that is not stored. */
export const artNotFound = (cause?: unknown): Rejection => new Rejection('art.not-found', undefined, undefined, { cause });

/** A hash may come from a request: nothing but 64 hex digits becomes part of a path or key. @throws Rejection `art.not-found` */
export const requireArtHash = (hash: string): string => {
  if (!isArtHash(hash)) throw new Rejection('art.not-found', undefined, hash.slice(0, 64));
  return hash;
};
