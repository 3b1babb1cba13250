import { sql, type Kysely } from 'kysely';

/** A folded state and the position of the last event in it. */
export interface Snapshot {
  readonly position: number;
  readonly state: unknown;
}

/** Where states are kept so that long aggregates need not be folded from their first event. Losing it costs time, never facts. */
export interface SnapshotStore {
  load(kind: string, id: string, version: number): Promise<Snapshot | undefined>;
  save(kind: string, id: string, version: number, snapshot: Snapshot): Promise<void>;
}

/** DDL of the table, part of the chassis' own migrations. */
export const snapshotTable =
  'create table aggregate_snapshot (kind text not null, id text not null, version int not null, epoch text not null, position bigint not null, state jsonb not null, primary key (kind, id))';

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
    const found = await sql<{ position: number; state: unknown }>`
      select position, state from chassis.aggregate_snapshot where kind = ${kind} and id = ${id} and version = ${version} and epoch = ${epoch}`.execute(
      this.#db,
    );
    return found.rows[0];
  }

  async save(kind: string, id: string, version: number, snapshot: Snapshot): Promise<void> {
    const epoch = await this.#epochOf(kind);
    await sql`
      insert into chassis.aggregate_snapshot as s (kind, id, version, epoch, position, state)
      values (${kind}, ${id}, ${version}, ${epoch}, ${snapshot.position}, ${JSON.stringify(snapshot.state)}::jsonb)
      on conflict (kind, id) do update set version = excluded.version, epoch = excluded.epoch, position = excluded.position, state = excluded.state
      where s.epoch <> excluded.epoch or s.version <> excluded.version or s.position < excluded.position`.execute(this.#db);
  }
}

/** No snapshots: every load folds from the first event. For specs and for services whose aggregates stay short. */
export const noSnapshots: SnapshotStore = {
  load: () => Promise.resolve(undefined),
  save: () => Promise.resolve(),
};
