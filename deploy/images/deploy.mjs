import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { addInstalled, DATABASE, makePackage } from '../../tools/standalone/product.mjs';
import { billOf } from './sbom.mjs';

/**
 * Writes what the images hold into folders below `target`: `app`, which is in all of them, and `database`, which the image of the whole server has over it. Each has the bill of what
 * is in the images that have it.
 */
export async function deploy(target) {
  const [app, database] = [join(target, 'app'), join(target, 'database')];
  const needed = await makePackage(app);
  const ofDatabase = new Map([[DATABASE, needed.get(DATABASE)]]);
  needed.delete(DATABASE);
  addInstalled(app, needed);
  addInstalled(database, ofDatabase);
  refuseBoth(join(app, 'node_modules'), join(database, 'node_modules'));
  writeFileSync(join(app, 'sbom.cdx.json'), `${JSON.stringify(billOf(false), undefined, 1)}\n`);
  writeFileSync(join(database, 'sbom.cdx.json'), `${JSON.stringify(billOf(true), undefined, 1)}\n`);
  const { nodeOptions, environment } = JSON.parse(readFileSync(join(app, 'process.json'), 'utf8'));
  const variables = Object.entries(environment).map(([name, value]) => `export ${name}="\${${name}:-${value}}"`);
  writeFileSync(join(app, 'process.sh'), `${[...variables, `node_options='${nodeOptions.join(' ')}'`].join('\n')}\n`);
}

/** Packages of one folder would replace those of the other. */
function refuseBoth(one, other) {
  const both = packagesIn(other).filter((name) => existsSync(join(one, name)));
  if (both.length > 0) throw new Error(`both folders have ${both.join(', ')}`);
}

const packagesIn = (folder) =>
  readdirSync(folder).flatMap((name) => (name.startsWith('@') ? readdirSync(join(folder, name)).map((part) => `${name}/${part}`) : [name]));

if (process.argv[1] === import.meta.filename) await deploy(resolve(process.argv[2] ?? 'out'));
