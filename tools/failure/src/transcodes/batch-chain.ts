import { startTranscodeBatch, type TranscodeBatchTable } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';
import { until } from '../until.js';
import type { RetryingClient } from '../writes/retrying-client.js';

const FIRST_KBPS = 64;
const END_MS = 180_000;

/** Batches one after the other, each of the same songs at another bit rate, so that there is always something to make. */
export class BatchChain {
  readonly #client: RetryingClient;
  readonly #db: Kysely<unknown>;
  readonly #songIds: readonly number[];
  readonly #batchIds: string[] = [];

  constructor(client: RetryingClient, db: Kysely<unknown>, songIds: readonly number[]) {
    this.#client = client;
    this.#db = db;
    this.#songIds = songIds;
  }

  get batchIds(): readonly string[] {
    return this.#batchIds;
  }

  /** Returns when a batch is under way, a new one if need be. */
  async busy(): Promise<void> {
    if ((await this.interrupted()) !== undefined) return;
    const items = this.#songIds.map((id) => ({ type: 'song' as const, id }));
    const profile = { format: 'mp3' as const, bitrateKbps: FIRST_KBPS + 8 * this.#batchIds.length };
    const { batchId } = await this.#client.send(startTranscodeBatch, { title: `batch ${this.#batchIds.length + 1}`, profile, items });
    this.#batchIds.push(batchId);
  }

  /** Progress of the last batch; undefined when it is over, or there is none. */
  async interrupted(): Promise<string | undefined> {
    const id = this.#batchIds.at(-1);
    if (id === undefined) return undefined;
    const batch = await this.#read(id);
    if (batch && batch.state !== 'running') return undefined;
    return `batch ${this.#batchIds.length}, ${batch ? batch.made + batch.present : 0} of ${this.#songIds.length} made`;
  }

  /** Waits for the end of all. @throws Error when they do not come to it */
  async finish(): Promise<void> {
    await until('every batch is over', END_MS, async () => (await this.interrupted()) === undefined);
  }

  /** Undefined while it is not in the tables, or Postgres is away: that is the point of the exercise. */
  async #read(id: string): Promise<TranscodeBatchTable | undefined> {
    const found = await sql<TranscodeBatchTable>`select * from transcoding.batch where id = ${id}`
      .execute(this.#db)
      .catch(() => ({ rows: [] }));
    return found.rows[0];
  }
}
