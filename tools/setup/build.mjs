import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastStamp } from './packages.mjs';
import { cache, pinnedNode, root } from './paths.mjs';
import { say, SetupError } from './say.mjs';
import { run } from './shell.mjs';
import { toolchainEnv } from './toolchain.mjs';

/** Arguments for the pinned Node that make the sources that are not committed. */
export const makeSourcesCommand = [join(root, 'contracts/client/make-types.mjs')];

/** Arguments for the pinned Node that compile everything that changed. Packages are compiled beside each other; several checkers of one would repeat each other's work. */
export const compileCommand = [
  join(root, 'node_modules', 'typescript', 'bin', 'tsc'),
  '-b',
  '--checkers',
  '1',
  root,
  join(root, 'services/web'),
  join(root, 'services/web/src/worker'),
];

/** Arguments for the pinned Node that make the web page of its compiled sources. */
export const pageCommand = [
  join(root, 'services/web/node_modules/vite/bin/vite.js'),
  'build',
  '--logLevel',
  'warn',
  join(root, 'services/web'),
];

/** Arguments for the pinned Node that put the compiled standalone into few files. */
export const bundleCommand = [join(root, 'tools/standalone/bundle.mjs')];

const OUTPUT = /\.(?:d\.ts|js)(?:\.map)?$/;

const stampFile = join(cache, 'built');
const packageFolders = ['contracts', 'services', 'tools'];
const COMPILED = /\.(?:tsx?|json|css|html|svg)$/;

/** Compiles the packages, unless no source file, and nothing that the compiler left, has changed since the last time. */
export async function build() {
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === fingerprint()) return;
  for (const folder of packageFolders) for (const name of ['', ...readdirSync(join(root, folder))]) sweep(join(root, folder, name));
  const notice = setTimeout(() => say('Building …'), 700);
  for (const command of [makeSourcesCommand, compileCommand, pageCommand, bundleCommand]) {
    const { code, output } = await run(pinnedNode, command, { cwd: root, env: toolchainEnv() });
    if (code !== 0) throw new SetupError(`The build failed.\n${output.trim()}`);
  }
  clearTimeout(notice);
  writeFileSync(stampFile, fingerprint());
}

/** Deletes what earlier builds left in a package and this one does not make: images are made of all that lies in `dist`. */
function sweep(folder) {
  const built = join(folder, 'dist');
  if (!existsSync(built)) return;
  for (const path of readdirSync(built, { recursive: true })) {
    const source = join(folder, 'src', path.replace(OUTPUT, '.ts'));
    if (OUTPUT.test(path) && (source.endsWith('.spec.ts') || !existsSync(source))) rmSync(join(built, path));
  }
}

/** Names, sizes and times of the sources and of the compiler's notes of what it has built. */
function fingerprint() {
  const hash = createHash('sha256').update(lastStamp() ?? '');
  const add = (path) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    hash.update(`${path} ${stats?.size} ${stats?.mtimeMs}\n`);
  };
  const walk = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.name === 'dist') add(join(path, '.tsbuildinfo'));
      else if (entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== 'golden') walk(path);
      else if (COMPILED.test(entry.name)) add(path);
    }
  };
  for (const folder of packageFolders) walk(join(root, folder));
  const further = ['tools/standalone/bundle.mjs', 'deploy/images/packages.mjs', 'tools/standalone/bundle/main.js'];
  for (const name of ['tsconfig.json', 'tsconfig.base.json', ...further]) add(join(root, name));
  return hash.digest('hex');
}
