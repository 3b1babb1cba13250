import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';
import type { Sealer } from './sealer.js';
import { keyRingOf, type ServerSecret } from './key-ring.js';

const VERSION = 'v1';
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A sealed text that cannot be opened: sealed under another key, changed, or not a sealed text at all. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
  constructor(options?: ErrorOptions) {
    super('the sealed text was made under another key or has been changed', options);
  }
}

/** Derives 256 bits for one purpose from the server's secret (HKDF-SHA-256), so that no two uses share a key. */
export const purposeKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'continuo', purpose, KEY_BYTES));

/**
 * Seals under a given 256-bit key. Every text gets an initialisation vector of its own.
 * @throws RangeError when the key has another length
 */
export const keySealer = (bytes: Uint8Array): Sealer => {
  if (bytes.length !== KEY_BYTES) throw new RangeError(`a sealing key has ${KEY_BYTES} bytes, not ${bytes.length}`);
  const key = createSecretKey(bytes);
  return {
    seal: (plain) => {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
      const ciphertext = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return [VERSION, ...[iv, ciphertext, cipher.getAuthTag()].map((part) => part.toString('base64url'))].join('.');
    },
    open: (sealed) => open(key, sealed),
  };
};

const open = (key: KeyObject, sealed: string): string => {
  const [version, ...parts] = sealed.split('.');
  const [iv, ciphertext, tag] = parts.map((part) => Buffer.from(part, 'base64url'));
  if (version !== VERSION || parts.length !== 3 || iv?.length !== IV_BYTES || tag?.length !== TAG_BYTES || !ciphertext)
    throw new SealBroken();
  try {
    const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES }).setAuthTag(tag);
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
  } catch (cause) {
    throw new SealBroken({ cause });
  }
};

/** Seals under a key derived from the server's secret for one purpose, and opens what was sealed under each secret that the server has had. */
export const secretSealer = (secret: ServerSecret, purpose: string): Sealer => {
  const ring = keyRingOf(secret);
  const sealers = new Map<string, Sealer>();
  const under = (one: string): Sealer => {
    const sealer = sealers.get(one) ?? keySealer(purposeKey(one, purpose));
    sealers.set(one, sealer);
    return sealer;
  };
  return { seal: (plain) => under(ring.current).seal(plain), open: (sealed) => openWithAny(ring.all.map(under), sealed) };
};

/** @throws SealBroken when none of them opens it */
const openWithAny = (sealers: readonly Sealer[], sealed: string): string => {
  for (const sealer of sealers) {
    const plain = openSealed(sealer, sealed);
    if (plain !== undefined) return plain;
  }
  throw new SealBroken();
};

/** Opens a sealed text; undefined when it was sealed under another key or has been changed. */
export const openSealed = (sealer: Sealer, sealed: string): string | undefined => {
  try {
    return sealer.open(sealed);
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
};

/** The sealer of stored credentials, the same in every service that is given the same secret. */
export const credentialSealer = (secret: ServerSecret): Sealer => secretSealer(secret, 'credentials/v1');
