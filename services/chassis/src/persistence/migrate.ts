import { sql, type Kysely } from 'kysely';

/** One step of a schema that is not a projection: a fixed name, never edited after it was published, and its statements. */
export interface Migration {
  readonly name: string;
  readonly statements: readonly string[];
}

/** Advisory-lock key under which migrations of one database run one after the other. */
const MIGRATION_LOCK = 0x636f6e74;

/** Creates the schema if need be and applies the migrations that it lacks, each once, under a lock that all replicas share. */
export const migrate = async (db: Kysely<unknown>, schema: string, migrations: readonly Migration[]): Promise<void> => {
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(tx);
    await sql`create schema if not exists ${sql.id(schema)}`.execute(tx);
    await sql`set local search_path to ${sql.id(schema)}, public`.execute(tx);
    await sql`create table if not exists schema_migration (name text primary key, applied_at timestamptz not null default now())`.execute(
      tx,
    );
    const applied = await sql<{ name: string }>`select name from schema_migration`.execute(tx);
    const known = new Set(applied.rows.map((row) => row.name));
    for (const migration of migrations) {
      if (known.has(migration.name)) continue;
      for (const statement of migration.statements) await sql.raw(statement).execute(tx);
      await sql`insert into schema_migration (name) values (${migration.name})`.execute(tx);
    }
  });
};
