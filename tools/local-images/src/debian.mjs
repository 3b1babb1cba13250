import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache, root as repository } from '../../setup/paths.mjs';
import { run } from './engine.mjs';

/** Packages in a list of the Dockerfile. */
export const packagesIn = (list) =>
  readFileSync(join(repository, `deploy/images/${list}.packages`), 'utf8')
    .trim()
    .split('\n');

/** Makes a Debian of this machine's suite in a folder. What it fetches is kept. */
export const debootstrap = async (target, packages, ...options) => {
  const { suite, mirror } = debian();
  const kept = join(cache, 'debootstrap');
  mkdirSync(kept, { recursive: true });
  await run('debootstrap', [`--cache-dir=${kept}`, `--include=${packages.join(',')}`, ...options, suite, target, mirror]);
};

/** The suite of this machine and the mirror that apt is set up with. */
export const debian = () => {
  const suite = /^VERSION_CODENAME=(\w+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
  const files = [
    '/etc/apt/sources.list',
    ...readdirSync('/etc/apt/sources.list.d').map((name) => join('/etc/apt/sources.list.d', name)),
  ].filter(existsSync);
  const text = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  const mirror = (/^URIs:\s*(\S+)/m.exec(text) ?? /^deb\s+(?:\[[^\]]*\]\s+)?(\S+)/m.exec(text))?.[1];
  if (!suite || !mirror) throw new Error('apt of a Debian is needed to make a base image');
  return { suite, mirror };
};
