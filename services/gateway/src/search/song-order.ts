import { sql } from 'kysely';
import type { ReadDatabase } from '../reads/database/database.js';
import { parseIds } from '../reads/lists/id-list.js';
import { IdSet } from '../reads/database/id-set.js';
import { typeDefinitions } from './search-types.js';

/** A library with fewer songs is put into order by the database as quickly. */
const LARGE_LIBRARY = 50_000;
/** Making the order of a million songs takes seconds of the database's time: no more often than this. */
const MADE_EVERY_MS = 60_000;
/** An order that was made before the last change of the catalogue is good enough for this long. */
const GOOD_FOR_MS = 600_000;
const PATIENCE_MS = 120_000;

interface Order {
  readonly ids: Int32Array;
  /** Durations in seconds, at the place of each id. */
  readonly seconds: Int32Array;
  readonly madeAtMs: number;
}

/**
 * All songs of a large library in the order of their paths, held in memory: putting a million paths into order takes the database longer than anybody should wait for
 * a search that finds nearly all of them. It is made in the background, when a search first had to do without.
 */
export class SongOrder {
  private order: Order | undefined;
  private version = '';
  private making: Promise<void> | undefined;
  private triedAtMs = Number.NEGATIVE_INFINITY;

  /** @param onFailure is told of an order that could not be made: nobody waits for one, so nobody else would know */
  constructor(
    private readonly db: ReadDatabase,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** True when songs can be put into order here. */
  get isAtHand(): boolean {
    return this.order !== undefined && performance.now() - this.order.madeAtMs < GOOD_FOR_MS;
  }

  /** Songs in order; those that have come since it was made stand last. */
  arranged(ids: Int32Array): Int32Array {
    const all = this.order?.ids ?? new Int32Array(0);
    const set = new IdSet(ids);
    const known = all.filter((id) => set.has(id));
    if (known.length === ids.length) return known;
    const listed = new IdSet(known);
    const others = ids.filter((id) => !listed.has(id));
    const arranged = new Int32Array(ids.length);
    arranged.set(known);
    arranged.set(others, known.length);
    return arranged;
  }

  /** Sums the duration of songs, milliseconds; undefined when the durations are not in memory. */
  durationOf(ids: Int32Array): number | undefined {
    if (!this.order || !this.isAtHand) return undefined;
    const set = new IdSet(ids);
    let seconds = 0;
    for (let place = 0; place < this.order.ids.length; place += 1)
      if (set.has(this.order.ids[place] ?? 0)) seconds += this.order.seconds[place] ?? 0;
    return seconds * 1000;
  }

  /** Makes the order in the background when the library is large and the catalogue another one than last time. Whoever asks does not wait. */
  want(readVersion: () => Promise<string>): void {
    const now = performance.now();
    if (this.making || now - this.triedAtMs < MADE_EVERY_MS) return;
    this.triedAtMs = now;
    this.making = this.makeAnew(readVersion)
      // Without it the database puts songs into order, and a later search asks again.
      .catch(this.onFailure)
      .finally(() => {
        this.making = undefined;
      });
  }

  /** Resolves when nothing is being made. */
  async settled(): Promise<void> {
    await this.making;
  }

  private async makeAnew(readVersion: () => Promise<string>): Promise<void> {
    const catalogue = await readVersion();
    if (this.order && this.version === catalogue) this.order = { ...this.order, madeAtMs: performance.now() };
    else await this.make(catalogue);
  }

  private async make(catalogue: string): Promise<void> {
    const { from, order } = typeDefinitions.song;
    const read = this.db.transaction().execute(async (transaction) => {
      await sql`select set_config('statement_timeout', ${String(PATIENCE_MS)}, true)`.execute(transaction);
      return sql<{ ids: string | null; seconds: string | null }>`
        select array_agg(x.id)::text as ids, array_agg(x.seconds)::text as seconds
        from (select t.id, (t.duration_ms + 500) / 1000 as seconds from ${from} order by ${sql.join([...order, sql`t.id`], sql`, `)}) x
        where (select count(*) from (select from library.song limit ${LARGE_LIBRARY}) n) = ${LARGE_LIBRARY}`.execute(transaction);
    });
    const [row] = (await read).rows;
    this.version = catalogue;
    if (row?.ids) this.order = { ids: parseIds(row.ids), seconds: parseIds(row.seconds), madeAtMs: performance.now() };
  }
}
