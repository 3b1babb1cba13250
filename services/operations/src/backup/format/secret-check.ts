import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Manifest } from './manifest.js';

const derive = promisify<string, Buffer, number, Buffer>(scrypt);
const BYTES = 32;
const PURPOSE = 'continuo backup';

/** Computes a check value of a secret; slow by design against guessing. */
export const checkOfSecret = async (secret: string): Promise<Manifest['secret']> => {
  const salt = randomBytes(16);
  return { salt: salt.toString('hex'), check: (await derive(PURPOSE + secret, salt, BYTES)).toString('hex') };
};

/** True when the server that was backed up had this secret. */
export const isSecretOf = async ({ salt, check }: Manifest['secret'], secret: string): Promise<boolean> => {
  const expected = Buffer.from(check, 'hex');
  const found = await derive(PURPOSE + secret, Buffer.from(salt, 'hex'), BYTES);
  return found.length === expected.length && timingSafeEqual(found, expected);
};
