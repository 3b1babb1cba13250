import { signer, type ServerSecret } from '@continuo/chassis';

/** Signs and checks the addresses under which a worker gives bytes. */
export interface SignedAddresses {
  /** An absolute address for the bytes of a key, good for an hour. */
  sign(key: string): string;
  /** True when it was signed here or by another worker with the same secret, and is not over. */
  check(key: string, until: string, mark: string): boolean;
}

const LIFETIME_MS = 3_600_000;

/** Where the bytes of a key are, below a worker's address. */
export const TRANSCODES_PATH = '/transcodes/';

/** Addresses under a key derived from the server's secret. */
export const signedAddresses = (secret: ServerSecret, baseUrl: string, now: () => number): SignedAddresses => {
  const { mark: markOf, isMark } = signer(secret, 'transcode-addresses/v1');
  return {
    sign: (key) => {
      const until = String(now() + LIFETIME_MS);
      return new URL(`${TRANSCODES_PATH}${key}?until=${until}&mark=${markOf(`${key}.${until}`)}`, baseUrl).toString();
    },
    check: (key, until, mark) => /^\d{1,15}$/.test(until) && Number(until) > now() && isMark(`${key}.${until}`, mark),
  };
};
