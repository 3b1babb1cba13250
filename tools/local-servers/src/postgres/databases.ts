import { Client } from 'pg';
import { LocalServerError } from '../error.js';

/** Runs statements on one short connection. Statements come from this package, never from outside. */
export async function runStatements(url: string, statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Makes the databases that are missing. @throws LocalServerError for a name that is not a plain lower-case word */
export async function ensureDatabases(url: string, names: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ datname: string }>('select datname from pg_database');
    const present = new Set(rows.map((row) => row.datname));
    for (const name of names) if (!present.has(name)) await client.query(`create database ${identifier(name)}`);
  } finally {
    await client.end();
  }
}

/** Quotes a database name. @throws LocalServerError for a name that is not a plain lower-case word of at most 63 characters */
export function identifier(name: string): string {
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(name)) throw new LocalServerError(`"${name}" is not a usable database name`);
  return `"${name}"`;
}
