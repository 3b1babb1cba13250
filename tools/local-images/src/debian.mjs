import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root as repository } from '../../setup/paths.mjs';
import { run } from './engine.mjs';

/** Packages in a list of the Dockerfile. */
export const packagesIn = (list) =>
  readFileSync(join(repository, `deploy/images/${list}.packages`), 'utf8')
    .trim()
    .split('\n');

/** Kept out as in the published Debian images; licences stay. */
const SLIM = ['exclude=/usr/share/locale/*', 'exclude=/usr/share/man/*', 'exclude=/usr/share/doc/*', 'include=/usr/share/doc/*/copyright'];

/** Makes a small Debian of this machine's suite in a folder, with packages and all that they need. */
export const makeDebian = async (folder, packages) => {
  const { suite, mirror } = debian();
  const slim = SLIM.map((option) => `--dpkgopt=path-${option}`);
  const what = ['--variant=minbase', `--include=${packages.join(',')}`, '--aptopt=Apt::Install-Recommends "false"'];
  // As the published images are laid out: without this, a whole perl comes along to merge folders.
  const merged = '--hook-dir=/usr/share/mmdebstrap/hooks/maybe-merged-usr';
  await run('mmdebstrap', ['--quiet', merged, ...what, ...slim, suite, folder, mirror]);
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
