import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cache, root } from '../../setup/paths.mjs';
import { run, tail } from '../../setup/shell.mjs';

const VERSION = '10.1.1';
const folder = join(cache, `stryker-${VERSION}`);
const packageOf = (name) => join(folder, 'node_modules', '@stryker-mutator', name);

/** The plug-in that runs vitest: it finds the vitest of the checkout, since the cache lies in it. */
export const vitestRunner = join(packageOf('vitest-runner'), 'dist/src/index.js');

/** The program of StrykerJS, which is fetched when it is first wanted: nobody needs it to run the server. @throws Error when npm cannot fetch it */
export async function ensureStryker() {
  const program = join(packageOf('core'), 'bin/stryker.js');
  if (existsSync(program) && existsSync(vitestRunner)) return program;
  process.stderr.write(`Fetching StrykerJS ${VERSION} into .cache (once) …\n`);
  const packages = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${VERSION}`);
  // Its vitest is that of the checkout.
  const options = ['--prefix', folder, '--legacy-peer-deps', '--no-audit', '--no-fund', '--ignore-scripts'];
  const { code, output } = await run('npm', ['install', ...options, ...packages], { cwd: root });
  if (code !== 0) throw new Error(`StrykerJS ${VERSION} could not be fetched: ${tail(output)}`);
  return program;
}
