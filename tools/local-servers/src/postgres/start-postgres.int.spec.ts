import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LocalServerError } from '../error.js';
import { hasEnded, isAlive } from '../child/process-table.js';
import { startPostgres } from './start-postgres.js';

const isRoot = process.getuid?.() === 0;
let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'continuo-pg-spec-'));
  await chmod(home, 0o755);
});
afterEach(() => rm(home, { recursive: true, force: true }));

async function query<T>(url: string, sql: string): Promise<T[]> {
  const client = new Client({ connectionString: url });
  // A test may kill the server under an open connection; the query itself still rejects.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query(sql);
    return rows as T[];
  } finally {
    await client.end();
  }
}

describe('startPostgres', () => {
  it('makes a cluster and its databases, and finds them again', async () => {
    const dataDir = join(home, 'pg');
    const first = await startPostgres({ dataDir, databases: ['continuo', 'other'] });
    await query(first.url, 'create table kept (n int); insert into kept values (7)');
    expect(await query(first.urlOf('other'), 'select 1 as one')).toEqual([{ one: 1 }]);
    await first.stop();
    await first.stop();
    expect(await isAlive(first.pid)).toBe(false);

    const second = await startPostgres({ dataDir });
    expect(await query(second.url, 'select n from kept')).toEqual([{ n: 7 }]);
    await second.stop();
  });

  it('gets a new password when the file with it is lost or another one, and keeps its data', async () => {
    const dataDir = join(home, 'pg');
    const first = await startPostgres({ dataDir });
    await query(first.url, 'create table kept (n int); insert into kept values (7)');
    await first.kill();
    const changes = [() => rm(`${dataDir}.password`), () => writeFile(`${dataDir}.password`, `${'0'.repeat(32)}\n`)];
    for (const change of changes) {
      await change();
      const next = await startPostgres({ dataDir });
      expect(next.url).not.toContain(new URL(first.url).password);
      expect(await query(next.url, 'select n from kept')).toEqual([{ n: 7 }]);
      await next.stop();
    }
  });

  it('is durable, local and locked with a password by default', async () => {
    const dataDir = join(home, 'pg');
    const server = await startPostgres({ dataDir });
    const names = ['fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses', 'data_checksums', 'server_encoding'];
    const rows = await query<{ setting: string }>(
      server.url,
      `select setting from pg_settings where name = any('{${names.join(',')}}') order by name collate "C"`,
    );
    expect(rows.map((row) => row.setting)).toEqual(['on', 'on', 'on', '127.0.0.1', 'UTF8', 'on']);
    expect((await stat(`${dataDir}.password`)).mode & 0o777).toBe(0o600);
    const wrong = server.url.replace(/:[0-9a-f]{32}@/, ':wrong@');
    await expect(query(wrong, 'select 1')).rejects.toThrow(/password authentication failed/);
    await server.stop();
  });

  it('keeps committed data through kill -9', async () => {
    const dataDir = join(home, 'pg');
    const first = await startPostgres({ dataDir });
    await query(first.url, 'create table kept (n int); insert into kept select generate_series(1, 1000)');
    await first.kill();
    const second = await startPostgres({ dataDir, port: first.port });
    expect(await query(second.url, 'select count(*)::int as n from kept')).toEqual([{ n: 1000 }]);
    await second.stop();
  });

  it('refuses a folder that is in use or holds something else', async () => {
    const dataDir = join(home, 'pg');
    const server = await startPostgres({ dataDir });
    await expect(startPostgres({ dataDir })).rejects.toThrow(LocalServerError);
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();
    await mkdir(join(home, 'music'));
    await writeFile(join(home, 'music', 'song.mp3'), 'x');
    await expect(startPostgres({ dataDir: join(home, 'music') })).rejects.toThrow(/holds files but no database/);
  });

  it('does not mistake a stranger with the noted process id for the server', async () => {
    const dataDir = join(home, 'pg');
    const first = await startPostgres({ dataDir });
    await first.kill();
    await writeFile(join(dataDir, 'postmaster.pid'), `${process.pid}\n${dataDir}\n`);
    const second = await startPostgres({ dataDir });
    expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await second.stop();
  });

  it.runIf(isRoot)('runs as an unprivileged user when started as root, also below a closed folder', async () => {
    await chmod(home, 0o700);
    const dataDir = join(home, 'pg');
    const server = await startPostgres({ dataDir });
    expect((await stat(`/proc/${server.pid}`)).uid).not.toBe(0);
    await query(server.url, 'create table kept (n int); insert into kept values (7)');
    await server.kill();
    const again = await startPostgres({ dataDir });
    expect(await query(again.url, 'select n from kept')).toEqual([{ n: 7 }]);
    await again.stop();
    expect(await hasEnded(again.pid, 0)).toBe(true);
  });
});
