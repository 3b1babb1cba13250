import { execFile } from 'node:child_process';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { serverAccount } from './account.js';
import { startPostgres, type PostgresServer } from './start-postgres.js';
import type { OwnTestPostgres } from './test-postgres.js';

const run = promisify(execFile);

/** A replica that streams from another server. */
export interface TestStandby {
  /** The same database on the replica; it can only be read there. */
  readonly urlOf: (primaryUrl: string) => string;
  /** Where its data lie; another server may be started on them while this one is away. */
  readonly dataDir: string;
  /** Ends it for now. */
  readonly away: () => Promise<void>;
  /** Starts it again on the same port and data. */
  readonly back: () => Promise<void>;
  /** Ends it and deletes its data. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts a replica of a server from a copy of its data folder, as base backups are made by hand
 * (https://www.postgresql.org/docs/18/continuous-archiving.html, "Making a Base Backup Using the Low Level API").
 * @param applyDelayMs how much later than the primary it shows what is committed, at the least
 * @throws LocalServerError when it does not start
 */
export async function testStandby(primary: Pick<OwnTestPostgres, 'url' | 'dataDir'>, applyDelayMs = 0): Promise<TestStandby> {
  const home = await mkdtemp(join(tmpdir(), 'continuo-test-standby-'));
  try {
    const dataDir = join(home, 'data');
    const account = await serverAccount(primary.dataDir);
    await copyOf(primary, dataDir);
    const settings = [
      `primary_conninfo = '${conninfo(primary.url)}'`,
      'hot_standby_feedback = on',
      `recovery_min_apply_delay = ${applyDelayMs}`,
    ];
    for (const [name, text] of [
      ['standby.signal', ''],
      ['postgresql.auto.conf', `${settings.join('\n')}\n`],
    ] as const) {
      await writeFile(join(dataDir, name), text, { mode: 0o600 });
      if (account) await chown(join(dataDir, name), account.uid, account.gid);
    }
    if (account) await chown(home, account.uid, account.gid);
    const start = (port?: number): Promise<PostgresServer> =>
      startPostgres({ dataDir, durable: false, databases: [], removeAfterCrash: home, ...(port ? { port } : {}) });
    let server = await start();
    return {
      dataDir,
      urlOf: (primaryUrl) => Object.assign(new URL(primaryUrl), { port: String(server.port) }).href,
      away: () => server.stop(),
      back: async () => {
        server = await start(server.port);
      },
      stop: async () => {
        await server.stop();
        await rm(home, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(home, { recursive: true, force: true });
    throw error;
  }
}

/** Copies a server's folder while it runs; the copy starts from there. */
async function copyOf(primary: Pick<OwnTestPostgres, 'url' | 'dataDir'>, dataDir: string): Promise<void> {
  const session = new Client({ connectionString: primary.url });
  await session.connect();
  try {
    await session.query(`select pg_backup_start('standby', true)`);
    await run('cp', ['-a', primary.dataDir, dataDir]);
    await run('cp', ['-a', `${primary.dataDir}.password`, `${dataDir}.password`]);
    await rm(join(dataDir, 'postmaster.pid'), { force: true });
    const { rows } = await session.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    await writeFile(join(dataDir, 'backup_label'), rows[0]?.labelfile ?? '', { mode: 0o600 });
    const account = await serverAccount(primary.dataDir);
    if (account) await chown(join(dataDir, 'backup_label'), account.uid, account.gid);
  } finally {
    await session.end();
  }
}

const conninfo = (url: string): string => {
  const { hostname, port, username, password } = new URL(url);
  return `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`;
};
