import { Client, DatabaseError } from 'pg';
import { OperatorError } from '../../connect/operator-error.js';
import type { DatabaseEntry } from '../format/manifest.js';
import type { TableNote } from '../postgres/dump-database.js';
import { loadDatabase, openTarget, RowsMissing } from '../postgres/load-database.js';

/** A statement is not allowed; a database is in use. */
const [NOT_ALLOWED, IN_USE] = ['42501', '55006'];
/** Classes of errors that say nothing about a backup: connections, room, operators, the machine. */
const OF_SERVER = /^(?:08|53|57|58)/;

const makeScratch = async (client: Client): Promise<string> => {
  const { rows } = await client.query<{ name: string }>(`select left(current_database(), 40) || '_restore_test' as name`);
  const name = rows[0]?.name ?? '';
  try {
    // That of a test whose process was killed may still be there.
    await client.query(`drop database if exists ${client.escapeIdentifier(name)}`);
    await client.query(`create database ${client.escapeIdentifier(name)}`);
  } catch (error) {
    const { code, message } = error as DatabaseError;
    if (code === IN_USE) throw new OperatorError('another restore test is running', undefined, { kind: 'conflict', cause: error });
    if (code !== NOT_ALLOWED) throw error;
    const remedy = 'give the role of DATABASE_URL the right to make databases (CREATEDB)';
    throw new OperatorError(`the tables cannot be restored for a test: ${message}; ${remedy}`, undefined, {
      kind: 'conflict',
      cause: error,
    });
  }
  return name;
};

const isOfBackup = (error: unknown): error is Error =>
  error instanceof RowsMissing || (error instanceof DatabaseError && error.code !== NOT_ALLOWED && !OF_SERVER.test(error.code ?? ''));

const load = async (url: string, folder: string, database: DatabaseEntry, note: TableNote): Promise<string[]> => {
  const client = await openTarget(url);
  try {
    await loadDatabase(client, { folder, database, epochs: [], note });
    return [];
  } catch (error) {
    if (!isOfBackup(error)) throw error;
    return [`the tables cannot be restored: ${error.message}`];
  } finally {
    await client.end();
  }
};

/**
 * Restores the tables of a backup into a database of its own beside that of `databaseUrl`, and deletes that. Answers why they cannot be restored, a sentence each.
 * @throws OperatorError `conflict` while another test runs, or without the right to make databases
 */
export const tryTables = async (databaseUrl: string, folder: string, database: DatabaseEntry, note: TableNote): Promise<string[]> => {
  const client = await openTarget(databaseUrl);
  try {
    const name = await makeScratch(client);
    try {
      const url = new URL(databaseUrl);
      url.pathname = `/${encodeURIComponent(name)}`;
      return await load(url.href, folder, database, note);
    } finally {
      await client.query(`drop database ${client.escapeIdentifier(name)} with (force)`);
    }
  } finally {
    await client.end();
  }
};
