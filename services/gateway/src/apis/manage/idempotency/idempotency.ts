/** Stored answer to a request, sent again when the request is repeated. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Outcome of claiming an idempotency key. */
export type Claim =
  /** Nobody has used it, or whoever did is gone: the request is to be run. */
  | {
      readonly kind: 'new';
      /** Keeps the answer. */
      finish(answer: KeptAnswer): Promise<void>;
      /** Frees the key, so that the request can be sent again. */
      release(): Promise<void>;
    }
  /** The same request is running. */
  | { readonly kind: 'running' }
  /** The same request was answered. */
  | { readonly kind: 'answered'; readonly answer: KeptAnswer }
  /** The key belongs to another request. */
  | { readonly kind: 'reused' };

/** Remembers requests by caller and key for a day, for all gateways. */
export interface IdempotencyStore {
  /**
   * Claims a key.
   * @param key digest of caller and key
   * @param fingerprint digest of the request
   */
  claim(key: string, fingerprint: string): Promise<Claim>;
}

/** Remembers requests with an idempotency key. */
export interface HasIdempotency {
  readonly idempotency: IdempotencyStore;
}

/** Record of a key, as every store keeps it. */
export interface IdempotencyRecord {
  readonly fingerprint: string;
  /** When the request began, epoch milliseconds. */
  readonly startedAtMs: number;
  readonly answer?: KeptAnswer;
}

/** Time after which a request without an answer counts as lost with its gateway, ms: longer than the longest command. */
const LOST_AFTER_MS = 25 * 60_000;

/** Outcome of claiming a key that has a record; undefined when the key is free again. */
export const claimOn = (record: IdempotencyRecord, fingerprint: string, nowMs: number): Exclude<Claim, { kind: 'new' }> | undefined => {
  if (record.fingerprint !== fingerprint) return { kind: 'reused' };
  if (record.answer) return { kind: 'answered', answer: record.answer };
  return nowMs - record.startedAtMs < LOST_AFTER_MS ? { kind: 'running' } : undefined;
};
