import { sql, type Kysely, type QueryResult, type RawBuilder, type Transaction } from 'kysely';
import type { Migration } from '../persistence/migrate.js';
import { logCheckTable } from '../event-store/integrity/log-checks.js';
import { snapshotNumbers, snapshotTable } from '../aggregates/snapshots.js';

/** Schema of the tables that the chassis keeps for all services of one database. */
export const CHASSIS_SCHEMA = 'chassis';

/** Role that may read the published views and how far they are, and nothing else. */
export const READER_ROLE = 'continuo_reader';

/** The chassis' own tables. */
export const chassisMigrations: readonly Migration[] = [
  {
    name: '2026-11-20-checkpoints-and-snapshots',
    statements: [
      `create table projection_checkpoint (
        name text not null, version int not null, generation int not null,
        state text not null check (state in ('building', 'live', 'retired')),
        physical_schema text not null, stream text not null, epoch text not null,
        position bigint not null default 0, fence bigint not null default 0, owner text,
        updated_at timestamptz not null default now(),
        primary key (name, version, generation))`,
      `create unique index projection_one_live on projection_checkpoint (name) where state = 'live'`,
      snapshotTable,
    ],
  },
  { name: '2026-11-22-numbers-in-snapshots', statements: [snapshotNumbers] },
  { name: '2026-11-22-log-checks', statements: [logCheckTable] },
];

/** One generation of a projection: its tables, how far they are, and whether readers see them. */
export interface Checkpoint {
  readonly name: string;
  readonly version: number;
  readonly generation: number;
  readonly state: 'building' | 'live' | 'retired';
  readonly physicalSchema: string;
  readonly stream: string;
  readonly epoch: string;
  readonly position: number;
  readonly fence: number;
}

type Db = Kysely<unknown> | Transaction<unknown>;

const columns = sql`name, version, generation, state, physical_schema as "physicalSchema", stream, epoch, position, fence`;

/** All generations of a projection, newest first. */
export const checkpointsOf = async (db: Db, name: string): Promise<Checkpoint[]> => {
  const found =
    await sql<Checkpoint>`select ${columns} from chassis.projection_checkpoint where name = ${name} order by version desc, generation desc`.execute(
      db,
    );
  return found.rows;
};

/** Takes over a generation: raises the fence, so that the former owner can commit nothing more. */
export const takeOverCheckpoint = async (db: Db, checkpoint: Checkpoint, owner: string): Promise<Checkpoint> => {
  const found = await sql<Checkpoint>`
    update chassis.projection_checkpoint set fence = fence + 1, owner = ${owner}, updated_at = now()
    where name = ${checkpoint.name} and version = ${checkpoint.version} and generation = ${checkpoint.generation}
    returning ${columns}`.execute(db);
  const row = found.rows[0];
  if (!row) throw new Error(`projection ${checkpoint.name} has lost its checkpoint`);
  return row;
};

/** Another owner has taken the projection over, or has moved the checkpoint. */
export class FencedOut extends Error {
  override readonly name = 'FencedOut';
}

/** The error of an owner whose checkpoint is not its own any more. */
export const ownedElsewhere = (projection: string): FencedOut => new FencedOut(`projection ${projection} is run by another owner`);

/** Moves a checkpoint within the transaction that writes the rows; its result is for {@link insistOnOwnership}. */
export const advancing = (from: Checkpoint, position: number): RawBuilder<unknown> => sql`
  update chassis.projection_checkpoint set position = ${position}, updated_at = now()
  where name = ${from.name} and version = ${from.version} and generation = ${from.generation}
    and fence = ${from.fence} and position = ${from.position} and state <> 'retired'`;

/** @throws FencedOut when the fence or the position is not the caller's any more; the transaction must then roll back. */
export const insistOnOwnership = ({ name }: Checkpoint, moved: QueryResult<unknown> | undefined): void => {
  if (Number(moved?.numAffectedRows ?? 0n) !== 1) throw ownedElsewhere(name);
};

/** Writes the row of a new generation. */
export const insertCheckpoint = async (tx: Db, row: Omit<Checkpoint, 'position' | 'fence'>): Promise<void> => {
  await sql`
    insert into chassis.projection_checkpoint (name, version, generation, state, physical_schema, stream, epoch)
    values (${row.name}, ${row.version}, ${row.generation}, ${row.state}, ${row.physicalSchema}, ${row.stream}, ${row.epoch})`.execute(tx);
};

/** Changes a generation's part. */
export const setState = async (tx: Db, checkpoint: Checkpoint, state: Checkpoint['state']): Promise<void> => {
  await sql`
    update chassis.projection_checkpoint set state = ${state}, updated_at = now()
    where name = ${checkpoint.name} and version = ${checkpoint.version} and generation = ${checkpoint.generation}`.execute(tx);
};
