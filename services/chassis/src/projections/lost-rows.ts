import { sql, type Kysely } from 'kysely';
import type { Projection } from './projection.js';

/** A published table that would have fewer rows than readers see now. */
export interface LostRows {
  readonly table: string;
  readonly live: number;
  readonly rebuilt: number;
}

/** Rows of each published table; tables that a generation does not have are left out. */
export const tableRows = async (db: Kysely<unknown>, { publishes }: Projection, schema: string): Promise<Record<string, number>> => {
  const rows: Record<string, number> = {};
  for (const table of publishes) {
    const name = `${schema}.${table}`;
    const there = await sql<{ there: boolean }>`select to_regclass(${name}) is not null as there`.execute(db);
    if (there.rows[0]?.there !== true) continue;
    const found = await sql<{ count: number }>`select count(*) as count from ${sql.id(schema)}.${sql.id(table)}`.execute(db);
    rows[table] = found.rows[0]?.count ?? 0;
  }
  return rows;
};

/** Returns the tables that become smaller. */
export const lostRows = (live: Readonly<Record<string, number>>, rebuilt: Readonly<Record<string, number>>): LostRows[] =>
  Object.entries(live).flatMap(([table, count]) => {
    const left = rebuilt[table];
    return left !== undefined && left < count ? [{ table, live: count, rebuilt: left }] : [];
  });

/** Thrown instead of putting tables in place that are smaller than those that readers see. */
export class WouldLoseRows extends Error {
  override readonly name = 'WouldLoseRows';

  constructor(projection: string, lost: readonly LostRows[]) {
    const tables = lost.map(({ table, live, rebuilt }) => `${table} has ${live} rows and would have ${rebuilt}`).join(', ');
    super(
      `readers would lose rows: ${tables}; the live tables are kept. ` +
        `If that is what you want, run "continuo projections rebuild ${projection} --accept-loss"`,
    );
  }
}
