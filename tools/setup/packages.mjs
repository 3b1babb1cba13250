import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache, root, toolchainBin } from './paths.mjs';
import { say, SetupError } from './say.mjs';
import { run, tail } from './shell.mjs';
import { toolchainEnv } from './toolchain.mjs';
import { versions } from './versions.mjs';

const stampFile = join(cache, 'installed');

/** Installs the packages of the lock file when it, the workspace file or the tool chain changed since the last time. */
export async function ensurePackages() {
  const stamp = currentStamp();
  if (existsSync(join(root, 'node_modules', '.modules.yaml')) && lastStamp() === stamp) return;
  say('Installing packages …');
  // A folder made by another pnpm is replaced without asking: nobody may be there to answer.
  const args = ['install', '--frozen-lockfile', '--config.confirmModulesPurge=false'];
  const { code, output } = await run(join(toolchainBin, 'pnpm'), args, { cwd: root, env: { ...toolchainEnv(), CI: 'true' } });
  if (code !== 0) throw new SetupError(`The packages could not be installed; check the network, then try again.\n${tail(output, 12)}`);
  writeFileSync(stampFile, stamp);
}

function currentStamp() {
  const hash = createHash('sha256').update(`${versions.node} ${versions.pnpm}`);
  for (const name of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) hash.update(readFileSync(join(root, name)));
  return hash.digest('hex');
}

/** The state of the lock file, the workspace and the tool chain that packages were last installed for. */
export function lastStamp() {
  return existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : undefined;
}
