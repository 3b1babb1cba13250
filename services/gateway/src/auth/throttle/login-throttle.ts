import { sha256Hex } from '@continuo/chassis';
import { usernameKey } from '@continuo/contracts';
import { LRUCache } from 'lru-cache';
import { atMost } from '../../server/at-most.js';

/** Account and address of a login attempt. */
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
  /** Returns the count that this gateway has in memory. */
  peek(key: string): FailureCount | undefined;
  /** Counts a failure here at once, and for the other gateways when the promise resolves. */
  add(key: string): Promise<void>;
}

/** Login throttle: slows down the guessing of passwords and keys. */
export interface LoginThrottle {
  /** Returns the delay of this attempt, ms; 0 = no delay. */
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
const pairKey = ({ username, address }: LoginAttempt): string | undefined =>
  username === undefined ? undefined : `p.${sha256Hex(JSON.stringify([usernameKey(username), address]))}`;

/**
 * Refuses logins of an account, and from an address, after too many failures within a window. A pair of account (or key) and address that has logged in before is let through, so
 * that an attacker's guesses neither lock the owner out nor one misconfigured client a whole household; such a pair has failures of its own, as many as an account. A success takes
 * no failure back: it would give whoever guesses from the same address further tries.
 */
export const loginThrottle = (counters: FailureCounters, limits: ThrottleLimits, now: () => number): LoginThrottle => {
  const goodPairs = new LRUCache<string, true>(atMost(REMEMBERED_PAIRS));
  const pairOf = (attempt: LoginAttempt): string => `${attempt.keyId ?? accountKey(attempt) ?? ''} ${attempt.address}`;
  const remainingMs = (key: string | undefined, limit: number): number => {
    const counted = key === undefined ? undefined : counters.peek(key);
    return counted && counted.count >= limit ? Math.max(0, counted.firstAtMs + limits.windowMs - now()) : 0;
  };
  return {
    delayMs: (attempt) => {
      if (goodPairs.has(pairOf(attempt))) {
        // A key is random: guesses of passwords of the same name do not shut it out.
        return attempt.keyId === undefined ? remainingMs(pairKey(attempt), limits.failuresPerAccount) : 0;
      }
      return Math.max(
        remainingMs(accountKey(attempt), limits.failuresPerAccount),
        remainingMs(addressKey(attempt), limits.failuresPerAddress),
      );
    },
    failed: async (attempt) => {
      const keys = [addressKey(attempt), accountKey(attempt), pairKey(attempt)].filter((key) => key !== undefined);
      await Promise.all(keys.map((key) => counters.add(key)));
    },
    succeeded: (attempt) => {
      if (attempt.username !== undefined || attempt.keyId !== undefined) goodPairs.set(pairOf(attempt), true);
    },
  };
};
