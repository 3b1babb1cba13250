import { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import { READER_ROLE } from '@continuo/chassis';
import { readCompressed } from '../format/files.js';
import type { DatabaseEntry } from '../format/manifest.js';
import { definitionsSchema, OUR_SCHEMAS, type Definitions } from './definitions.js';
import { copyStatement, type TableNote } from './dump-database.js';

const APP = 'continuo-cli-restore';
/** Schema that is there while a restore is under way; services refuse to start over it, see `refuseUnfinishedRestore`. */
export const RESTORE_SCHEMA = 'continuo_restore';

/** A mark of a stream's former incarnation and the one of its new incarnation. */
export type Epochs = readonly { readonly before: string; readonly after: string }[];

/** A table that took other rows than the backup tells of. */
export class RowsMissing extends Error {}

/** One connection to the target. */
export const openTarget = async (url: string): Promise<Client> => {
  const client = new Client({ connectionString: url, application_name: APP });
  client.on('error', () => undefined);
  await client.connect();
  return client;
};

const all = async (client: Client, statements: readonly string[]): Promise<void> => {
  for (const statement of statements) await client.query(statement);
};

/** Our schemas in the target, without that of an unfinished restore. */
export const schemasIn = async (client: Client): Promise<string[]> => {
  const { rows } = await client.query<{ nspname: string }>(`select nspname from (${OUR_SCHEMAS}) as ours order by 1`);
  return rows.map(({ nspname }) => nspname).filter((name) => name !== RESTORE_SCHEMA);
};

/** Removes all tables of the target. */
export const dropSchemas = async (client: Client): Promise<void> => {
  for (const name of await schemasIn(client)) await client.query(`drop schema ${client.escapeIdentifier(name)} cascade`);
};

/** Which backup an unfinished restore was of; undefined when there is none. */
export const unfinishedRestore = async (client: Client): Promise<string | undefined> => {
  const { rows } = await client.query(`select from pg_namespace where nspname = $1`, [RESTORE_SCHEMA]);
  if (rows.length === 0) return undefined;
  const found = await client.query<{ backup: string }>(`select backup from ${RESTORE_SCHEMA}.state`);
  return found.rows[0]?.backup ?? '';
};

/** Notes that a restore begins: until {@link endRestore} no service starts over this database. */
export const beginRestore = async (client: Client, backup: string): Promise<void> => {
  await client.query('begin');
  await client.query(`drop schema if exists ${RESTORE_SCHEMA} cascade`);
  await client.query(`create schema ${RESTORE_SCHEMA}`);
  await client.query(`create table ${RESTORE_SCHEMA}.state as select ${client.escapeLiteral(backup)}::text as backup, now() as since`);
  await client.query('commit');
};

/** The restore is whole. */
export const endRestore = async (client: Client): Promise<void> => {
  await client.query(`drop schema ${RESTORE_SCHEMA} cascade`);
};

const readDefinitionsFile = async (folder: string, { definitions }: DatabaseEntry): Promise<Definitions> =>
  definitionsSchema.parse(JSON.parse(await text(readCompressed(folder, definitions))));

const rolesHere = async (client: Client): Promise<Set<string>> => {
  const { rows } = await client.query<{ rolname: string }>('select rolname from pg_roles');
  return new Set(['public', ...rows.map(({ rolname }) => rolname)]);
};

/** Gives readers what they had; roles that this server does not know are left out, but for the readers' own, which services make, too. */
const grant = async (client: Client, { grants }: Definitions): Promise<void> => {
  const known = await rolesHere(client);
  if (!known.has(READER_ROLE) && grants.some(({ role }) => role === READER_ROLE)) {
    await client.query(`create role ${READER_ROLE} nologin`);
    known.add(READER_ROLE);
  }
  await all(
    client,
    grants.filter(({ role }) => known.has(role)).map(({ statement }) => statement),
  );
};

const makeExtensions = async (client: Client, { extensions }: Definitions): Promise<void> => {
  const { rows } = await client.query<{ name: string }>('select extname as name from pg_extension');
  const there = new Set(rows.map(({ name }) => name));
  for (const { name, schema } of extensions)
    if (!there.has(name)) await client.query(`create extension ${client.escapeIdentifier(name)} schema ${client.escapeIdentifier(schema)}`);
};

/** Checkpoints and snapshots belong to the incarnation that the logs have from now on. */
const renameEpochs = async (client: Client, epochs: Epochs): Promise<void> => {
  const { rows } = await client.query<{ schema: string; name: string }>(`
    select n.nspname as schema, c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid join (${OUR_SCHEMAS}) as n on n.oid = c.relnamespace
    where c.relkind = 'r' and a.attname = 'epoch' and a.atttypid = 'text'::regtype and not a.attisdropped`);
  for (const { schema, name } of rows) {
    const table = `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(name)}`;
    const renamed = epochs.reduce(
      (column, { before, after }) => `replace(${column}, ${client.escapeLiteral(before)}, ${client.escapeLiteral(after)})`,
      'epoch',
    );
    if (epochs.length > 0) await client.query(`update ${table} set epoch = ${renamed} where epoch is not null`);
  }
};

/** Tables were read before the log, so that names may have been given since which only the log knows: whoever gives them looks them all up at the next start. */
const askForLookUp = async (client: Client): Promise<void> => {
  await client.query('create schema if not exists chassis');
  await client.query('create table if not exists chassis.after_restore (task text primary key)');
  await client.query(`insert into chassis.after_restore values ('identities') on conflict do nothing`);
};

/**
 * Makes tables, rows and everything around them as they were, in one transaction: nothing of it is there when it fails. The target must have none of our schemas.
 * @throws Error of Postgres
 */
export const loadDatabase = async (
  client: Client,
  {
    folder,
    database,
    epochs,
    note,
  }: { readonly folder: string; readonly database: DatabaseEntry; readonly epochs: Epochs; readonly note: TableNote },
): Promise<void> => {
  const definitions = await readDefinitionsFile(folder, database);
  await client.query('begin');
  try {
    await client.query('set local search_path to pg_catalog');
    await client.query('set local check_function_bodies to off');
    await makeExtensions(client, definitions);
    await all(client, [...definitions.before, ...definitions.tables]);
    for (const [index, table] of database.tables.entries()) {
      const copy = client.query(copyFrom(copyStatement(client, table, 'from stdin')));
      await pipeline(readCompressed(folder, table.file), copy);
      if (copy.rowCount !== table.rows)
        throw new RowsMissing(`${table.schema}.${table.name} took ${copy.rowCount} rows instead of ${table.rows}`);
      note(index + 1, database.tables.length, `${table.schema}.${table.name}`);
    }
    await all(client, definitions.after);
    await grant(client, definitions);
    await renameEpochs(client, epochs);
    await askForLookUp(client);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
  // Without statistics the first lists would read whole tables.
  await client.query('analyze');
};
