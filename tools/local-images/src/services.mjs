import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deploy } from '../../../deploy/images/deploy.mjs';
import { images } from '../../../deploy/images/packages.mjs';
import { root as repository } from '../../setup/paths.mjs';
import { build, importFolder } from './engine.mjs';
import { names } from './names.mjs';

/** Our services as they are built in this checkout, through the Dockerfile that everybody uses. They need the other images. */
export const serviceImages = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'continuo-built-'));
  try {
    mkdirSync(join(folder, 'out'));
    await deploy(join(folder, 'out'));
    await importFolder(folder, names.built, 'made-by=continuo');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const made = [];
  for (const name of images) {
    const args = {
      DEBIAN_IMAGE: names.debian,
      MEDIA_IMAGE: names.media,
      NODE_IMAGE: names.node,
      NATS_IMAGE: names.nats,
      BUILT: names.built,
    };
    await build({ file: join(repository, 'deploy/images/Dockerfile'), context: repository, target: name, args, tag: names.service(name) });
    made.push(names.service(name));
  }
  return made;
};
