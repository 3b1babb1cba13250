import type { KV } from '@nats-io/kv';

/** Bucket that counts how often a job was handed back without a fault of its own. */
export const HANDBACK_BUCKET = 'job_handbacks';
/** A job that comes back more seldom than this starts counting anew. */
export const HANDBACK_TTL_MS = 7 * 24 * 3600 * 1000;

/**
 * Remembers how often a job was handed back (a worker drained, the job asked for a later time). JetStream counts every delivery;
 * without this book a long job would become a dead letter after a few rolling upgrades. A job's first delivery touches nothing.
 */
export class Handbacks {
  readonly #bucket: KV;

  constructor(bucket: KV) {
    this.#bucket = bucket;
  }

  async count(job: string): Promise<number> {
    const entry = await this.#bucket.get(job);
    return entry && entry.operation === 'PUT' ? Number(entry.string()) : 0;
  }

  /** Only the worker that holds the job calls this, so it needs no check for concurrent writers. */
  async add(job: string): Promise<void> {
    await this.#bucket.put(job, String((await this.count(job)) + 1));
  }

  async forget(job: string): Promise<void> {
    await this.#bucket.purge(job);
  }
}
