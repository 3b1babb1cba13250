import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastStamp } from './packages.mjs';
import { cache, pinnedNode, root } from './paths.mjs';
import { say, SetupError } from './say.mjs';
import { run } from './shell.mjs';
import { toolchainEnv } from './toolchain.mjs';

/** Arguments for the pinned Node that make the sources that are not committed. */
export const makeSourcesCommand = [join(root, 'contracts/client/make-types.mjs')];

/** Arguments for the pinned Node that check the types of everything that changed, and compile it for those tools that run without the bundle. Packages are compiled beside each other; several checkers of one would repeat each other's work. */
export const compileCommand = [
  join(root, 'node_modules', 'typescript', 'bin', 'tsc'),
  '-b',
  '--checkers',
  '1',
  root,
  join(root, 'services/web'),
  join(root, 'services/web/src/worker'),
];

/** Arguments for the pinned Node that make the web page. */
export const pageCommand = [
  join(root, 'services/web/node_modules/vite/bin/vite.js'),
  'build',
  '--logLevel',
  'warn',
  join(root, 'services/web'),
];

/** Arguments for the pinned Node that put the programs into few files. */
export const bundleCommand = [join(root, 'tools/standalone/bundle.mjs')];

const stampFile = join(cache, 'built');
const packageFolders = ['contracts', 'services', 'tools'];
const APART = ['node_modules', 'dist', 'golden'];
const COMPILED = /\.(?:tsx?|json|css|html|svg)$/;

/** Makes the page and the programs from their sources, unless neither has changed since the last time. Types are checked by tests. */
export async function build() {
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === fingerprint()) return;
  const notice = setTimeout(() => say('Building …'), 700);
  // One after the other: a small machine has not the memory for both.
  await runAll([pageCommand, bundleCommand]);
  clearTimeout(notice);
  writeFileSync(stampFile, fingerprint());
}

/** Compiles all packages, with their types checked. */
export const compile = () => runAll([makeSourcesCommand, compileCommand]);

async function runAll(commands) {
  for (const command of commands) {
    const { code, output } = await run(pinnedNode, command, { cwd: root, env: toolchainEnv() });
    if (code !== 0) throw new SetupError(`The build failed.\n${output.trim()}`);
  }
}

/** Names, sizes and times of the sources, of the page and of the first program. */
function fingerprint() {
  const hash = createHash('sha256').update(lastStamp() ?? '');
  const add = (path) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    hash.update(`${path} ${stats?.size} ${stats?.mtimeMs}\n`);
  };
  const walk = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !APART.includes(entry.name)) walk(path);
      else if (COMPILED.test(entry.name)) add(path);
    }
  };
  for (const folder of packageFolders) walk(join(root, folder));
  const further = ['tools/standalone/bundle.mjs', 'deploy/images/packages.mjs', 'tools/standalone/bundle/main.js'];
  for (const name of ['tsconfig.json', 'tsconfig.base.json', ...further]) add(join(root, name));
  return hash.digest('hex');
}
