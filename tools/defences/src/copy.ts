import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A copy of the repository that may be broken. */
export interface Copy {
  readonly root: string;
  remove(): Promise<void>;
}

/** Files that git knows or would know, changed ones as they stand now. */
const filesOf = async (root: string): Promise<string[]> => {
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, maxBuffer: 64 << 20 });
  const { stdout: gone } = await run('git', ['ls-files', '-z', '--deleted'], { cwd: root });
  const missing = new Set(gone.split('\0'));
  return stdout.split('\0').filter((name) => name !== '' && !missing.has(name));
};

/** Files that the build makes and gateways cannot start without. */
const BUILT = ['services/web/page'];

/**
 * Copies the repository into a temporary folder and installs its packages there, from the store of the package manager alone.
 * @throws Error when git or pnpm is missing or fails, or the repository was not built
 */
export const copyOf = async (root: string): Promise<Copy> => {
  const folder = await mkdtemp(join(tmpdir(), 'continuo-defences-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    for (const name of BUILT) await cp(join(root, name), join(folder, name), { recursive: true });
    for (const name of await filesOf(root)) await cp(join(root, name), join(folder, name));
    await run('pnpm', ['install', '--offline', '--frozen-lockfile'], { cwd: folder, maxBuffer: 64 << 20 });
    return { root: folder, remove };
  } catch (error) {
    await remove();
    throw error;
  }
};
