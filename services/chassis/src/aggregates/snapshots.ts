import { sql, type Kysely } from 'kysely';

/** A folded state and the position of the last event in it. */
export interface Snapshot {
  readonly position: number;
  /** Number of events in the state. */
  readonly number: number;
  readonly state: unknown;
}

/** Store of snapshots, so that long aggregates need not be folded from their first event. Losing it costs time, never facts. */
export interface SnapshotStore {
  load(kind: string, id: string, version: number): Promise<Snapshot | undefined>;
  save(kind: string, id: string, version: number, snapshot: Snapshot): Promise<void>;
}

/** DDL of the table, part of the chassis' own migrations. */
export const snapshotTable =
  'create table aggregate_snapshot (kind text not null, id text not null, version int not null, epoch text not null, position bigint not null, state jsonb not null, primary key (kind, id))';

/**
 * Makes room for the number of events. It holds for one position only: a release that does not count replaces position and state and leaves the number as it was. Snapshots without one are
 * as good as none, and are kept anew at the next load.
 */
export const snapshotNumbers = 'alter table aggregate_snapshot add column number bigint, add column numbered_position bigint';

/** Snapshots in Postgres. A snapshot of another epoch of the stream is as good as none. */
export class PostgresSnapshotStore implements SnapshotStore {
  readonly #db: Kysely<unknown>;
  readonly #epochOf: (kind: string) => Promise<string>;

  constructor(db: Kysely<unknown>, epochOf: (kind: string) => Promise<string>) {
    this.#db = db;
    this.#epochOf = epochOf;
  }

  async load(kind: string, id: string, version: number): Promise<Snapshot | undefined> {
    const epoch = await this.#epochOf(kind);
    const found = await sql<Snapshot>`
      select position, number, state from chassis.aggregate_snapshot where kind = ${kind} and id = ${id} and version = ${version} and epoch = ${epoch}
        and numbered_position = position`.execute(this.#db);
    return found.rows[0];
  }

  async save(kind: string, id: string, version: number, snapshot: Snapshot): Promise<void> {
    const epoch = await this.#epochOf(kind);
    await sql`
      insert into chassis.aggregate_snapshot as s (kind, id, version, epoch, position, number, numbered_position, state)
      values (${kind}, ${id}, ${version}, ${epoch}, ${snapshot.position}, ${snapshot.number}, ${snapshot.position}, ${JSON.stringify(snapshot.state)}::jsonb)
      on conflict (kind, id) do update set version = excluded.version, epoch = excluded.epoch, position = excluded.position, state = excluded.state,
        number = excluded.number, numbered_position = excluded.numbered_position
      where s.epoch <> excluded.epoch or s.version <> excluded.version or s.position < excluded.position
        or s.numbered_position is distinct from s.position`.execute(this.#db);
  }
}
