import { execFile } from 'node:child_process';
import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository, searchPath } from '../config.js';
import { builtIn, upgradedServices, type Build } from './build.js';

const run = promisify(execFile);
const MOST_OUTPUT_BYTES = 64 * 1024 * 1024;
const BUILDS = join(repository, '.cache', 'upgrade');

const step = async (folder: string, program: string, args: readonly string[]): Promise<string> => {
  const env = { PATH: searchPath, HOME: homedir(), CI: '1' };
  const { stdout } = await run(program, [...args], { cwd: folder, env, maxBuffer: MOST_OUTPUT_BYTES });
  return stdout.trim();
};

const isThere = async (file: string): Promise<boolean> => {
  try {
    await access(file);
    return true;
  } catch {
    // Not there: it was not made, or not to the end.
    return false;
  }
};

/**
 * Builds a commit of this repository in a clone of its own below `.cache/upgrade`, once.
 * @throws Error when there is no such commit, or it cannot be built
 */
export const buildOf = async (ref: string, say: (line: string) => void): Promise<Build> => {
  const commit = await step(repository, 'git', ['rev-parse', '--verify', `${ref}^{commit}`]);
  const name = commit.slice(0, 8);
  const folder = join(BUILDS, name);
  const mark = join(folder, '.built');
  if (!(await isThere(mark))) {
    say(`building ${name} …`);
    // An interrupted clone is resumed: it has no commit checked out.
    if (!(await isThere(join(folder, 'package.json')))) {
      await rm(folder, { recursive: true, force: true });
      await mkdir(BUILDS, { recursive: true });
      await step(repository, 'git', ['clone', '--quiet', '--no-checkout', repository, folder]);
      await step(folder, 'git', ['checkout', '--quiet', commit]);
    }
    await step(folder, 'pnpm', ['install', '--frozen-lockfile', '--prefer-offline']);
    await step(folder, 'pnpm', ['exec', 'tsc', '-b', ...upgradedServices.map((service) => `services/${service}`)]);
    await writeFile(mark, '');
  }
  return builtIn(name, folder);
};
