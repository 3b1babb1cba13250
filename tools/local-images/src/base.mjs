import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pinnedNode } from '../../setup/paths.mjs';
import { debootstrap, packagesIn } from './debian.mjs';
import { imageId, importFolder, run } from './engine.mjs';
import { ffmpeg } from './ffmpeg.mjs';
import { names } from './names.mjs';

/** Packages that our Dockerfile installs. */
const PACKAGES = ['ca-certificates', 'tini'];

/** Kept out as in the published Debian images; licences stay. */
const LEFT_OUT = ['path-exclude=/usr/share/locale/*', 'path-exclude=/usr/share/man/*', 'path-exclude=/usr/share/doc/*'];
const KEPT = 'path-include=/usr/share/doc/*/copyright';

/** The Debian of our images, without ffmpeg and with it. Made once; `docker rmi` them to have them made anew. */
export const debianImages = async () => {
  if ((await imageId(names.debian)) && (await imageId(names.media))) return;
  const folder = mkdtempSync(join(tmpdir(), 'continuo-base-'));
  try {
    const root = join(folder, 'root');
    await debootstrap(root, PACKAGES, '--variant=minbase');
    writeFileSync(join(root, 'etc/dpkg/dpkg.cfg.d/slim'), `${[...LEFT_OUT, KEPT].join('\n')}\n`);
    removeWaste(root);
    await importFolder(root, names.debian, 'made-by=continuo');
    await addPackages(root, folder, packagesIn('ffmpeg-run'));
    removeWaste(root);
    cpSync(await ffmpeg(), root, { recursive: true });
    await importFolder(root, names.media, 'made-by=continuo');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** The pinned Node and nothing else. */
export const nodeImage = async () => {
  if (await imageId(names.node)) return;
  const folder = mkdtempSync(join(tmpdir(), 'continuo-node-'));
  try {
    mkdirSync(join(folder, 'usr/local/bin'), { recursive: true });
    cpSync(pinnedNode, join(folder, 'usr/local/bin/node'), { dereference: true });
    await importFolder(folder, names.node, 'made-by=continuo');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Adds packages with all that they need to a system that exists, by dpkg alone: apt in there knows nothing of this machine's way to the network. */
const addPackages = async (root, folder, packages) => {
  const fetched = join(folder, 'fetched');
  await debootstrap(fetched, [...PACKAGES, ...packages], '--variant=minbase', '--download-only');
  const archives = join(fetched, 'var/cache/apt/archives');
  const installed = new Set((await run('chroot', [root, 'dpkg-query', '--show', '--showformat', '${Package}\\n'])).split('\n'));
  const missing = readdirSync(archives).filter((file) => file.endsWith('.deb') && !installed.has(file.split('_')[0]));
  for (const file of missing) copyFileSync(join(archives, file), join(root, 'tmp', file));
  const install = `cd /tmp && dpkg --unpack --force-depends ${missing.map((file) => `'${file}'`).join(' ')} && dpkg --configure --pending`;
  await run('env', ['DEBIAN_FRONTEND=noninteractive', 'chroot', root, 'sh', '-c', `${install} && rm -f /tmp/*`]);
};

const removeWaste = (root) => {
  for (const waste of [
    'var/cache/apt',
    'var/lib/apt/lists',
    'usr/share/man',
    'usr/share/locale',
    'var/log/dpkg.log',
    'var/log/bootstrap.log',
  ])
    rmSync(join(root, waste), { recursive: true, force: true });
  for (const folder of readdirSync(join(root, 'usr/share/doc')))
    if (!existsSync(join(root, 'usr/share/doc', folder, 'copyright')))
      rmSync(join(root, 'usr/share/doc', folder), { recursive: true, force: true });
};
