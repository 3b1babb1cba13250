import { Rejection } from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';
import { isConflict } from '../aggregates/conflicts.js';

/** Number of taken ids skipped before giving up; they only occur after a loss of the database. */
const ID_TRIES = 25;

/** Table and sequence of ids that commands create. All names carry their schema. */
export interface CommandIdRegistry {
  /** Table with the columns `command_id` and `id`, and `kind` where several kinds share it. */
  readonly table: string;
  /** The kind, in a table that several share. */
  readonly kind?: string;
  readonly sequence: string;
  /** Published table that has the things under their numbers. */
  readonly seen: string;
}

/** Gives things that commands make their numbers. */
export interface CommandIds {
  /**
   * Makes a thing under the number of its command: the same for every try of it, on whatever replica. `make` decides on an aggregate of that number and
   * refuses with `conflict` when it is taken; then it is tried with the next one, behind all that the read model knows.
   * @throws Rejection of `make`; `unavailable` when many numbers in a row are taken
   */
  under<T>(commandId: string, make: (id: number) => Promise<T>): Promise<T>;
}

type IdRow = { readonly id: number };

/** Numbers from a Postgres sequence, kept by command. */
export const commandIds = (db: Kysely<unknown>, { table, kind, sequence, seen }: CommandIdRegistry): CommandIds => {
  const next = sql`nextval(${sequence}::regclass)`;
  const given = async (commandId: string): Promise<number> => {
    const columns = kind === undefined ? sql`command_id` : sql`command_id, kind`;
    const values = kind === undefined ? sql`${commandId}` : sql`${commandId}, ${kind}`;
    const { rows } = await sql<IdRow>`insert into ${sql.table(table)} as known (${columns}, id) values (${values}, ${next})
      on conflict (${columns}) do update set id = known.id returning id`.execute(db);
    return rows[0]?.id ?? 0;
  };
  const another = async (commandId: string): Promise<number> => {
    await sql`select setval(${sequence}::regclass, seen.id)
      from (select max(id) as id from ${sql.table(seen)}) as seen, ${sql.table(sequence)} as current
      where seen.id > current.last_value`.execute(db);
    const ofKind = kind === undefined ? sql`` : sql`and kind = ${kind}`;
    const { rows } =
      await sql<IdRow>`update ${sql.table(table)} set id = ${next} where command_id = ${commandId} ${ofKind} returning id`.execute(db);
    return rows[0]?.id ?? 0;
  };
  const under: CommandIds['under'] = async (commandId, make) => {
    let id = await given(commandId);
    for (let attempt = 1; attempt <= ID_TRIES; attempt += 1) {
      try {
        return await make(id);
      } catch (error) {
        if (!isConflict(error)) throw error;
        id = await another(commandId);
      }
    }
    throw new Rejection('unavailable', 'what is there already is being read again; try again shortly');
  };
  return { under };
};
