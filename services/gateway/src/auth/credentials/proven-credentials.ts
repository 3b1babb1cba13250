import type { StoredAccount, StoredKey } from './credential-snapshot.js';

/** A password or key in clear that has proven its account. */
export interface ProvenCredential {
  readonly password: string;
  /** The key that it is, if it is one. */
  readonly key?: StoredKey;
}

interface KeptCredential extends ProvenCredential {
  readonly provenAtMs: number;
}

/** A login is proven from memory for so long; then the stored secrets are deciphered again. */
const KEPT_MS = 60_000;
/** Credentials of one account: its password and the keys of some players. */
const MAX_KEPT = 4;

/**
 * Keeps credentials that have proven their account, so that the next login of the same player deciphers nothing. They belong to an account as one snapshot has it:
 * with the next snapshot, which every change of accounts and keys brings, they are forgotten. Only successes are kept, so that a wrong credential takes as long
 * as it would without.
 */
export class ProvenCredentials {
  readonly #kept = new WeakMap<StoredAccount, readonly KeptCredential[]>();

  constructor(private readonly now: () => number) {}

  /** Returns the first kept credential of an account that matches. */
  find(stored: StoredAccount, matches: (password: string) => boolean): ProvenCredential | undefined {
    const oldestMs = this.now() - KEPT_MS;
    return this.#kept.get(stored)?.find(({ password, provenAtMs }) => provenAtMs > oldestMs && matches(password));
  }

  /** Keeps a credential that has just been proven, in place of the oldest. */
  keep(stored: StoredAccount, { password, key }: ProvenCredential): void {
    const others = (this.#kept.get(stored) ?? []).filter((kept) => kept.password !== password).slice(0, MAX_KEPT - 1);
    this.#kept.set(stored, [{ password, provenAtMs: this.now(), ...(key ? { key } : {}) }, ...others]);
  }
}
