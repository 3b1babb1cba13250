/** A good answer of a service, as it is kept. */
export interface CachedAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: Uint8Array;
  /** Epoch ms from which on it is too old, except while the service is away. */
  readonly freshUntilMs: number;
}

/** Keeps answers of services for all replicas. Keys say the plug-in and a digest of the address: addresses may hold keys. */
export interface AnswerCache {
  find(plugin: string, key: string): Promise<CachedAnswer | undefined>;
  keep(plugin: string, key: string, answer: CachedAnswer): Promise<void>;
  /** Throws away what is long too old, and the oldest of what is too much. */
  tidy(nowMs: number): Promise<void>;
}

/** Sees to it that a service is asked no more often than it likes, by all replicas together. */
export interface PluginRateLimiter {
  /**
   * Takes the next turn of a plug-in.
   * @returns how long to wait for it, ms; undefined when that would be longer than `patienceMs`: then no turn was taken
   */
  turn(plugin: string, everyMs: number, patienceMs: number): Promise<number | undefined>;
  /** Nobody asks before so many ms have passed: the service said so. */
  holdOff(plugin: string, ms: number): Promise<void>;
}
