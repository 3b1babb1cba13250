import { sha256Hex } from '@continuo/chassis';
import { usernameKey } from '@continuo/contracts';
import { LRUCache } from 'lru-cache';

/** Who tries to log in from where. */
export interface LoginAttempt {
  /** Client address. */
  readonly address: string;
  /** The name as typed, whether or not an account has it; absent for a bare key. */
  readonly username?: string;
  /** The key that proved to be right, when the login was by key. */
  readonly keyId?: string;
}

/** Limits on failed logins. */
export interface ThrottleLimits {
  readonly windowMs: number;
  readonly failuresPerAccount: number;
  readonly failuresPerAddress: number;
}

/** Failures counted under one key since the first of them. */
export interface FailureCount {
  readonly firstAtMs: number;
  readonly count: number;
}

/** Counters that all gateways share. */
export interface FailureCounters {
  /** What this gateway knows, without waiting. */
  peek(key: string): FailureCount | undefined;
  /** Counts a failure here at once, and for the other gateways when the promise resolves. */
  add(key: string): Promise<void>;
}

/** Slows down the guessing of passwords and keys. */
export interface LoginThrottle {
  /** How long this attempt has to wait, ms; 0 = may go ahead. */
  delayMs(attempt: LoginAttempt): number;
  /** Notes a wrong credential. */
  failed(attempt: LoginAttempt): Promise<void>;
  /** Notes a right credential. */
  succeeded(attempt: LoginAttempt): void;
}

const REMEMBERED_PAIRS = 20_000;

const accountKey = ({ username }: LoginAttempt): string | undefined =>
  username === undefined ? undefined : `u.${sha256Hex(usernameKey(username))}`;
const addressKey = ({ address }: LoginAttempt): string => `a.${sha256Hex(address)}`;

/**
 * Refuses logins of an account, and from an address, after too many failures within a window. A pair of account (or key) and address whose last
 * login here was right is let through, so that a stranger's guesses neither lock the owner out nor one misconfigured client a whole household.
 */
export const loginThrottle = (counters: FailureCounters, limits: ThrottleLimits, now: () => number): LoginThrottle => {
  const goodPairs = new LRUCache<string, true>({ max: REMEMBERED_PAIRS });
  const pairOf = (attempt: LoginAttempt): string => `${attempt.keyId ?? accountKey(attempt) ?? ''} ${attempt.address}`;
  const remainingMs = (key: string | undefined, limit: number): number => {
    const counted = key === undefined ? undefined : counters.peek(key);
    return counted && counted.count >= limit ? Math.max(0, counted.firstAtMs + limits.windowMs - now()) : 0;
  };
  return {
    delayMs: (attempt) => {
      if (goodPairs.has(pairOf(attempt))) return 0;
      return Math.max(
        remainingMs(accountKey(attempt), limits.failuresPerAccount),
        remainingMs(addressKey(attempt), limits.failuresPerAddress),
      );
    },
    failed: async (attempt) => {
      goodPairs.delete(pairOf(attempt));
      const account = accountKey(attempt);
      await Promise.all([counters.add(addressKey(attempt)), account === undefined ? undefined : counters.add(account)]);
    },
    succeeded: (attempt) => {
      if (attempt.username !== undefined || attempt.keyId !== undefined) goodPairs.set(pairOf(attempt), true);
    },
  };
};
