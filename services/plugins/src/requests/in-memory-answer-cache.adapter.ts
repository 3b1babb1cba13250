import type { AnswerCache, CachedAnswer, PluginRateLimiter } from './answer-cache.js';

/** Answers of one process, for specs and tools. */
export class InMemoryAnswerCache implements AnswerCache {
  readonly #kept = new Map<string, CachedAnswer>();

  find(plugin: string, key: string): Promise<CachedAnswer | undefined> {
    return Promise.resolve(this.#kept.get(`${plugin} ${key}`));
  }

  keep(plugin: string, key: string, answer: CachedAnswer): Promise<void> {
    this.#kept.set(`${plugin} ${key}`, answer);
    return Promise.resolve();
  }

  tidy(nowMs: number): Promise<void> {
    for (const [name, { freshUntilMs }] of this.#kept) if (freshUntilMs < nowMs) this.#kept.delete(name);
    return Promise.resolve();
  }
}

/** Turns of one process, for specs and tools. */
export class InMemoryRateLimiter implements PluginRateLimiter {
  readonly #nextAtMs = new Map<string, number>();

  turn(plugin: string, everyMs: number, patienceMs: number): Promise<number | undefined> {
    const nowMs = Date.now();
    const atMs = Math.max(this.#nextAtMs.get(plugin) ?? 0, nowMs);
    if (atMs - nowMs > patienceMs) return Promise.resolve(undefined);
    this.#nextAtMs.set(plugin, atMs + everyMs);
    return Promise.resolve(atMs - nowMs);
  }

  holdOff(plugin: string, ms: number): Promise<void> {
    this.#nextAtMs.set(plugin, Math.max(this.#nextAtMs.get(plugin) ?? 0, Date.now() + ms));
    return Promise.resolve();
  }
}
