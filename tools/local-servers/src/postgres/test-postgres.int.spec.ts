import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { ownTestPostgres, testPostgres } from './test-postgres.js';

async function names(url: string): Promise<string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ datname: string }>('select datname from pg_database');
    return rows.map((row) => row.datname);
  } finally {
    await client.end();
  }
}

describe('testPostgres', () => {
  it('gives fresh databases, copies of a template, and removes them', async () => {
    const server = await testPostgres();
    const model = await server.createDatabase();
    const client = new Client({ connectionString: model.url });
    await client.connect();
    await client.query('create table shaped (n int)');
    await client.end();
    const copy = await server.createDatabase({ template: model.name });
    const copyClient = new Client({ connectionString: copy.url });
    await copyClient.connect();
    expect((await copyClient.query('select n from shaped')).rows).toEqual([]);
    // Still open: dropping cuts it off.
    copyClient.on('error', () => undefined);
    await copy.drop();
    expect(await names(server.url)).not.toContain(copy.name);
    await server.stop();
  });
});

describe('ownTestPostgres', () => {
  it('comes back after a crash on the same port', async () => {
    const server = await ownTestPostgres();
    const { name } = await server.createDatabase();
    const before = server.pid;
    await server.crashAndRestart();
    expect(server.pid).not.toBe(before);
    expect(await names(server.url)).toContain(name);
    await server.stop();
  });
});
