import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pinnedNode } from '../../setup/paths.mjs';
import { isDebiansFfmpeg } from './config.mjs';
import { makeDebian, packagesIn } from './debian.mjs';
import { imageId, importFolder } from './engine.mjs';
import { ffmpeg } from './ffmpeg.mjs';
import { names } from './names.mjs';

/** Packages that our Dockerfile installs. */
const PACKAGES = ['ca-certificates', 'tini'];

/** The Debian of our images, without ffmpeg and with it. Made once; `docker rmi` them to have them made anew. */
export const debianImages = async () => {
  if ((await imageId(names.debian)) && (await imageId(names.media))) return;
  const folder = mkdtempSync(join(tmpdir(), 'continuo-base-'));
  try {
    const [base, media] = [join(folder, 'base'), join(folder, 'media')];
    await makeDebian(base, PACKAGES);
    await importFolder(base, names.debian, 'made-by=continuo');
    await makeDebian(media, [...PACKAGES, ...(isDebiansFfmpeg ? ['ffmpeg'] : packagesIn('ffmpeg-run'))]);
    if (!isDebiansFfmpeg) cpSync(await ffmpeg(), media, { recursive: true });
    await importFolder(media, names.media, 'made-by=continuo');
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
