import { every, nextTurn } from '@continuo/chassis';
import type { CatalogId } from '@continuo/contracts';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { sql, type Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { IngestionDatabase } from '../scan/ingestion-tables.js';
import { automaticCatalogs, isBeforeViews } from '../watch/automatic-catalogs.reads.js';

export interface ScheduleDependencies {
  readonly db: Kysely<IngestionDatabase>;
  readonly log: Logger;
  /** Cron expression of five or six fields for catalogs without one of their own; empty: never. */
  readonly defaultExpression: string;
  /** Name of the time zone in which expressions are meant. */
  readonly timeZone: string;
  readonly start: (catalogId: CatalogId) => Promise<void>;
  /** Time between two looks at the clock, ms. */
  readonly lookIntervalMs: number;
}

interface Turns {
  /** Name under which the last turn is kept. */
  readonly name: string;
  readonly expression: string;
  readonly catalogIds: readonly CatalogId[];
}

/**
 * Scans the enabled catalogs by their own schedules or that of the settings. The clock is that of the database, so that those of the workers do not matter. Whoever
 * sees first that a turn has come takes it by writing that down, so that each turn happens once in the whole cluster. Turns that were missed happen once, late.
 */
export class ScanSchedule implements OnApplicationBootstrap, OnApplicationShutdown {
  #endLooks: () => void = () => undefined;
  #looking: Promise<unknown> = Promise.resolve();

  constructor(private readonly deps: ScheduleDependencies) {}

  onApplicationBootstrap(): void {
    this.#endLooks = every(this.deps.lookIntervalMs, () => {
      this.#looking = this.look().catch((err: unknown) => {
        if (!isBeforeViews(err)) this.deps.log.warn({ err }, 'failed to check scan schedule');
      });
      return this.#looking;
    });
  }

  async onApplicationShutdown(): Promise<void> {
    this.#endLooks();
    await this.#looking;
  }

  /** Takes the turns that have come, if there are any; true when one was taken here. */
  async look(): Promise<boolean> {
    const schedules = await this.#schedules();
    if (schedules.length === 0) return false;
    const { nowMs, lastMsOf } = await this.#times(schedules.map(({ name }) => name));
    let isTaken = false;
    for (const turns of schedules) {
      const lastMs = lastMsOf.get(turns.name) ?? nowMs;
      const next = nextTurn(turns.expression, this.deps.timeZone, lastMs);
      if (next === undefined || next > nowMs || !(await this.#take(turns.name, lastMs, nowMs))) continue;
      await this.#startAll(turns.catalogIds);
      isTaken = true;
    }
    return isTaken;
  }

  async #schedules(): Promise<readonly Turns[]> {
    const catalogs = (await automaticCatalogs(this.deps.db)).map(({ id, schedule }) => ({ id: id as CatalogId, schedule }));
    const following = catalogs.filter(({ schedule }) => schedule === null).map(({ id }) => id);
    return [
      { name: 'scan', expression: this.deps.defaultExpression, catalogIds: following },
      ...catalogs.map(({ id, schedule }) => ({ name: `scan-${id}`, expression: schedule ?? '', catalogIds: [id] })),
    ].filter(({ expression, catalogIds }) => expression !== '' && catalogIds.length > 0);
  }

  /** The clock of the database, and when the last turns were taken, by name; a schedule that is new begins now. */
  async #times(names: readonly string[]): Promise<{ nowMs: number; lastMsOf: ReadonlyMap<string, number> }> {
    const { rows } = await sql<{ now: string; name: string | null; last: string | null }>`
      with clock as materialized (select (extract(epoch from clock_timestamp()) * 1000)::bigint as now), fresh as (
        insert into ingestion.schedule (name, last_turn_at_ms) select n.name, clock.now from unnest(${[...names]}::text[]) as n(name), clock
        on conflict (name) do nothing returning name, last_turn_at_ms), turns as (
        select name, last_turn_at_ms from fresh union all select name, last_turn_at_ms from ingestion.schedule where name = any(${[...names]}::text[]))
      select clock.now, turns.name, turns.last_turn_at_ms as last from clock left join turns on true`.execute(this.deps.db);
    return {
      nowMs: Number(rows[0]?.now),
      lastMsOf: new Map(rows.flatMap(({ name, last }) => (name === null ? [] : [[name, Number(last)] as const]))),
    };
  }

  async #take(name: string, lastMs: number, nowMs: number): Promise<boolean> {
    const result = await this.deps.db
      .updateTable('ingestion.schedule')
      .set({ last_turn_at_ms: nowMs })
      .where('name', '=', name)
      .where('last_turn_at_ms', '=', lastMs)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  async #startAll(catalogIds: readonly CatalogId[]): Promise<void> {
    const { log, start } = this.deps;
    for (const catalogId of catalogIds) {
      await start(catalogId).catch((err: unknown) => log.warn({ err, catalogId }, 'scheduled scan failed to start'));
    }
    log.info({ catalogs: catalogIds.length }, 'scheduled scans started');
  }
}
