import { execFile } from 'node:child_process';
import { chmod, chown, lchown, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { LocalServerError } from '../error.js';
import { hasCode } from '../files.js';
import { initialisingAccount, type Account } from './account.js';
import { magicCwd } from './data-path.js';
import { abilitiesOf, type PostgresBinaries } from './binaries.js';

const run = promisify(execFile);

/** The name of the one database role; it owns everything. */
export const roleName = 'continuo';

export interface Initialisation {
  readonly binaries: PostgresBinaries;
  readonly dataDir: string;
  readonly account: Account | undefined;
  readonly password: string;
  readonly durable: boolean;
}

/** Whether the folder holds a complete database cluster. */
export async function isInitialised(dataDir: string): Promise<boolean> {
  try {
    return (await stat(join(dataDir, 'PG_VERSION'))).isFile() && (await stat(join(dataDir, 'global', 'pg_control'))).isFile();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

/**
 * Makes a database cluster with UTF-8 text, code point order, checksums and one role with the given password.
 * @throws LocalServerError when the folder holds something else, or initdb fails
 */
export async function initialise(it: Initialisation): Promise<void> {
  await mkdir(it.dataDir, { recursive: true, mode: 0o700 });
  const found = await readdir(it.dataDir);
  if (found.length > 0) throw new LocalServerError(`${it.dataDir} holds files but no database; empty it or choose another folder`);
  const initialiser = await initialisingAccount();
  if (initialiser) await chown(it.dataDir, initialiser.uid, initialiser.gid);
  await chmod(it.dataDir, 0o700);
  const secrets = await mkdtemp(join(tmpdir(), 'continuo-initdb-'));
  try {
    const passwordFile = join(secrets, 'password');
    await writeFile(passwordFile, `${it.password}\n`, { mode: 0o600 });
    if (initialiser) {
      await chown(passwordFile, initialiser.uid, initialiser.gid);
      await chown(secrets, initialiser.uid, initialiser.gid);
    }
    await runInitdb(it, passwordFile, initialiser);
  } finally {
    await rm(secrets, { recursive: true, force: true });
  }
  if (it.account) await handOver(it.dataDir, it.account);
}

async function runInitdb(it: Initialisation, passwordFile: string, initialiser: Account | undefined): Promise<void> {
  const data = await magicCwd(it.dataDir, initialiser);
  const { hasBuiltinLocale } = abilitiesOf(it.binaries);
  const order = hasBuiltinLocale
    ? ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    : ['--lc-collate=C', '--lc-ctype=C.UTF-8'];
  const locale = ['--encoding=UTF8', ...order];
  const access = ['--auth=scram-sha-256', `--username=${roleName}`, `--pwfile=${passwordFile}`];
  const args = ['-D', data, ...locale, ...access, ...(it.durable ? [] : ['--no-sync', '--wal-segsize=2'])];
  try {
    await run(it.binaries.initdb, args, { cwd: it.dataDir, env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' }, ...initialiser });
  } catch (cause) {
    const said = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim() : String(cause);
    // A half-made cluster would be refused as "holds files" on the next start.
    for (const name of await readdir(it.dataDir)) await rm(join(it.dataDir, name), { recursive: true, force: true });
    throw new LocalServerError(`initdb failed in ${it.dataDir}: ${said}`, { cause });
  }
}

/** Gives a folder and all in it to an account. Links are given, not followed. */
export async function handOver(folder: string, { uid, gid }: Account): Promise<void> {
  await lchown(folder, uid, gid);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    await (entry.isDirectory() ? handOver(path, { uid, gid }) : lchown(path, uid, gid));
  }
}
