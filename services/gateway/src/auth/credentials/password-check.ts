import { randomToken, sha256Hex } from '@continuo/chassis';
import { hash, verify } from 'argon2';
import { ConcurrencyLimiter } from '../../server/concurrency-limiter.js';

/** Argon2id needs about 20 MB and 20 ms for each: so many at a time, and so many may wait. */
const SLOTS = 4;
const QUEUE = 200;
/** As the social service makes them; only for what is compared when there is no account, so that it takes as long. */
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Checks login passwords of the web page. */
export interface PasswordCheck {
  /**
   * Whether a password is the one that the hash was made of; without a hash it never is, and that takes as long to say. `before` runs in the check's place, so that what others
   * have counted by then holds.
   * @throws Rejection `unavailable` when too many wait, and what `before` throws
   */
  check(kept: string | undefined, password: string, before: () => void): Promise<boolean>;
}

/** Checks with Argon2id, a bounded number at a time. The hash is of the SHA-256 of the password, which is all that the native API's clients send. */
export const argon2Check = (): PasswordCheck => {
  const limiter = new ConcurrencyLimiter(SLOTS, QUEUE);
  let nobody: Promise<string> | undefined;
  return {
    check: (kept, password, before) =>
      limiter.run(async () => {
        before();
        nobody ??= hash(randomToken(), ARGON2ID);
        const matches = await verify(kept ?? (await nobody), sha256Hex(password));
        return matches && kept !== undefined;
      }),
  };
};
