import type { EventStreamName } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';
import { formatGaps, joined, parseGaps, type Gap } from './gaps.js';

/** DDL of what is known of reads of whole streams, part of the chassis' own migrations. */
export const logCheckTable = `create table log_check (
  stream text primary key, epoch text not null, begun_at timestamptz not null, finished_at timestamptz,
  position bigint not null default 0, missing text not null default '')`;

/** Result of the last read of a stream. */
export interface LogCheck {
  readonly stream: EventStreamName;
  readonly epoch: string;
  /** End of its last complete read; null when there was none. */
  readonly finishedAt: Date | null;
  /** Up to where that went. */
  readonly position: number;
  /** Positions that were missing. */
  readonly missing: readonly Gap[];
}

/** Shared notes of all replicas on reads of streams; losing them costs one more read. */
export class LogChecks {
  readonly #db: Kysely<unknown>;

  constructor(db: Kysely<unknown>) {
    this.#db = db;
  }

  /** The note on a stream's present incarnation. */
  async of(stream: EventStreamName, epoch: string): Promise<LogCheck | undefined> {
    const { rows } = await sql<Omit<LogCheck, 'missing'> & { missing: string }>`
      select stream, epoch, finished_at as "finishedAt", position, missing from chassis.log_check
      where stream = ${stream} and epoch = ${epoch}`.execute(this.#db);
    const [row] = rows;
    return row && { ...row, missing: parseGaps(row.missing) };
  }

  /** Takes on a read that is due; false when another replica has it, or none is due. */
  async claim(stream: EventStreamName, epoch: string, everyHours: number): Promise<boolean> {
    const { rows } = await sql`
      insert into chassis.log_check as c (stream, epoch, begun_at) values (${stream}, ${epoch}, now())
      on conflict (stream) do update set begun_at = now(), epoch = excluded.epoch,
        missing = case when c.epoch = excluded.epoch then c.missing else '' end
      where c.epoch <> excluded.epoch or c.begun_at < now() - make_interval(hours => ${everyHours})
      returning stream`.execute(this.#db);
    return rows.length > 0;
  }

  /** Notes that a whole stream has been read, and what was missing. */
  async finish(stream: EventStreamName, epoch: string, { position, missing }: Pick<LogCheck, 'position' | 'missing'>): Promise<void> {
    await sql`
      insert into chassis.log_check (stream, epoch, begun_at, finished_at, position, missing)
      values (${stream}, ${epoch}, now(), now(), ${position}, ${formatGaps(missing)})
      on conflict (stream) do update set epoch = excluded.epoch, begun_at = excluded.begun_at, finished_at = excluded.finished_at,
        position = excluded.position, missing = excluded.missing`.execute(this.#db);
  }

  /** Replaces the gaps that are known, without a whole read. */
  async note(stream: EventStreamName, epoch: string, missing: readonly Gap[]): Promise<void> {
    await sql`
      insert into chassis.log_check as c (stream, epoch, begun_at, missing) values (${stream}, ${epoch}, now(), ${formatGaps(joined(missing))})
      on conflict (stream) do update set missing = excluded.missing, epoch = excluded.epoch,
        finished_at = case when c.epoch = excluded.epoch then c.finished_at end`.execute(this.#db);
  }
}
