import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { addInstalled, makePackage } from '../../tools/standalone/product.mjs';
import { packages, WHOLE } from './packages.mjs';
import { prune } from './prune.mjs';
import { billOf } from './sbom.mjs';

/** Writes each built package with all that it needs to run, and the bill of it, into a folder of its own below `target`. */
export async function deploy(target) {
  for (const name of [...packages, WHOLE]) {
    const folder = join(target, name);
    const freedBytes = name === WHOLE ? await deployWhole(folder) : deployPackage(name, folder);
    process.stderr.write(`${name}: ${(freedBytes / 1e6).toFixed(1)} MB that no image needs left out\n`);
    writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(billOf(name), undefined, 1)}\n`);
  }
}

/** Writes a built package with all that it needs to run into a folder. Answers the bytes that were left out. */
export function deployPackage(name, folder) {
  const args = ['--filter', `@continuo/${name}`, 'deploy', '--legacy', '--prod', '--offline', folder];
  const { status } = spawnSync('pnpm', args, { cwd: resolve(import.meta.dirname, '../..'), stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`pnpm could not deploy ${name}`);
  return prune(folder);
}

/** Writes the whole server, as npm has it, and the packages that npm would install with it. Answers the bytes that were left out. */
async function deployWhole(folder) {
  addInstalled(folder, await makePackage(folder));
  const { nodeOptions, environment } = JSON.parse(readFileSync(join(folder, 'process.json'), 'utf8'));
  const variables = Object.entries(environment).map(([name, value]) => `export ${name}="\${${name}:-${value}}"`);
  writeFileSync(join(folder, 'process.sh'), `${[...variables, `node_options='${nodeOptions.join(' ')}'`].join('\n')}\n`);
  return prune(folder);
}

if (process.argv[1] === import.meta.filename) await deploy(resolve(process.argv[2] ?? 'out'));
