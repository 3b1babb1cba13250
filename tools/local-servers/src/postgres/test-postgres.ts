import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { config } from '../config.js';
import { LocalServerError } from '../error.js';
import { hasCode, secretIn } from '../files.js';
import { memoryFolder } from '../memory-folder.js';
import { serverAccount } from './account.js';
import { postgresBinaries } from './binaries.js';
import { identifier, runStatements } from './databases.js';
import { initialise } from './initialise.js';
import { startPostgres, type PostgresOptions, type PostgresServer } from './start-postgres.js';

const run = promisify(execFile);

/** A database of its own for one test file. */
export interface TestDatabase {
  readonly name: string;
  readonly url: string;
  /** Drops it, cutting off connections that are still open. */
  readonly drop: () => Promise<void>;
}

/** A place for throw-away databases; not durable. */
export interface TestPostgres {
  /** URL of an empty database, there from the start. */
  readonly url: string;
  /** A fresh database; `template` names one to copy (nobody may be connected to it), for example one with migrations applied. */
  readonly createDatabase: (options?: { readonly template?: string }) => Promise<TestDatabase>;
  /** Deletes all databases made here, and the server when it is our own. */
  readonly stop: () => Promise<void>;
}

/** Fills an empty database, and closes its connections. */
export type FillDatabase = (url: string) => Promise<void>;

/** A whole throw-away server, for tests that break it. */
export interface OwnTestPostgres extends TestPostgres {
  readonly port: number;
  readonly pid: number;
  /** Where its data lie. */
  readonly dataDir: string;
  /** Ends the server with SIGKILL and starts it again on the same port and data. */
  readonly crashAndRestart: () => Promise<void>;
}

/**
 * Databases for the tests of one file, on the server shared by the vitest run where there is one, else on an own server.
 * The one in `url` is filled by `fill`: once per process, later ones are copies of what that made.
 * @throws LocalServerError when a server does not start
 */
export async function testPostgres({ fill }: { readonly fill?: FillDatabase } = {}): Promise<TestPostgres> {
  const shared = config.testPostgresUrl;
  if (shared === undefined) {
    const own = await ownTestPostgres();
    await fill?.(own.url);
    return own;
  }
  const made: TestDatabase[] = [];
  const create = async (template?: string): Promise<TestDatabase> => {
    const database = await createDatabase(shared, template);
    made.push(database);
    return database;
  };
  const { url } = await create(fill && (await filledTemplate(shared, fill)));
  return {
    url,
    createDatabase: (wanted) => create(wanted?.template),
    stop: async () => {
      for (const database of made.splice(0)) await database.drop();
    },
  };
}

/** Names of the databases that were filled in this process; they go with the server. */
const templates = new Map<FillDatabase, Promise<string>>();

function filledTemplate(server: string, fill: FillDatabase): Promise<string> {
  const known = templates.get(fill);
  if (known) return known;
  const made = makeTemplate(server, fill);
  templates.set(fill, made);
  return made;
}

async function makeTemplate(server: string, fill: FillDatabase): Promise<string> {
  const { name, url } = await createDatabase(server);
  await fill(url);
  // Only a database that nobody is connected to can be copied, and a pooler keeps connections that were closed.
  await runStatements(server, [
    `alter database ${identifier(name)} allow_connections false`,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  ]);
  return name;
}

/**
 * Starts a Postgres of its own from a copy of a ready-made data folder (30 MB, a fraction of a second), in memory where there is room.
 * It ends and its data vanish with `stop`, or with this process, even by kill -9.
 * @throws LocalServerError when the server does not start
 */
export async function ownTestPostgres(options: Pick<PostgresOptions, 'log'> = {}): Promise<OwnTestPostgres> {
  const home = await memoryFolder('continuo-test-postgres-');
  const dataDir = join(home, 'data');
  const start = (port?: number): Promise<PostgresServer> =>
    startPostgres({ ...options, dataDir, durable: false, databases: ['postgres'], removeAfterCrash: home, ...(port ? { port } : {}) });
  let server = await initialiseForTest(dataDir)
    .then(() => openToServer(home, dataDir))
    .then(() => start())
    .catch(async (error: unknown) => {
      await rm(home, { recursive: true, force: true });
      throw error;
    });
  const { url, port } = server;
  return {
    url,
    port,
    dataDir,
    get pid() {
      return server.pid;
    },
    createDatabase: (wanted) => createDatabase(url, wanted?.template),
    crashAndRestart: async () => {
      await server.kill();
      server = await start(port);
    },
    stop: async () => {
      await server.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function createDatabase(server: string, template = 'template1'): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  // Copying files is the quicker way here: without fsync, and with a checkpoint that has little to write.
  await runStatements(server, [`create database ${identifier(name)} template ${identifier(template)} strategy file_copy`]);
  return { name, url: url.href, drop: () => runStatements(server, [`drop database if exists ${identifier(name)} with (force)`]) };
}

/** Makes an empty database cluster and its password file by copying ready-made ones: initdb takes seconds of processor time. */
export async function initialiseForTest(dataDir: string): Promise<void> {
  const template = await templateFolder();
  await mkdir(dirname(dataDir), { recursive: true });
  // The program keeps owners and is quicker with a thousand files than Node's own copy.
  await run('cp', ['-a', join(template, 'data'), dataDir]);
  await run('cp', ['-a', join(template, 'data.password'), `${dataDir}.password`]);
}

/** mkdtemp makes folders that only root can enter; the server's account must walk through. */
async function openToServer(home: string, dataDir: string): Promise<void> {
  const account = await serverAccount(dataDir);
  if (account) await chown(home, account.uid, account.gid);
}

/** The ready-made data folder, made once per user and version. Only a folder that is our own is trusted. */
async function templateFolder(): Promise<string> {
  const account = await serverAccount('');
  const binaries = await postgresBinaries(account);
  const me = process.getuid?.() ?? 0;
  const folder = join(tmpdir(), `continuo-postgres-template-${me}`, binaries.version);
  if (await isOurs(folder, me)) return folder;
  await mkdir(join(folder, '..'), { recursive: true, mode: 0o700 });
  if (!(await isOurs(join(folder, '..'), me))) throw new LocalServerError(`${join(folder, '..')} belongs to another user; delete it`);
  const draft = await mkdtemp(`${folder}.`);
  const dataDir = join(draft, 'data');
  const password = await secretIn(`${dataDir}.password`);
  await initialise({ binaries, dataDir, account, password, durable: false });
  await rename(draft, folder).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true });
    // Another test process was quicker; its folder is as good.
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
  });
  return folder;
}

async function isOurs(folder: string, uid: number): Promise<boolean> {
  try {
    const { uid: owner, mode } = await stat(folder);
    return owner === uid && (mode & 0o022) === 0;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}
