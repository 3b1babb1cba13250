import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { startServerProcess } from '../child/server-process.js';
import { config } from '../config.js';
import { LocalServerError } from '../error.js';
import { freePort } from '../free-port.js';
import { locateProgram } from '../locate-program.js';
import { serverAccount } from './account.js';

/** A PgBouncer of a test. */
export interface TestPgbouncer {
  /** The given URL, by way of the pooler. */
  readonly url: string;
  /** Ends the pooler at once; `restart` brings it back. */
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const READY_MS = 20_000;
const PAUSE_MS = 50;

/** The path of a PgBouncer: `PGBOUNCER_BIN`, else the first in PATH; undefined when there is none. */
export const locatePgbouncer = (): string | undefined => locateProgram('pgbouncer', config.pgbouncerBin);

/** It knows the logins that Postgres knows; all the rest is its own default. */
const configText = (server: URL, port: number, mode: string, users: string): string =>
  [
    '[databases]',
    `* = host=${server.hostname} port=${server.port} auth_user=${server.username}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${users}`,
    'auth_query = select usename, passwd from pg_shadow where usename = $1',
    `pool_mode = ${mode}`,
    'default_pool_size = 90',
    'max_client_conn = 500',
    '',
  ].join('\n');

const answers = async (url: string): Promise<boolean> => {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: READY_MS });
  // An end while it connects is told by `connect` too.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch {
    return false;
  }
  await client.end();
  return true;
};

/**
 * Starts a PgBouncer in front of a Postgres.
 * @throws LocalServerError when there is no program ({@link locatePgbouncer}) or it does not start
 */
export const testPgbouncer = async (postgresUrl: string, mode: 'session' | 'transaction'): Promise<TestPgbouncer> => {
  const bin = locatePgbouncer();
  if (bin === undefined)
    throw new LocalServerError('no pgbouncer found; install it (Debian: "apt-get install pgbouncer") or set PGBOUNCER_BIN');
  const [server, port, account] = [new URL(postgresUrl), await freePort(), await serverAccount('')];
  const folder = await mkdtemp(join(tmpdir(), 'continuo-pgbouncer-'));
  const [file, users] = [join(folder, 'pgbouncer.ini'), join(folder, 'users.txt')];
  await writeFile(users, `"${server.username}" "${server.password}"\n`);
  await writeFile(file, configText(server, port, mode, users));
  if (account) for (const path of [folder, file, users]) await chown(path, account.uid, account.gid);
  const url = new URL(postgresUrl);
  url.port = String(port);
  const start = async () => {
    const command = {
      name: 'pgbouncer',
      bin,
      args: ['-q', file],
      cwd: folder,
      account,
      stopSignal: 'TERM',
      removeAfterCrash: folder,
    } as const;
    const child = await startServerProcess(command);
    const untilMs = performance.now() + READY_MS;
    while (!(await answers(url.href))) {
      if (performance.now() > untilMs) {
        await child.kill();
        throw new LocalServerError(`pgbouncer does not answer: ${child.lastLines()}`);
      }
      await delay(PAUSE_MS);
    }
    return child;
  };
  let child = await start();
  return {
    url: url.href,
    restart: async () => {
      await child.kill();
      child = await start();
    },
    stop: async () => {
      // It would wait for clients that stay.
      await child.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
