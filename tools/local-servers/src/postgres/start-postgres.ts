import { stat } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { claim } from '../child/owner.js';
import { startServerProcess, type Ended, type ServerProcess } from '../child/server-process.js';
import { LocalServerError } from '../error.js';
import { folderBytes, hasCode, secretIn } from '../files.js';
import { freePort } from '../free-port.js';
import { serverAccount, type Account } from './account.js';
import { abilitiesOf, postgresBinaries, type PostgresBinaries } from './binaries.js';
import { magicCwd } from './data-path.js';
import { ensureDatabases } from './databases.js';
import { handOver, initialise, isInitialised, roleName } from './initialise.js';
import { clearLeftOvers, readPostmasterFile } from './postmaster-file.js';
import { openUnixSocket } from './unix-socket-access.js';
import { pagesMemoryMb, settingArguments } from './settings.js';

export interface PostgresOptions {
  /** Folder of the data, made when missing. `<dataDir>.password` and `<dataDir>.owner` lie beside it. */
  readonly dataDir: string;
  /** TCP port on 127.0.0.1; a free one when left out. */
  readonly port?: number;
  /** Databases to make when missing; the first is the one in `url`. Default: `continuo`. */
  readonly databases?: readonly string[];
  /** Listens on a Unix socket in `dataDir` too, where the system has them and the path is not too long, and answers URLs of it. */
  readonly unixSocket?: boolean;
  /** Gets each line that the server writes (warnings and errors). */
  readonly log?: (line: string) => void;
  /** Default true. false is for tests: fast, and a power cut may cost the data. */
  readonly durable?: boolean;
  /** Folder to delete when this process dies without stopping the server; tests only. */
  readonly removeAfterCrash?: string;
}

export interface PostgresServer {
  /** Connection URL with name and password, for the first database. */
  readonly url: string;
  readonly port: number;
  /** Process id of the server. */
  readonly pid: number;
  /** The same URL for another database. */
  readonly urlOf: (database: string) => string;
  /** Resolves when the server has ended, wanted or not. */
  readonly ended: Promise<Ended>;
  /** Fast shutdown: open transactions are rolled back, all is written. Safe to call twice. */
  readonly stop: () => Promise<void>;
  /** SIGKILL, as a power cut would; for tests. */
  readonly kill: () => Promise<void>;
}

/** Longest path of a socket that Linux and macOS take, bytes, less the name that Postgres gives its own. */
const longestSocketFolderBytes = 103 - '/.s.PGSQL.65535'.length;
const readyTimeoutMs = 60_000;
const attempts = 20;
/** `invalid_password` of Postgres (appendix A of its handbook). */
const WRONG_PASSWORD = '28P01';

/**
 * Starts a Postgres server on 127.0.0.1, from the embedded binaries unless `POSTGRES_HOME` names others, and waits until it answers.
 * Makes the cluster on first use. As root the server runs under an unprivileged account that then owns the folder.
 * A server left behind by a crash of an earlier run is ended first.
 * @throws LocalServerError when the folder is in use or foreign, the platform has no binaries, or the server does not start
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const dataDir = resolve(options.dataDir);
  const ownership = await claim(dataDir);
  try {
    const password = await secretIn(`${dataDir}.password`);
    const databases = options.databases ?? ['continuo'];
    const { child, urlOf, port } = await launchWithDatabases({ dataDir, password, databases }, options);
    const stopWith = async (end: () => Promise<void>): Promise<void> => {
      await end();
      await ownership.release();
    };
    const { pid, ended } = child;
    return {
      url: urlOf(databases[0] ?? 'postgres'),
      port,
      pid,
      urlOf,
      ended,
      stop: () => stopWith(child.stop),
      kill: () => stopWith(child.kill),
    };
  } catch (error) {
    await ownership.release();
    throw error;
  }
}

interface Wanted {
  readonly dataDir: string;
  readonly password: string;
  readonly databases: readonly string[];
}

/** Starts the server and makes its databases. A password file that was lost or replaced is no reason to stay away: whoever may read the folder may set a new password. */
async function launchWithDatabases(
  { dataDir, password, databases }: Wanted,
  options: PostgresOptions,
): Promise<{ child: ServerProcess; port: number; urlOf: PostgresServer['urlOf'] }> {
  for (let attempt = 1; ; attempt += 1) {
    const { child, port, socketFolder } = await launch(dataDir, password, options);
    const door = socketFolder === undefined ? '' : `?host=${encodeURIComponent(socketFolder)}`;
    const urlOf = (database: string): string => `postgresql://${roleName}:${password}@127.0.0.1:${port}/${database}${door}`;
    try {
      await ensureDatabases(urlOf('postgres'), databases);
      return { child, port, urlOf };
    } catch (error) {
      await child.stop();
      if (attempt > 1 || !hasCode(error, WRONG_PASSWORD)) throw error;
    }
    await replacePassword(dataDir, password, options);
  }
}

async function replacePassword(dataDir: string, password: string, options: PostgresOptions): Promise<void> {
  const door = await openUnixSocket(await serverAccount(dataDir));
  try {
    const { child, port } = await launch(dataDir, password, options, door.arguments);
    try {
      await door.setPassword(port, password);
    } finally {
      await child.stop();
    }
  } finally {
    await door.close();
  }
}

async function launch(
  dataDir: string,
  password: string,
  options: PostgresOptions,
  extraArguments: readonly string[] = [],
): Promise<{ child: ServerProcess; port: number; socketFolder: string | undefined }> {
  const account = await serverAccount(dataDir);
  const binaries = await postgresBinaries(account);
  await prepare({ dataDir, password, account, binaries, durable: options.durable ?? true });
  const socketFolder = options.unixSocket && mayHoldSocket(dataDir) ? dataDir : undefined;
  for (let attempt = 1; ; attempt += 1) {
    const port = options.port ?? (await freePort());
    const child = await spawnPostgres({ dataDir, account, binaries, port, socketFolder, options, extraArguments });
    const trouble = await untilReady(child, dataDir);
    if (trouble === undefined) return { child, port, socketFolder };
    // A port taken in the meantime, or the last processes of a killed server still letting go of their memory.
    const passes =
      (options.port === undefined && trouble.includes('Address already in use')) || trouble.includes('pre-existing shared memory');
    if (!passes || attempt === attempts) throw new LocalServerError(`Postgres does not start in ${dataDir}: ${trouble}`);
    await sleep(250);
  }
}

const mayHoldSocket = (folder: string): boolean => process.platform !== 'win32' && Buffer.byteLength(folder) <= longestSocketFolderBytes;

interface Prepared {
  readonly dataDir: string;
  readonly password: string;
  readonly account: Account | undefined;
  readonly binaries: PostgresBinaries;
  readonly durable: boolean;
}

async function prepare(it: Prepared): Promise<void> {
  if (!(await isInitialised(it.dataDir))) return initialise(it);
  await clearLeftOvers(it.dataDir);
  // A folder restored from a backup by root belongs to root.
  if (it.account && (await stat(it.dataDir)).uid !== it.account.uid) await handOver(it.dataDir, it.account);
}

interface Spawning {
  readonly dataDir: string;
  readonly account: Account | undefined;
  readonly binaries: PostgresBinaries;
  readonly port: number;
  readonly socketFolder: string | undefined;
  readonly options: PostgresOptions;
  readonly extraArguments: readonly string[];
}

async function spawnPostgres({
  dataDir,
  account,
  binaries,
  port,
  socketFolder,
  options,
  extraArguments,
}: Spawning): Promise<ServerProcess> {
  const data = await magicCwd(dataDir, account);
  return startServerProcess({
    name: 'Postgres',
    bin: binaries.postgres,
    args: [
      '-D',
      data,
      ...settingArguments({
        hasIoMethod: abilitiesOf(binaries).hasIoMethod,
        port,
        durable: options.durable ?? true,
        hasSocket: socketFolder !== undefined,
        sharedBuffersMb: pagesMemoryMb(await folderBytes(join(dataDir, 'base')), totalmem()),
      }),
      ...extraArguments,
    ],
    cwd: dataDir,
    account,
    stopSignal: 'INT',
    removeAfterCrash: options.removeAfterCrash,
    log: options.log,
  });
}

/** Waits for the state "ready"; answers what the server said when it ended instead. */
async function untilReady(child: ServerProcess, dataDir: string): Promise<string | undefined> {
  let over: Ended | undefined;
  void child.ended.then((how) => (over = how));
  for (const until = Date.now() + readyTimeoutMs; Date.now() < until; await sleep(10)) {
    if (over) return child.lastLines() || `it ended with code ${over.code ?? over.signal}`;
    const noted = await readPostmasterFile(dataDir);
    if (noted?.pid === child.pid && noted.ready) return undefined;
  }
  await child.kill();
  return `it was not ready within ${readyTimeoutMs} ms. ${child.lastLines()}`;
}
