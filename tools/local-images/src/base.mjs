import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cache, pinnedNode } from '../../setup/paths.mjs';
import { imageId, importFolder, run } from './engine.mjs';
import { names } from './names.mjs';

/** Beside Node: what our images would install. curl and procps serve the tests. */
const PACKAGES = ['ca-certificates', 'tini', 'ffmpeg', 'curl', 'procps'];

/** A Debian with Node, under a name of ours. Made once; `docker rmi` it to have it made anew. */
export const baseImage = async () => {
  if (await imageId(names.base)) return names.base;
  const root = mkdtempSync(join(tmpdir(), 'continuo-base-'));
  try {
    const { suite, mirror } = debian();
    const packages = join(cache, 'debootstrap');
    mkdirSync(packages, { recursive: true });
    await run('debootstrap', ['--variant=minbase', `--cache-dir=${packages}`, `--include=${PACKAGES.join(',')}`, suite, root, mirror]);
    cpSync(pinnedNode, join(root, 'usr/local/bin/node'), { dereference: true });
    for (const waste of ['var/cache/apt/archives', 'var/lib/apt/lists', 'usr/share/doc', 'usr/share/man'])
      rmSync(join(root, waste), { recursive: true, force: true });
    await importFolder(root, names.base, 'made-by=continuo');
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  return names.base;
};

/** The suite of this machine and the mirror that apt is set up with. */
const debian = () => {
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
