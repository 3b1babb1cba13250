import { nextTurn } from '@continuo/chassis';
import type { CatalogId } from '@continuo/contracts';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { sql, type Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { IngestionDatabase } from '../scan/ingestion-tables.js';

export interface ScheduleDependencies {
  readonly db: Kysely<IngestionDatabase>;
  readonly log: Logger;
  /** Cron expression of five or six fields. */
  readonly expression: string;
  /** Name of the time zone in which it is meant. */
  readonly timeZone: string;
  readonly start: (catalogId: CatalogId) => Promise<void>;
  /** Time between two looks at the clock, ms. */
  readonly lookIntervalMs: number;
}

const NAME = 'scan';

/**
 * Scans the enabled catalogs by the clock: that of the database, so that those of the workers do not matter. Whoever sees first that a turn has come takes it by
 * writing that down, so that each turn happens once in the whole cluster. Turns that were missed happen once, late.
 */
export class ScanSchedule implements OnApplicationBootstrap, OnApplicationShutdown {
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<unknown> = Promise.resolve();

  constructor(private readonly deps: ScheduleDependencies) {}

  onApplicationBootstrap(): void {
    this.#timer = setInterval(() => {
      this.#looking = this.look().catch((err: unknown) => this.deps.log.warn({ err }, 'failed to check scan schedule'));
    }, this.deps.lookIntervalMs);
    this.#timer.unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }

  /** Takes the turn that has come, if there is one; true when it was taken here. */
  async look(): Promise<boolean> {
    const { nowMs, lastMs } = await this.#times();
    const next = nextTurn(this.deps.expression, this.deps.timeZone, lastMs);
    if (next === undefined || next > nowMs || !(await this.#take(lastMs, nowMs))) return false;
    await this.#startAll();
    return true;
  }

  /** The clock of the database, and when the last turn was taken; a schedule that is new begins now. */
  async #times(): Promise<{ nowMs: number; lastMs: number }> {
    const { rows } = await sql<{ now: string; last: string }>`
      with fresh as (
        insert into ingestion.schedule (name, last_turn_at_ms) values (${NAME}, (extract(epoch from clock_timestamp()) * 1000)::bigint)
        on conflict (name) do nothing returning last_turn_at_ms)
      select (extract(epoch from clock_timestamp()) * 1000)::bigint as now,
        coalesce((select last_turn_at_ms from fresh), (select last_turn_at_ms from ingestion.schedule where name = ${NAME})) as last`.execute(
      this.deps.db,
    );
    const nowMs = Number(rows[0]?.now);
    return { nowMs, lastMs: Number(rows[0]?.last ?? nowMs) };
  }

  async #take(lastMs: number, nowMs: number): Promise<boolean> {
    const result = await this.deps.db
      .updateTable('ingestion.schedule')
      .set({ last_turn_at_ms: nowMs })
      .where('name', '=', NAME)
      .where('last_turn_at_ms', '=', lastMs)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  async #startAll(): Promise<void> {
    const { db, log, start } = this.deps;
    const rows = await db
      .selectFrom('library.catalog')
      .select('id')
      .where('enabled', '=', true)
      .where('gather_types', '!=', 'podcast')
      .orderBy('id')
      .execute();
    for (const { id } of rows) {
      await start(id as CatalogId).catch((err: unknown) => log.warn({ err, catalogId: id }, 'scheduled scan failed to start'));
    }
    log.info({ catalogs: rows.length }, 'scheduled scans started');
  }
}
