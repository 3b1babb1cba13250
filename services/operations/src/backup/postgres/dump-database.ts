import { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { Transform } from 'node:stream';
import { OperatorError } from '../../connect/operator-error.js';
import { writeCompressed } from '../format/files.js';
import type { CheckpointEntry, DatabaseEntry, TableEntry } from '../format/manifest.js';
import { NotCovered, readDefinitions, readTables, type DumpedTable } from './definitions.js';

const APP = 'continuo-cli-backup';
/** A projection that puts fresh tables in place of others while they are copied makes the copy begin anew. */
const TRIES = 3;
const UNDEFINED_TABLE = '42P01';
const UNDEFINED_SCHEMA = '3F000';

/** Told of what is done. */
export type TableNote = (done: number, of: number, table: string) => void;

const connected = async (url: string): Promise<Client> => {
  const client = new Client({ connectionString: url, application_name: APP });
  // A server that goes away is told by the statement under way.
  client.on('error', () => undefined);
  await client.connect();
  return client;
};

const quoted = (client: Client, { schema, name }: Pick<DumpedTable, 'schema' | 'name'>): string =>
  `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(name)}`;

/** `copy` of a table's own columns, in either direction. */
export const copyStatement = (client: Client, table: DumpedTable, direction: 'to stdout' | 'from stdin'): string =>
  `copy ${quoted(client, table)} (${table.columns.map((column) => client.escapeIdentifier(column)).join(', ')}) ${direction}`;

const BEGIN = 'begin isolation level repeatable read, read only';
const BY_FULL_NAME = 'set local search_path to pg_catalog';

/** Counts the rows of a copy: each ends with a line feed, which text within has escaped. */
const rowCounter = (): Transform & { rows: number } => {
  const counter = Object.assign(
    new Transform({
      transform(chunk: Buffer, _, done) {
        for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) counter.rows += 1;
        done(null, chunk);
      },
    }),
    { rows: 0 },
  );
  return counter;
};

/** Each table in a transaction of its own over the same snapshot: whoever wants to drop tables waits for one of them, not for all. */
const copyTable = async (client: Client, snapshot: string, table: DumpedTable, [folder, path]: [string, string]): Promise<TableEntry> => {
  await client.query(BEGIN);
  await client.query(`set transaction snapshot ${client.escapeLiteral(snapshot)}`);
  try {
    const counter = rowCounter();
    const copy = client.query(copyTo(copyStatement(client, table, 'to stdout')));
    copy.on('error', (error) => counter.destroy(error));
    const file = await writeCompressed(folder, path, copy.pipe(counter));
    return { ...table, columns: [...table.columns], rows: counter.rows, file };
  } finally {
    await client.query('rollback');
  }
};

const readCheckpoints = async (client: Client): Promise<CheckpointEntry[]> => {
  const { rows } = await client.query<Omit<CheckpointEntry, 'position'> & { position: string }>(
    `select name, version, generation, state, stream, position from chassis.projection_checkpoint where state <> 'retired' order by 1, 2, 3`,
  );
  return rows.map((row) => ({ ...row, position: Number(row.position) }));
};

const serverVersion = async (client: Client): Promise<string> =>
  (await client.query<{ server_version: string }>('show server_version')).rows[0]?.server_version ?? '';

const dumpOnce = async (keeper: Client, copier: Client, folder: string, note: TableNote): Promise<DatabaseEntry> => {
  await keeper.query(BEGIN);
  try {
    await keeper.query(BY_FULL_NAME);
    const { rows } = await keeper.query<{ snapshot: string }>('select pg_export_snapshot() as snapshot');
    const snapshot = rows[0]?.snapshot ?? '';
    const [definitions, tables] = [await readDefinitions(keeper), await readTables(keeper)];
    const written = await writeCompressed(folder, 'database/definitions.json.zst', bytesOf(JSON.stringify(definitions)));
    const entries: TableEntry[] = [];
    for (const [index, table] of tables.entries()) {
      const path = `database/${String(index).padStart(4, '0')}.copy.zst`;
      entries.push(await copyTable(copier, snapshot, table, [folder, path]));
      note(index + 1, tables.length, `${table.schema}.${table.name}`);
    }
    return { version: await serverVersion(keeper), definitions: written, tables: entries, checkpoints: await readCheckpoints(keeper) };
  } finally {
    await keeper.query('rollback').catch(() => undefined);
  }
};

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

const isReplaced = (error: unknown): boolean => [UNDEFINED_TABLE, UNDEFINED_SCHEMA].includes((error as { code?: string }).code ?? '');

/**
 * Writes all tables as they are at one moment, by `copy`, and what it takes to make them anew. Needs no programs of Postgres, and no more rights than the services
 * have. Services go on reading and writing meanwhile.
 * @throws OperatorError when the database holds something that would be left out
 */
export const dumpDatabase = async (url: string, folder: string, note: TableNote): Promise<DatabaseEntry> => {
  const [keeper, copier] = [await connected(url), await connected(url)];
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await dumpOnce(keeper, copier, folder, note);
      } catch (error) {
        if (error instanceof NotCovered)
          throw new OperatorError(error.message, 'back up with "--without-database"; a restore then fills the tables from the log', {
            cause: error,
          });
        if (!isReplaced(error) || attempt === TRIES) throw error;
      }
    }
  } finally {
    await Promise.all([keeper.end(), copier.end()]);
  }
};
