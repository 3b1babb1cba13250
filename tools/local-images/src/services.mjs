import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deploy, packages } from '../../../deploy/images/deploy.mjs';
import { root as repository } from '../../setup/paths.mjs';
import { build, importFolder } from './engine.mjs';
import { names } from './names.mjs';

/** The target of a package in the Dockerfile. */
const targetOf = (name) => (name === 'continuo-cli' ? 'tools' : name);

/** Our services as they are built in this checkout, through the Dockerfile that everybody uses. */
export const serviceImages = async (base) => {
  const folder = mkdtempSync(join(tmpdir(), 'continuo-built-'));
  try {
    mkdirSync(join(folder, 'out'));
    deploy(join(folder, 'out'));
    await importFolder(folder, names.built, 'made-by=continuo');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const made = [];
  for (const name of packages.map(targetOf)) {
    const args = { NODE_IMAGE: base, BUILT: names.built };
    await build({ file: join(repository, 'deploy/images/Dockerfile'), context: repository, target: name, args, tag: names.service(name) });
    made.push(names.service(name));
  }
  return made;
};
